"""Outcomes on their way into the store."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem

from topiccrawl.language import _
from topiccrawl.store.contract import OutcomeRecord, RunRecord, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from topiccrawl.crawl.control import CrawlControl
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)


class PageLostError(DropItem):
    """A page can be kept neither in the store nor in the spool; it is to be fetched again.

    The loss of the store was logged once; Scrapy logs each of its pages at a lower level.
    """

    def __init__(self) -> None:
        super().__init__("the store is lost", log_level="DEBUG")


class OutcomeWriter:
    """Writes the outcome of each URL; does nothing without an open store."""

    def __init__(self, store: StoreWriter | None, control: CrawlControl) -> None:
        """An outcome that can be kept nowhere stops the crawl through *control*."""
        self._store = store
        self._control = control
        self._tasks: set[asyncio.Future[None]] = set()

    async def write(self, outcome: OutcomeRecord) -> None:
        """Return when *outcome* is durable."""
        if self._store is None or not self._store.is_open:
            return
        try:
            await self._store.put(outcome)
        except StoreUnavailable as error:
            self._control.lose_store(error)
            # One line for all of them was logged above.
            self._control.count("store/lost_outcomes")

    def write_soon(self, outcome: OutcomeRecord) -> None:
        """Write *outcome* in the background: for callers that cannot wait."""
        self.soon(self.write(outcome))

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* in the background, which writes a record: for callers that cannot wait."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The loss of the store was logged by whoever noticed it.
            level = logging.DEBUG if isinstance(error, PageLostError) else logging.ERROR
            logger.log(level, "A record was not written in the background", exc_info=error)

    async def drain(self) -> None:
        """Wait for everything that is written in the background; what failed was logged."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def write_run(self, run: RunRecord) -> None:
        """Write the run's own record at its end."""
        if self._store is None:
            return
        try:
            await self._store.put(run)
        except StoreUnavailable as error:
            logger.error(_("The record of the run is lost: %(error)s"), {"error": error})
