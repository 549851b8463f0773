"""Trial runs of large pages in a process of their own, before they may take the crawler's time.

The parser is C code that no signal interrupts, and the crawler is one thread: a page that takes minutes
would stop all requests, and SIGTERM would wait, too. Bounds on pages (:mod:`topiccrawl.page.bounds`)
keep all known kinds of such pages linear; the trial is for the unknown ones.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeVar

from topiccrawl import details
from topiccrawl.children import Child
from topiccrawl.crawl.requests.refused import AnalysisCrash, AnalysisTimeout
from topiccrawl.heap import HeapTrimmer, map_large_blocks
from topiccrawl.language import _
from topiccrawl.page.page import Page
from topiccrawl.page.trial import PASSED

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: Pages of at least this many bytes or tags have a trial. A page below takes under half a second (the
#: worst of tests/support/hostile_pages.py, 2026-11); of 122 real pages with 113 KB on average two are
#: above.
TRIAL_BYTES = 400_000
TRIAL_TAGS = 15_000
#: Memory that the trial of one page may take: the worst pages take 200 MB (2026-11).
_MEGABYTES = 400
#: Real seconds per CPU second after which a trial is given up: the machine may be busy, but a process
#: that was stopped never answers (a guess).
_PATIENCE = 20.0
#: Real seconds for the process to start (a guess; it takes half a second).
_START_SECONDS = 60.0
#: Most pages that wait for their trial or have it, and at most half of CONCURRENT_REQUESTS.  Each keeps
#: one of the crawl's connections and its body: with 32 of up to 4 MB waiting, other pages were asked for
#: only when one was done (hostile crawl, 2026-11).
_WAITING_PAGES = 8
#: Seconds that a trial is expected to take at first (2026-11: half a second to three).
_USUAL_SECONDS = 1.0
#: Share of the latest trial in the expected time (a guess).
_LATEST_SHARE = 0.2
#: Longest time until a page that cannot wait is fetched again, in seconds (a guess).
_LONGEST_SECONDS = 600.0


class Turns:
    """Pages that wait until another process has time for them, one after the other.

    Pages that wait keep half of *concurrency*, the requests of the crawl at a time, at most.
    """

    def __init__(self, concurrency: int) -> None:
        self._places = max(1, min(_WAITING_PAGES, concurrency // 2))
        self._waiting = 0
        self._usual = _USUAL_SECONDS
        self._promised = 0.0
        self._lock = asyncio.Lock()

    @property
    def crowded(self) -> bool:
        """Whether so many pages wait that a further one should be fetched again later."""
        return self._waiting >= self._places

    def turn(self) -> float:
        """Return in how many seconds a page that cannot wait may come again, each in its turn."""
        now = time.monotonic()
        self._promised = max(self._promised, now + self._places * self._usual) + self._usual
        return min(self._promised - now, _LONGEST_SECONDS)

    async def run(self, work: Callable[[], T], ended: Callable[[], bool]) -> T | None:
        """Return the result of *work*, done in a thread, ``None`` if the crawl has *ended* before."""
        return await self.take(lambda: asyncio.to_thread(work), ended)

    async def take(self, work: Callable[[], Awaitable[T]], ended: Callable[[], bool]) -> T | None:
        """Return the result of *work*, ``None`` if the crawl has *ended* before."""
        self._waiting += 1
        try:
            async with self._lock:
                if ended():
                    return None
                begun = time.monotonic()
                try:
                    return await work()
                finally:
                    self._usual += _LATEST_SHARE * (time.monotonic() - begun - self._usual)
        finally:
            self._waiting -= 1


class PageTrials:
    """Reads large pages in a child process, which is started when it is first needed.

    *seconds* of CPU time are for one page; 0 turns trials off.  *stopping* returns whether the crawl ends: nothing
    waits for a trial then.  *concurrency*: see :class:`Turns`.
    """

    #: Command of the child process; a page's seconds and megabytes follow.
    command: ClassVar[tuple[str, ...]] = (sys.executable, "-m", "topiccrawl.page.trial")

    def __init__(
        self,
        seconds: float,
        stopping: Callable[[], bool] = lambda: False,
        concurrency: int = 2 * _WAITING_PAGES,
    ) -> None:
        self._seconds = seconds
        self._stopping = stopping
        self.turns = Turns(concurrency)
        self._child = Child([*self.command, str(seconds), str(_MEGABYTES)], self._ended)
        self._heap = HeapTrimmer()
        map_large_blocks()
        self._closed = False

    def wanted(self, page: Page) -> bool:
        """Whether *page* is so large that it needs a trial."""
        raw = page.raw
        return self._seconds > 0 and (
            len(raw) >= TRIAL_BYTES or (len(raw) > TRIAL_TAGS and raw.count(b"<") >= TRIAL_TAGS)
        )

    async def run(self, page: Page) -> bool:
        """Read *page* in the child process; the event loop goes on meanwhile.

        Returns whether the page may be analyzed; ``False`` if the crawl ends meanwhile.
        Raises ``AnalysisTimeout`` if it takes longer than allowed. Raises ``AnalysisCrash`` if the process
        ends for another reason.
        """
        self._heap.large_page()
        await self.turns.run(lambda: self._try(page), self._ended)
        return not self._stopping()

    async def analyze(self, work: Callable[[Callable[[], bool]], Awaitable[None]]) -> bool:
        """Have a page analyzed elsewhere by *work*, in its turn; return whether it may be used.

        *work* is called with a function that returns whether the crawl ends.
        """
        self._heap.large_page()
        await self.turns.take(lambda: work(self._ended), self._ended)
        return not self._stopping()

    def close(self) -> None:
        """End the child process."""
        self._closed = True
        self._heap.close()
        self._child.stop()

    def _ended(self) -> bool:
        return self._closed or self._stopping()

    def _try(self, page: Page) -> None:
        try:
            answer = self._child.ask(
                page.arguments, page.raw, _PATIENCE * self._seconds + _START_SECONDS
            )
        except OSError as error:
            logger.warning(
                _("Large pages are analyzed without a trial: %(error)s"), {"error": error}
            )
            self._seconds = 0.0
            return
        if answer == PASSED:
            return
        status = self._child.status
        self._child.stop()
        if self._ended():
            return
        if status is None or status == -signal.SIGPROF:
            raise AnalysisTimeout(details.COSTLY(seconds=f"{self._seconds:g} s"))
        raise AnalysisCrash(details.CRASHED(status=status))
