"""What the errors of downloads mean: their reason words, and whether another try makes sense."""

from __future__ import annotations

from typing import Final

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl.crawl.requests.refused import (
    AnalysisCrash,
    AnalysisTimeout,
    BlockedByHost,
    DamagedCompression,
    DeletedPage,
    FetchedElsewhere,
    HostPaused,
    LoginRests,
    OutOfScope,
    RequestRefused,
    RobotsUnreachable,
    Trapped,
    VisitedBefore,
)


class BrowserFailed(Exception):  # noqa: N818 - an outcome, as the errors of Scrapy's downloads
    """The browser did not show a page."""


class ProxiesFailed(Exception):  # noqa: N818 - an outcome, as the errors of Scrapy's downloads
    """No proxy gave an answer that could be believed."""


#: Errors without any response: the host is down or overloaded, or there is no network.
NO_ANSWER: Final = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    TunnelError,
)

#: Statuses after which trying again later makes sense (RFC 9110: server errors; 408, 429 by name).
RETRYABLE_STATUSES: Final = frozenset({408, 429, 500, 502, 503, 504, 522, 524})
#: Errors of downloads, with the reason word and whether another try makes sense.
_DOWNLOAD_ERRORS: Final = (
    (DownloadTimeoutError, "timeout", True),
    (DownloadConnectionRefusedError, "connection-refused", True),
    (CannotResolveHostError, "dns", True),
    (DownloadFailedError, "connection-lost", True),
    (ResponseDataLossError, "data-loss", True),
    (ProxiesFailed, "proxy", True),
    (BrowserFailed, "browser", True),
    (DownloadCancelledError, "too-large", False),
    (UnsupportedURLSchemeError, "scheme", False),
)
#: Reason of a page that could be kept nowhere.
STORE_LOST: Final = "store-lost"
#: Reasons of failures that may not recur.  The outcomes of links that wait for a host that blocks, or for a login, do
#: not differ from those of links that were given up.
RETRYABLE_REASONS: Final = (
    {reason for _, reason, retryable in _DOWNLOAD_ERRORS if retryable}
    | {f"http-{status}" for status in RETRYABLE_STATUSES}
    | {DamagedCompression.reason, STORE_LOST, LoginRests.reason, "blocked", "captcha"}
)


#: Refusals that do not depend on the host: it may have the page.
_OF_THE_CRAWL: Final = (
    AnalysisCrash,
    AnalysisTimeout,
    DeletedPage,
    FetchedElsewhere,
    HostPaused,
    OutOfScope,
    Trapped,
    VisitedBefore,
)


def has_no_page(error: BaseException) -> bool:
    """Whether a host will not answer with this page: it has none, robots.txt forbids it, it is gone."""
    if isinstance(error, HttpError):
        status = error.response.status
        return 400 <= status < 500 and status not in RETRYABLE_STATUSES
    if isinstance(error, BlockedByHost) and error.retry_at is not None:
        return False
    if isinstance(error, RequestRefused) and error.retryable:
        return False
    return isinstance(error, IgnoreRequest) and not isinstance(error, _OF_THE_CRAWL)


def cause_of(error: BaseException) -> BaseException:
    """Return what failed: of a robots.txt that cannot be fetched, its own error."""
    if isinstance(error, RobotsUnreachable) and error.cause is not None:
        return error.cause
    return error


def classify(error: BaseException) -> tuple[str, bool]:
    """Return (stable reason word, whether another try later makes sense) for a download error."""
    if isinstance(error, HttpError):
        status = error.response.status
        return f"http-{status}", status in RETRYABLE_STATUSES
    error = cause_of(error)
    if isinstance(error, RequestRefused):
        return error.reason, error.retryable
    if isinstance(error, IgnoreRequest):
        # Scrapy's own middlewares give their reason in the message only.
        words = str(error).lower()
        why = (
            # A small compressed answer that unpacks to more than may be read; its message holds the
            # URL, which may hold the other words.
            ("download_maxsize", "too-large"),
            ("robots", "robots"),
            ("redirections", "redirects"),
        )
        return next((reason for part, reason in why if part in words), "ignored"), False
    for kind, reason, retryable in _DOWNLOAD_ERRORS:
        if isinstance(error, kind):
            return reason, retryable
    return _words(type(error).__name__), False


def _words(name: str) -> str:
    """The reason word of an unknown exception: its class name with hyphens."""
    text = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).strip("-")
    return text.removesuffix("-error")
