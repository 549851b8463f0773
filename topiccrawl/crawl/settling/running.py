"""Settling while a crawl runs, and at its end."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.copies.stories import StoryRule
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.crawl.settling.settling import Settled, StoringCrawl, settle
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.language import _, ngettext
from topiccrawl.store.contract import StoreUnavailable

if TYPE_CHECKING:
    from topiccrawl.crawl.control import CrawlControl
    from topiccrawl.crawl.copies.rule import CopyRule
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: Seconds between two passes (a choice: what the user sees in the middle of a crawl is that old).
_EVERY_SECONDS: Final = 10.0
#: Seconds that the end of a crawl takes for settling, at most: the next run, or ``scrapy stories
#: --update``, does the rest (a choice).
_END_SECONDS: Final = 60.0
#: Times that the end of a crawl tries to lead, and the seconds between: the worker that leads may be about
#: to end.
_LEAD_TRIES: Final = 50
_LEAD_SECONDS: Final = 0.1


class Settling:
    """Calls :func:`~topiccrawl.crawl.settling.settling.settle` for a crawl; of several workers, one does.

    What the store refuses or cannot do now is left to the next pass.  Changes of
    the listed pages are counted in *progress*, too.
    """

    def __init__(
        self,
        writer: StoreWriter | None,
        rule: CopyRule,
        leads: Callable[[], bool],
        control: CrawlControl,
        progress: CrawlProgress | None = None,
    ) -> None:
        self._writer = writer
        self._rule = rule if isinstance(rule, StoryRule) else None
        self._leads = leads
        self._control = control
        self._progress = progress or CrawlProgress()
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._ending = False

    def start(self) -> None:
        """Settle in the background, every few seconds."""
        if self._rule is not None and self._writer is not None:
            self._task = asyncio.create_task(self._run(), name="settling")

    def wake(self) -> None:
        """Begin the next pass soon: pages have left or entered the collection."""
        self._wanted.set()

    async def finish(self) -> None:
        """End what runs in the background, and settle what is left."""
        self._ending = True
        self._wanted.set()
        if self._task is not None:
            await self._task
            self._task = None
        if self._rule is None:
            return
        for __ in range(_LEAD_TRIES):
            if self._leads():
                break
            await asyncio.sleep(_LEAD_SECONDS)
        until = time.monotonic() + _END_SECONDS
        await self._pass(lambda: time.monotonic() < until and self._leads(), patience=_END_SECONDS)
        await self._log_rest()

    async def _run(self) -> None:
        while not self._ending:
            if self._leads():
                await self._pass(lambda: not self._ending and self._leads())
            with suppress(TimeoutError):
                async with asyncio.timeout(_EVERY_SECONDS):
                    await self._wanted.wait()
                    self._wanted.clear()

    async def _pass(self, may_go_on: Callable[[], bool], patience: float = 0.0) -> None:
        writer, rule = self._writer, self._rule
        if writer is None or rule is None or not writer.can_read:
            return
        before = Settled()

        def count(done: Settled) -> None:
            nonlocal before
            counts = {
                "settled/compared": done.compared - before.compared,
                "settled/joined": done.joined - before.joined,
                "settled/freed": done.freed - before.freed,
                "settled/failed": done.failed - before.failed,
            }
            for name, number in counts.items():
                if number:
                    self._control.count(name, number)
            self._progress.joined += done.joined - before.joined
            self._progress.freed += done.freed - before.freed
            before = replace(done)

        try:
            await settle(
                writer.store,
                writer.topic,
                signer=await rule.signer.loaded(),
                crawl=StoringCrawl(rule.in_flight, rule.prepared, writer.outcomes_lock),
                patience=patience,
                may_go_on=may_go_on,
                on_progress=count,
            )
        except StoreUnavailable as error:
            logger.warning(_("Stories cannot be brought up to date yet: %(e)s"), {"e": error})
        except Exception:
            # The pages are stored; the next pass compares them.
            logger.exception("Settling failed")

    async def _log_rest(self) -> None:
        """Log how many pages are left to compare: an old store may have very many."""
        writer = self._writer
        if writer is None or not writer.can_read:
            return
        try:
            left = await writer.store.count_uncompared(writer.topic, METHOD)
        except Exception as error:  # only a number for the log
            logger.debug("Pages left to compare cannot be counted: %s", error)
            return
        if left:
            logger.info(
                ngettext(
                    "%(left)d page is still to be compared with others; the next run goes on, or: "
                    "scrapy stories %(topic)s --update",
                    "%(left)d pages are still to be compared with others; the next run goes on, or: "
                    "scrapy stories %(topic)s --update",
                    left,
                ),
                {"left": left, "topic": writer.topic},
            )
