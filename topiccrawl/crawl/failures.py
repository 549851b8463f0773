"""Which errors of Scrapy mean that a host has not answered."""

from __future__ import annotations

from typing import Final

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)

#: Errors without any response: the host is down or overloaded, or there is no network.
NO_ANSWER: Final = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    TunnelError,
)
