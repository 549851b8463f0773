"""SourceFeedback: what becomes of the pages that search engines found, and later rounds of queries."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy.exceptions import DontCloseSpider, NotConfigured

from topiccrawl.crawl.session.current import required_session
from topiccrawl.items import PageItem
from topiccrawl.language import _
from topiccrawl.scoring.stagnation import StagnationWatch
from topiccrawl.signals import connected
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.search.searching import SourceSearch
    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)

#: Pages kept last whose words make queries (a guess).
_TEXTS: Final = 200
#: Keywords of each that count.
_KEYWORDS: Final = 8


class SourceFeedback:
    """Reports to the search which sources were kept, and starts a round when the crawl finds nothing more."""

    def __init__(self, session: CrawlSession, search: SourceSearch, crawler: Crawler) -> None:
        self._session = session
        self._search = search
        self._crawler = crawler
        self._watch = StagnationWatch()
        self._texts: deque[str] = deque(maxlen=_TEXTS)
        self._round: asyncio.Task[int] | None = None
        self._brought = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl does not search."""
        session = required_session(crawler)
        if session.search is None or not hasattr(crawler.spider, "source_requests"):
            raise NotConfigured
        feedback = cls(session, session.search, crawler)
        return connected(feedback, crawler)

    def response_received(self, response: Response, request: Request) -> None:
        """Record the judgment of an analyzed page; ask again when a dry stretch begins or lasts."""
        if response not in self._session.pages:
            return
        url = canonical_url(response.url)
        judgment = self._session.judging.classifier.judgment(link_id(url))
        kept = judgment is not None and judgment.kept
        for address in {url, *map(canonical_url, request.meta.get("redirect_urls", ()))}:
            self._search.judge(address, kept)
        if self._watch.observe(kept) is not None:
            self._begin()

    def item_scraped(self, item: Any) -> None:
        """Learn the words of a stored page."""
        if isinstance(item, PageItem):
            words = " ".join(list(item.keywords)[:_KEYWORDS])
            self._texts.append(f"{item.title}\n{words}")

    def request_failed(self, request: Request) -> None:
        """Record a source that is not there."""
        self._search.lose(canonical_url(request.url))

    def spider_idle(self) -> None:
        """Start another round when everything was fetched, as long as rounds find something."""
        if self._round is None and self._brought:
            self._begin()
        if self._round is not None:
            raise DontCloseSpider

    async def spider_closed(self) -> None:
        """End a round that is under way."""
        if self._round is not None:
            self._round.cancel()

    def _begin(self) -> None:
        if self._round is None and not self._search.spent:
            logger.info(_("The crawl finds nothing more: search engines are asked again"))
            self._round = asyncio.ensure_future(self._ask())
            self._round.add_done_callback(self._ended)

    async def _ask(self) -> int:
        spider, engine = self._crawler.spider, self._crawler.engine
        assert engine is not None
        added = 0
        async for sources in self._search.later_round(self._texts):
            for request in spider.source_requests(sources):  # type: ignore[union-attr]
                engine.crawl(request)
                added += 1
        return added

    def _ended(self, task: asyncio.Task[int]) -> None:
        self._round = None
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            logger.error("A round of queries failed", exc_info=error)
        self._brought = error is None and task.result() > 0
        self._watch.acted()
        self._session.control.wake()
