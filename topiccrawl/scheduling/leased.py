"""What the queue handed out, and what middlewares added to it before the spider received the page.

Middlewares write into the request that they process: a proxy and its password, a user agent, cookies.
When such a request comes back to the queue, or the spider makes a new one of it, these must not reach
the queue's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.crawl.requests.meta import (
    ATTEMPT,
    DEPTH,
    EVIDENCE,
    LEASE,
    LEASED_LINK,
    LEASED_URL,
    SCORE,
)

if TYPE_CHECKING:
    from scrapy import Request

    from topiccrawl.frontier.contract import QueuedLink

#: Meta key of RetryMiddleware's quick tries, which each delayed attempt begins anew.
RETRY_TIMES: Final = "retry_times"
#: Meta keys by which Scrapy's own middlewares limit retries and redirects, with their types: all that
#: is kept of what the downloader adds to a request.
CONTINUED: Final[Mapping[str, type]] = {
    RETRY_TIMES: int,
    "redirect_times": int,
    "redirect_ttl": int,
    "redirect_urls": list,
    "redirect_reasons": list,
}
#: Meta keys that the scheduler itself writes.
_OF_THE_LEASE: Final = frozenset({ATTEMPT, DEPTH, EVIDENCE, LEASE, LEASED_LINK, LEASED_URL, SCORE})


@dataclass(slots=True, eq=False)
class LeasedLink:
    """The link of a popped request; copies of the request share it through their ``meta``."""

    link: QueuedLink
    meta: Mapping[str, Any] | None = None
    """What the request's meta contained beyond the link's own when the spider received the response;
    ``None`` before."""
    headers: Mapping[bytes, list[bytes]] | None = None
    """The same of its headers."""

    @property
    def arrived(self) -> bool:
        """Whether the spider has received the response, so that it may have changed the request."""
        return self.meta is not None


def leased_link(request: Request) -> LeasedLink | None:
    """Return the queue's copy of *request*, ``None`` for one that did not come from the queue."""
    leased = request.meta.get(LEASED_LINK)
    return leased if isinstance(leased, LeasedLink) else None


def note_arrival(request: Request) -> None:
    """Record what middlewares have written into *request*: its response goes to the spider now."""
    leased = leased_link(request)
    if leased is None:
        return
    own = leased.link.request
    names = {name.lower() for name in own.get("headers", {})}
    kept = {*own.get("meta", {}), *_OF_THE_LEASE}
    leased.meta = {name: value for name, value in request.meta.items() if name not in kept}
    leased.headers = {
        name: list(values)
        for name, values in request.headers.items()
        if name.decode("latin-1").lower() not in names
    }


def without_additions(request: Request, leased: LeasedLink) -> Request:
    """Return *request* without what middlewares have written into the page's request.

    A value that the spider has changed since is the spider's.
    """
    meta, headers = leased.meta or {}, leased.headers or {}
    cleaned = request.copy()
    for name, value in meta.items():
        if name in cleaned.meta and _same(cleaned.meta[name], value):
            del cleaned.meta[name]
    for header, values in headers.items():
        if cleaned.headers.getlist(header) == values:
            del cleaned.headers[header]
    return cleaned


def counters(request: Request, leased: LeasedLink) -> dict[str, int]:
    """Return the numbers and flags that middlewares have written into *request*, beside Scrapy's own.

    A retry middleware of another project counts its attempts there.
    """
    own = {*leased.link.request.get("meta", {}), *_OF_THE_LEASE, *CONTINUED}
    return {
        name: value
        for name, value in request.meta.items()
        if isinstance(value, int) and name not in own and not name.startswith("_")
    }


def _same(left: object, right: object) -> bool:
    """Whether two values are equal; comparing foreign objects may raise or return no bool."""
    return left is right or (isinstance(left, str | int | float | bool) and left == right)
