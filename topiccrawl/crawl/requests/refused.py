"""Requests that a middleware of this project refuses: one exception class for each reason.

A new reason gets its label in ``reporting/words/reasons.py`` and its place in docs/stats.md: a test
fails until it has both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.exceptions import IgnoreRequest

from topiccrawl import details

if TYPE_CHECKING:
    from scrapy import Request


class RequestRefused(IgnoreRequest):
    """A middleware of this project refuses a request; ``reason`` is the stable word of its outcome."""

    reason: ClassVar[str] = "refused"
    retryable: ClassVar[bool] = False
    """Whether another attempt later makes sense."""


class HostGone(RequestRefused):
    """The host has not answered for long; its links are given up without a try."""

    reason = "host-gone"


class OutOfScope(RequestRefused):
    """The URL is outside the scope of the crawl (``allow``, ``deny``)."""

    reason = "out-of-scope"


class DeletedPage(RequestRefused):
    """The user deleted the page, or it was older than pages may be kept."""

    reason = "deleted"


class CaptchaPage(RequestRefused):
    """The URL is the page by which a search engine asks whether one is human."""

    reason = "captcha"


class Trapped(RequestRefused):
    """The URL looks like a trap, or belongs to a family of pages that bring nothing new."""

    reason = "trap"


class FetchedElsewhere(RequestRefused):
    """The same page was fetched on a mirror, or as another version."""

    reason = "mirror"


class VisitedBefore(RequestRefused):
    """The visit was made by a worker that has died since; its record is in the store."""

    reason = "visited"


class RedirectLoop(RequestRefused):
    """The address redirects to one that has redirected to it."""

    reason = "redirects"

    def __init__(self, url: str) -> None:
        super().__init__(details.REDIRECT_LOOP(url=url))


class NothingFetched(RequestRefused):
    """The URL is not among what is imported, and an import fetches nothing."""

    reason = "import"

    def __init__(self) -> None:
        super().__init__(details.NOTHING_FETCHED())


class PrivateAddress(RequestRefused):
    """The host is, or has, an address that is not of the public internet."""

    reason = "private-address"

    def __init__(self, host: str, address: object) -> None:
        named = host != str(address)
        super().__init__(
            details.PRIVATE_NAME(host=host, address=address)
            if named
            else details.PRIVATE(address=address)
        )
        self.host = host
        self.address = str(address)


class CertificateRefused(RequestRefused):
    """The certificate of the server cannot be verified (``DOWNLOAD_VERIFY_CERTIFICATES``)."""

    reason = "certificate"

    def __init__(self, host: str, problem: str) -> None:
        super().__init__(details.CERTIFICATE(host=host, error=problem))
        self.host = host


class PackedTooOften(RequestRefused):
    """The response is compressed in more layers or parts than are unpacked."""

    reason = "packing"


class DamagedCompression(RequestRefused):
    """The compressed body cannot be unpacked, or not to what was packed."""

    reason = "bad-gzip-file"
    retryable = True


class RobotsUnreachable(RequestRefused):
    """The robots.txt of the host cannot be fetched: nothing of it may be (RFC 9309, 2.3.1.4)."""

    reason = "robots-unreachable"

    def __init__(self, message: str, cause: Exception | None = None) -> None:
        super().__init__(message)
        self.cause = cause
        """Why there is no answer; ``None`` if the server answered with an error."""


class BlockedByHost(RequestRefused):
    """The answer is a block page or a captcha; the link is tried again when the host has rested."""

    def __init__(self, kind: str, message: str, retry_at: float | None) -> None:
        super().__init__(message)
        self.reason = kind  # type: ignore[misc]
        self.retry_at = retry_at
        """Time of the next attempt on the frontier's clock; ``None``: the link is given up."""


class HostPaused(RequestRefused):
    """The host asked for a pause longer than a request outside the frontier can wait."""

    reason = "ignored"


class LoginNeeded(RequestRefused):
    """The page is only for those who are logged in, and no session of the crawl opens it."""

    reason = "login-needed"

    def __init__(self, login: str) -> None:
        super().__init__(details.LOGIN_NEEDED(login=login))


class LoginRests(RequestRefused):
    """The login of the site did not help just now; it is tried again after a pause."""

    reason = "login-needed"
    retryable = True

    def __init__(self, login: str, until: float) -> None:
        super().__init__(details.LOGIN_RESTS(login=login))
        self.until = until
        """When it may be tried again, in seconds since the epoch."""


class LoginAddress(RequestRefused):
    """The URL begins or ends a session: requesting it would lose the present one."""

    reason = "login-address"

    def __init__(self, login: str) -> None:
        super().__init__(details.LOGIN_ADDRESS(login=login))


class AnalysisTimeout(RequestRefused):
    """The analysis of the page takes too much CPU time."""

    reason = "analysis-timeout"


class AnalysisCrash(RequestRefused):
    """The analysis of the page ends the process: it takes too much memory, or hits a bug of the parser."""

    reason = "analysis-crash"


class RobotsDelayed(IgnoreRequest):
    """A robots.txt must wait for the delay of its host: *request* is to be sent in some *seconds*."""

    def __init__(self, request: Request, seconds: float) -> None:
        super().__init__(f"{request.url} waits for {seconds:.3f} s")
        self.request = request
        self.seconds = seconds
