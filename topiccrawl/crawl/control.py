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
    from scrapy.core.engine import ExecutionEngine
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
        self.start_error: Exception | None = None
        """The error that kept the crawl from starting; the ``crawl`` command reports it."""
        self.store_lost = False
        """Whether neither the store nor the spool can be written: new pages would be lost."""
        self.frontier_problem = ""
        """Why the frontier was lost, at whatever moment of the run; empty if it was not."""
        self.offline = ""
        """Why the crawl stopped for want of a network; ``""`` if it did not."""
        self.blocked = ""
        """Why a crawl that was blocked is not a success; set at its end, ``""`` if it was not."""

    @property
    def _engine(self) -> ExecutionEngine | None:
        crawler = self._crawler()
        try:
            return None if crawler is None else crawler.engine
        except RuntimeError:  # Scrapy's answer before the engine is set
            return None

    def count(self, name: str, count: int = 1) -> None:
        """Increase the statistic ``topiccrawl/<name>``."""
        crawler = self._crawler()
        if crawler is not None:
            crawler.stats.inc_value(f"topiccrawl/{name}", count)

    def wake(self) -> None:
        """Make the engine ask its scheduler again."""
        wake_engine(self._crawler())

    def stop(self, reason: str) -> None:
        """Ask the engine to close the spider with *reason*; later calls do nothing.

        Nor does a call before the crawl has an engine.
        """
        engine = self._engine
        if engine is not None and self._closing is None:
            # Closing waits for the very items whose pipelines ask for it: never awaited here.
            self._closing = asyncio.ensure_future(engine.close_spider_async(reason=reason))

    def pause(self) -> None:
        """Take nothing more out of the queue; pages that are being fetched are finished."""
        if (engine := self._engine) is not None:
            engine.pause()

    def go_on(self) -> None:
        """End a pause."""
        if (engine := self._engine) is not None:
            engine.unpause()
            self.wake()

    @property
    def paused(self) -> bool:
        """Whether the crawl takes nothing out of the queue."""
        engine = self._engine
        return engine is not None and engine.paused

    @property
    def stopping(self) -> bool:
        """Whether the engine closes the spider, for whatever reason; it waits for pages in flight."""
        return getattr(_slot(self._crawler()), "closing", None) is not None

    def put_back(self, request: Request) -> None:
        """Return a leased request to the queue; its attempt does not count."""
        if (engine := self._engine) is not None:
            engine.crawl(request.replace(dont_filter=True))

    def slot_key(self, request: Request) -> str:
        """Return the politeness key of *request*, by which the downloader spaces requests."""
        engine = self._engine
        assert engine is not None
        key: str = engine.downloader.get_slot_key(request)
        return key

    async def download(self, request: Request) -> Response:
        """Return the response to a request that does not come from the queue; may raise anything."""
        engine = self._engine
        if engine is None:
            raise RuntimeError("the crawl has no engine")
        return await engine.download_async(request)

    def cannot_start(self, error: Exception) -> CloseSpider:
        """Record why the crawl cannot start; return the exception to raise.

        Any other exception would leave the crawl half open, and Scrapy would close it with a
        traceback of its own.
        """
        self.start_error = error
        logger.error(_("The run cannot start: %(error)s"), {"error": described(error)})
        return CloseSpider(CANNOT_START)

    def lose_store(self, error: Exception) -> None:
        """Stop the crawl, once: its pages can be kept nowhere."""
        if not self.store_lost:
            self.store_lost = True
            logger.error(
                _("The crawl stops, its pages cannot be kept: %(error)s"),
                {"error": str(error) or described(error)},
            )
            self.stop(STORE_LOST)

    def go_offline(self, message: str) -> None:
        """Stop the crawl because there is no network; *message* names what was tried."""
        if not self.offline:
            self.offline = message
            logger.error(_("The crawl stops: %(message)s"), {"message": message})
            self.stop(OFFLINE)

    def lose_frontier(self, error: Exception, advice: str = "") -> None:
        """Stop the crawl: its links can be queued nowhere.  *advice* is for the user."""
        self.frontier_problem = located(described(error), error) + advice
        logger.error(
            _("The crawl stops, its queue cannot be used: %(error)s"),
            {"error": self.frontier_problem},
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
