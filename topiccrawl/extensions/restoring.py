"""QueueRestorer: begins again at the seeds when the server of the queue has lost it while the crawl runs."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import AsyncioLoopingCall

from topiccrawl.crawl.session.current import required_session
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _
from topiccrawl.signals import connected
from topiccrawl.steps import pieces
from topiccrawl.store.contract import StoreUnavailable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)

#: Seconds between two looks (a guess; a look is one round trip).
LOOK_SECONDS: Final = 2.0
#: Seconds for which a worker with nothing to do waits for the one that fills the new queue (a guess).
_PATIENCE: Final = 10.0
#: Links that are queued, or marked, before the event loop goes on.
_PIECE: Final = 250


class QueueRestorer:
    """Looks whether the queue was lost; the worker that leads then offers the seeds and what the store names.

    Those are the links that failed or were waiting when a run ended.  Pages that are stored are not offered:
    only by fetching them again, when links lead there, are the lost links on them found again.
    """

    def __init__(self, session: CrawlSession, crawler: Crawler) -> None:
        self._session = session
        self._crawler = crawler
        self._losses = session.frontier.size().losses
        self._task: asyncio.Task[None] | None = None
        self._waits_until = 0.0
        self._loop = AsyncioLoopingCall(self.look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off for a queue in this process or in a file, and for other spiders."""
        session = required_session(crawler)
        local = frontier_backend(session.settings).local
        if local or not getattr(crawler.spider, "needs_seeds", False):
            raise NotConfigured
        restorer = cls(session, crawler)
        return connected(restorer, crawler)

    def spider_opened(self) -> None:
        """Start to look."""
        self._loop.start(LOOK_SECONDS)

    def look(self) -> None:
        """Fill the queue again if it was lost since the last look."""
        losses = self._session.frontier.size().losses
        if losses == self._losses or (self._task is not None and not self._task.done()):
            return
        self._losses = losses
        self._waits_until = time.monotonic() + _PATIENCE
        if self._session.queue.leads():
            self._task = asyncio.ensure_future(self._fill())
            self._task.add_done_callback(self._filled)

    def spider_idle(self) -> None:
        """Keep the spider open while the queue is being filled."""
        self.look()
        if self._session.control.stopping:
            return
        filling = self._task is not None and not self._task.done()
        if filling or time.monotonic() < self._waits_until:
            raise DontCloseSpider

    async def spider_closed(self) -> None:
        """Stop looking."""
        self._loop.stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _fill(self) -> None:
        engine = self._crawler.engine
        assert engine is not None
        seeds = 0
        async for request in self._crawler.spider.seed_requests(again=True):  # type: ignore[union-attr]
            engine.crawl(request)
            seeds += 1
        links = await self._offer_known()
        logger.warning(
            _(
                "The crawl goes on with a new queue, of the seeds (%(seeds)d) and the links that the store "
                "names (%(links)d). Stored pages stay, and are fetched again when links lead to them"
            ),
            {"seeds": seeds, "links": links},
        )
        self._session.control.count("frontier/restored")

    async def _offer_known(self) -> int:
        """Queue the links that the store names and that were not fetched; return how many."""
        from topiccrawl.crawl.queue.rebuilding import links_of_outcomes  # seldom needed

        session = self._session
        if session.store is None:
            return 0
        try:
            known = (await links_of_outcomes(session.store.store, session.topic.name)).others
        except StoreUnavailable:
            return 0
        for piece in pieces(known.given_up, _PIECE):
            session.frontier.mark_ended(piece, given_up=True)
            await asyncio.sleep(0)
        for piece in pieces(known.waiting, _PIECE):
            for link in piece:
                session.pending.add(link)
            session.pending.flush()
            await asyncio.sleep(0)
        return len(known.waiting)

    def _filled(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("The queue could not be filled again", exc_info=error)
        self._session.control.wake()
