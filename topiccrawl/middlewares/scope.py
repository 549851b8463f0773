"""ScopeMiddleware: refuses what must not be fetched, at the way out of the queue.

Links are checked before they are queued, but not everything comes that way: redirects, new seeds, start
URLs in Redis, and links that were queued by another worker, by an earlier run, or before their pages
turned out to repeat themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from topiccrawl import details
from topiccrawl.crawl.requests.meta import EVIDENCE, NOT_ELSEWHERE
from topiccrawl.crawl.requests.refused import (
    CaptchaPage,
    DeletedPage,
    FetchedElsewhere,
    OutOfScope,
    Trapped,
)
from topiccrawl.crawl.session.current import required_session
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.sources.blocks import is_captcha_address
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession


#: Before all middlewares of Scrapy: robots.txt of a host outside the scope is not fetched either.
SCOPE_ORDER = 30


class ScopeMiddleware:
    """Checks each request that the scheduler has seen; robots.txt and the like pass."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the session; off when the crawl has no topic."""
        return cls(required_session(crawler))

    def process_request(self, request: Request) -> None:
        """Raise :class:`CaptchaPage`, :class:`OutOfScope`, :class:`DeletedPage`, :class:`FetchedElsewhere` or
        :class:`Trapped`.

        For a request that must not, or need not, be sent.
        """
        evidence = request.meta.get(EVIDENCE)
        if not isinstance(evidence, LinkEvidence):
            return
        if is_captcha_address(request.url):
            raise CaptchaPage(details.CAPTCHA(url=request.url))
        if (exclusion := self._session.scope.exclusion(request.url)) is not None:
            raise OutOfScope(f"{request.url} {exclusion}")
        # A user who names a page wants that page; of one that was deleted, its links.
        if evidence.named:
            return
        if self._session.deleted and canonical_url(request.url) in self._session.deleted:
            raise DeletedPage(details.DELETED())
        canonical, order = canonical_url(request.url), self._session.order
        if NOT_ELSEWHERE not in request.meta:
            other = order.fetched_elsewhere(canonical)
            if other is not None:
                raise FetchedElsewhere(details.MIRROR(url=request.url, other=other))
        if (trap := order.refusal(canonical)) is not None:
            raise Trapped(details.TRAP(url=request.url, trap=trap))
