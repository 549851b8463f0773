"""Control of the engine by the crawl: wake it, stop it, and record why it cannot continue."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy.exceptions import CloseSpider

from topiccrawl.endings import CANNOT_START, FRONTIER_LOST, OFFLINE, STORE_LOST
from topiccrawl.errors import described, located
from topiccrawl.language import _

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


class CrawlControl:
    """Weak handle on a crawler's engine; every method returns at once.

    The reference is weak because sessions are kept in a dictionary whose keys are crawlers.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._closing: asyncio.Future[None] | None = None
        self._start_error: Exception | None = None
        self._store_lost = False
        self._offline = ""
        self._frontier_problem = ""
        self.blocked = ""
        """Why a crawl that was blocked is not a success; set at its end, ``""`` if it was not."""

    @property
    def start_error(self) -> Exception | None:
        """The error that kept the crawl from starting; the ``crawl`` command reports it."""
        return self._start_error

    @property
    def store_lost(self) -> bool:
        """Whether neither the store nor the spool can be written: new pages would be lost."""
        return self._store_lost

    @property
    def frontier_problem(self) -> str:
        """Why the frontier was lost, at whatever moment of the run; empty if it was not."""
        return self._frontier_problem

    def count(self, name: str, count: int = 1) -> None:
        """Increase the statistic ``topiccrawl/<name>``."""
        crawler = self._crawler()
        if crawler is not None:
            crawler.stats.inc_value(f"topiccrawl/{name}", count)

    def wake(self) -> None:
        """Make the engine ask its scheduler again."""
        crawler = self._crawler()
        if crawler is not None:
            wake_engine(crawler)

    def stop(self, reason: str) -> None:
        """Ask the engine to close the spider with *reason*; later calls do nothing.

        Nor does a call before the crawl has an engine.
        """
        crawler = self._crawler()
        if crawler is None or self._closing is not None:
            return
        try:
            engine = crawler.engine
        except RuntimeError:  # Scrapy's answer before the engine is set
            return
        if engine is not None:
            # Closing waits for the very items whose pipelines ask for it: never awaited here.
            self._closing = asyncio.ensure_future(engine.close_spider_async(reason=reason))

    def pause(self) -> None:
        """Take nothing more out of the queue; pages that are being fetched are finished."""
        crawler = self._crawler()
        if crawler is not None and crawler.engine is not None:
            crawler.engine.pause()

    def go_on(self) -> None:
        """End a pause."""
        crawler = self._crawler()
        if crawler is not None and crawler.engine is not None:
            crawler.engine.unpause()
            wake_engine(crawler)

    @property
    def paused(self) -> bool:
        """Whether the crawl takes nothing out of the queue."""
        crawler = self._crawler()
        return crawler is not None and crawler.engine is not None and crawler.engine.paused

    @property
    def stopping(self) -> bool:
        """Whether the engine closes the spider, for whatever reason; it waits for pages in flight."""
        return getattr(_slot(self._crawler()), "closing", None) is not None

    def put_back(self, request: Request) -> None:
        """Return a leased request to the queue; its attempt does not count."""
        crawler = self._crawler()
        if crawler is not None and crawler.engine is not None:
            crawler.engine.crawl(request.replace(dont_filter=True))

    def slot_key(self, request: Request) -> str:
        """Return the politeness key of *request*, by which the downloader spaces requests."""
        crawler = self._crawler()
        assert crawler is not None
        assert crawler.engine is not None
        key: str = crawler.engine.downloader.get_slot_key(request)
        return key

    async def download(self, request: Request) -> Response:
        """Return the response to a request that does not come from the queue; may raise anything."""
        crawler = self._crawler()
        if crawler is None or crawler.engine is None:
            raise RuntimeError("the crawl has no engine")
        return await crawler.engine.download_async(request)

    def cannot_start(self, error: Exception) -> CloseSpider:
        """Record why the crawl cannot start; return the exception to raise.

        Any other exception would leave the crawl half open, and Scrapy would close it with a
        traceback of its own.
        """
        self._start_error = error
        logger.error(_("The run cannot start: %(error)s"), {"error": described(error)})
        return CloseSpider(CANNOT_START)

    def lose_store(self, error: Exception) -> None:
        """Stop the crawl, once: its pages can be kept nowhere."""
        if not self._store_lost:
            self._store_lost = True
            logger.error(
                _("The crawl stops, its pages cannot be kept: %(error)s"),
                {"error": str(error) or described(error)},
            )
            self.stop(STORE_LOST)

    def go_offline(self, message: str) -> None:
        """Stop the crawl because there is no network; *message* names what was tried."""
        if not self._offline:
            self._offline = message
            logger.error(_("The crawl stops: %(message)s"), {"message": message})
            self.stop(OFFLINE)

    @property
    def offline(self) -> str:
        """Why the crawl stopped for want of a network; ``""`` if it did not."""
        return self._offline

    def lose_frontier(self, error: Exception, advice: str = "") -> None:
        """Stop the crawl: its links can be queued nowhere.  *advice* is for the user."""
        self._frontier_problem = located(described(error), error) + advice
        logger.error(
            _("The crawl stops, its queue cannot be used: %(error)s"),
            {"error": self._frontier_problem},
        )
        self.stop(FRONTIER_LOST)


def wake_engine(crawler: Any) -> None:
    """Make the engine ask its scheduler for requests in the next turn of the event loop.

    Scrapy has no public call for this.  ``engine._slot.nextcall.schedule()`` is what the engine itself
    calls at its heartbeat; it does nothing when a call is due already.  Should a Scrapy version name
    it differently, the heartbeat remains: the crawl is slower, not wrong.
    """
    try:
        slot = _slot(crawler)
        if slot is not None:
            slot.nextcall.schedule()
    except AttributeError:
        logger.debug("The engine cannot be woken; waiting for its heartbeat", exc_info=True)


def _slot(crawler: Any) -> Any:
    """Return the engine's own record of what it works on, ``None`` before there is one."""
    try:
        return getattr(getattr(crawler, "engine", None), "_slot", None)
    except RuntimeError:  # Scrapy's answer before the engine is set
        return None
