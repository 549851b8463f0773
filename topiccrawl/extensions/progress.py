"""ProgressReporter: logs the progress of the crawl once a minute, live on a terminal, and at the end.

A crawl that can do nothing but wait (for the next try of pages that failed, for paused hosts) says so
once, with the time at which it goes on.  The end of a crawl can take minutes, when the store is slow: it
is logged what is left to do.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Self

from scrapy.utils.asyncio import AsyncioLoopingCall

from topiccrawl.crawl.account.waiting import Wait, local_time, waiting
from topiccrawl.crawl.session.current import required_session
from topiccrawl.endings import stop_sentence
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _, labeled, ngettext
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.crawl.settings.store import Live

logger = logging.getLogger(__name__)

#: Seconds between two redraws of the live line (a guess: fast enough to look alive, at no cost).
_LIVE_SECONDS = 0.5
#: Seconds between two looks at whether the crawl waits, and at its speed.  Two looks must agree, hence
#: more than the engine's heartbeat of 5 s, after which it takes up what has become ready.
_LOOK_SECONDS = 6.0
#: Looks over which the present speed is taken: the last minute.
_LOOKS = 10
#: A wait that ends less than so many seconds after the one that was logged is not logged (a guess).
_MUCH_LATER_SECONDS = 60.0
#: Seconds between two lines about the end of the crawl (a choice).
_CLOSING_SECONDS = 10.0
#: To the first column, and erase the line (ECMA-48: CR, EL).
_CLEAR_LINE = "\r\x1b[2K"


class ProgressReporter:
    """Logs progress; the numbers are those of :class:`topiccrawl.crawl.progress.CrawlProgress`."""

    def __init__(self, session: CrawlSession, interval: float, live: Live) -> None:
        self._session = session
        self._live = live == "on" or (live == "auto" and sys.stderr.isatty())
        self._started = time.monotonic()
        self._loops = [
            (AsyncioLoopingCall(self._log_progress), interval),
            (AsyncioLoopingCall(self.look), _LOOK_SECONDS),
        ]
        if self._live:
            self._loops.append((AsyncioLoopingCall(self._draw), _LIVE_SECONDS))
        self._closing = AsyncioLoopingCall(self._log_closing)
        self._last: tuple[str, str, int] | None = None
        """The last line, the reason for closing, and the links of the queue that are done."""
        self._looks: deque[tuple[float, int]] = deque(maxlen=_LOOKS)
        """Time and number of pages at the last looks."""
        self._wait: Wait | None = None
        """What the crawl waited for at the last look."""
        self._logged_until = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        session = required_session(crawler)
        settings = session.settings
        reporter = cls(session, settings.progress_interval_seconds, settings.live)
        return connected(reporter, crawler)

    def spider_opened(self) -> None:
        """Log the topic and start the timers."""
        topic = self._session.topic
        logger.info(
            _(
                "Topic %(topic)s: keywords %(terms)d, samples %(samples)d, seeds %(seeds)d, "
                "threshold %(threshold).3f, strategy %(strategy)s, run %(run)s"
            ),
            {
                "topic": topic.name,
                "terms": len(topic.definition.keywords),
                "samples": len(topic.definition.samples),
                "seeds": len(topic.definition.seeds),
                "threshold": topic.threshold,
                "strategy": self._session.settings.strategy,
                "run": self._session.id,
            },
        )
        self._started = time.monotonic()
        if self._live:
            _clear_line_before_log_records()
            self._draw()
        for loop, seconds in (*self._loops, (self._closing, _CLOSING_SECONDS)):
            loop.start(seconds, now=False)

    def spider_closed(self, reason: str) -> None:
        """Stop the timers."""
        # The frontier closes with the spider.
        self._last = (self.line(whole=True), reason, self._session.frontier.size().done)
        for loop, _seconds in self._loops:
            loop.stop()
        if self._live:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()

    def session_closed(self) -> None:
        """Log the summary: only now no page is judged again any more."""
        self._closing.stop()
        if self._last is None:
            return
        progress = self._session.progress
        line, reason, done = self._last
        reason = self._session.ending(reason)
        classifier = self._session.judging.classifier
        if classifier.learned:
            logger.info(
                _(
                    "Page classifier: learned from %(pages)d pages; a page is kept from a "
                    "probability of %(threshold).2f on"
                ),
                {"pages": classifier.learned_from, "threshold": classifier.threshold},
            )
        logger.info(
            _(
                "Summary: %(line)s; %(again)sdropped %(dropped)d, failed %(failed)d. Stopped "
                "because %(why)s."
            ),
            {
                "line": line,
                "again": _later_changes(progress),
                "dropped": progress.dropped,
                "failed": progress.failed,
                "why": _(stop_sentence(reason, progress.pages, done)),
            },
        )

    def line(self, *, whole: bool = False) -> str:
        """Return the progress in one line, with the speed of the last minute or of the *whole* run."""
        progress, size = self._session.progress, self._session.frontier.size()
        line = ngettext(
            "{pages} page, {stored} stored, harvest rate {rate:.1%} as first judged, queue {queued} on "
            "{hosts} hosts",
            "{pages} pages, {stored} stored, harvest rate {rate:.1%} as first judged, queue {queued} on "
            "{hosts} hosts",
            progress.pages,
        ).format(
            pages=progress.pages,
            stored=progress.stored,
            rate=progress.harvest_rate,
            queued=size.queued + size.delayed,
            hosts=size.hosts,
        )
        if progress.copies:
            copies = ngettext("{line}, {copies} copy", "{line}, {copies} copies", progress.copies)
            line = copies.format(line=line, copies=progress.copies)
        visits = self._session.visits
        if visits is not None and visits.counts.visited:
            line = ngettext(
                "{line}, {visits} revisit", "{line}, {visits} revisits", visits.counts.visited
            ).format(line=line, visits=visits.counts.visited)
        if self._session.store is not None and self._session.store.away:
            line = _("{line}, the store is away").format(line=line)
        if size.away:
            now = _("the server of the queue is away")
        elif self._wait is not None and not whole:
            now = _("waiting until {time}").format(time=local_time(self._wait.until))
        else:
            since, pages = (self._started, 0) if whole or not self._looks else self._looks[0]
            elapsed = max(time.monotonic() - since, 1e-9)
            now = _("{speed:.1f} pages/s").format(speed=(progress.pages - pages) / elapsed)
        return _("{line}, {now}").format(line=line, now=now)

    def look(self) -> None:
        """Notice whether the crawl waits, and log it when two looks in a row agree."""
        self._looks.append((time.monotonic(), self._session.progress.pages))
        if self._session.network.lost:  # which was logged
            self._wait = None
            return
        session = self._session
        found = waiting(session.frontier, session.clock(), session.windows.opens_at)
        before, self._wait = self._wait, found
        if self._wait is None or before is None:
            return
        if self._wait.until < self._logged_until + _MUCH_LATER_SECONDS:
            return
        self._logged_until = self._wait.until
        if not frontier_backend(self._session.settings).keeps_queue():
            logger.info(_("Waiting: %(wait)s. Ctrl-C ends the run now"), {"wait": self._wait})
            return
        logger.info(
            _("Waiting: %(wait)s. Ctrl-C ends the run now, and the queue is kept"),
            {"wait": self._wait},
        )

    def closing_line(self) -> str:
        """Return what is left to do in a crawl that closes."""
        store = self._session.store
        if store is None or not store.unwritten:
            return _("pages are judged and compared for the last time")
        if store.away:
            return _("the store is away")
        return ngettext(
            "{n} record is still to be written to the store",
            "{n} records are still to be written to the store",
            store.unwritten,
        ).format(n=store.unwritten)

    def _log_closing(self) -> None:
        if self._last is not None or self._session.control.stopping:
            logger.info(_("Closing: %(line)s"), {"line": self.closing_line()})

    def _log_progress(self) -> None:
        logger.info(_("Progress: %(line)s"), {"line": self.line()})

    def _draw(self) -> None:
        sys.stderr.write(_CLEAR_LINE + labeled(self._session.topic.name, self.line()))
        sys.stderr.flush()


def _later_changes(progress: CrawlProgress) -> str:
    """Return the changes of the listed pages by later judgments and comparisons; nothing without any."""
    text = ""
    if progress.withdrawn or progress.entered:
        text += _("judged again: {left} left, {entered} entered; ").format(
            left=progress.withdrawn, entered=progress.entered
        )
    if progress.joined or progress.freed:
        text += _("compared again: {joined} became copies, {freed} are none any more; ").format(
            joined=progress.joined, freed=progress.freed
        )
    return text


class _ClearLine(logging.Filter):
    """Wipes the live line before a log record is written over it."""

    def filter(self, record: logging.LogRecord) -> bool:
        sys.stderr.write(_CLEAR_LINE)
        return True


def _clear_line_before_log_records() -> None:
    for handler in logging.root.handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(
            handler, logging.FileHandler
        ):
            handler.addFilter(_ClearLine())
