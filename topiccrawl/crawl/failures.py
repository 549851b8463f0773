"""Which errors of Scrapy mean that a host has not answered, or does not have a page."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl.crawl.refused import FetchedElsewhere, HostPaused, OutOfScope, Trapped

#: Errors without any response: the host is down or overloaded, or there is no network.
NO_ANSWER: Final = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    TunnelError,
)

#: Statuses of servers that may answer later (RFC 9110, 15.5.9; RFC 6585, 4).
_LATER: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})


def has_no_page(error: BaseException) -> bool:
    """Whether a host will not answer with this page: it has none, robots.txt forbids it, it is gone."""
    if isinstance(error, HttpError):
        status = error.response.status
        return 400 <= status < 500 and status not in _LATER
    here = (FetchedElsewhere, HostPaused, OutOfScope, Trapped)
    return isinstance(error, IgnoreRequest) and not isinstance(error, here)
