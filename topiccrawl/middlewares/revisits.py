"""RevisitMiddleware: a page that is visited again is asked for only if it has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.session.current import find_session

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.refreshing.visits import Visits

#: Behind Scrapy's default headers (400) and user agent (500), whose values it does not touch.
REVISIT_ORDER = 545


class RevisitMiddleware:
    """Sets ``If-None-Match`` and ``If-Modified-Since`` of revisits, and lets the answer 304 pass."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the session's visits; off when the crawl has no topic or no store."""
        session = find_session(crawler)
        if session is None or session.visits is None:
            raise NotConfigured
        return cls(session.visits)

    async def process_request(self, request: Request) -> None:
        """Make the request of a revisit conditional."""
        await self._visits.prepare(request)
