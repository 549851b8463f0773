"""RunControl: writes the state of the crawl for others to see, and pauses or stops it when asked.

The state is in a folder beside the queue (:mod:`topiccrawl.crawl.runs.folder`).  Details that cost more
than counters, the best waiting links and the hosts, are written only while somebody looks at them.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import AsyncioLoopingCall

from topiccrawl.commandline.jsonlogs import JsonFormatter
from topiccrawl.crawl.runs.folder import RunFiles, crawls_folder, sweep
from topiccrawl.crawl.runs.gathering import RunGatherer
from topiccrawl.crawl.session.current import required_session
from topiccrawl.endings import STOPPED, stop_sentence
from topiccrawl.errors import system_reason
from topiccrawl.language import _
from topiccrawl.sharedfiles import HeldLock
from topiccrawl.signals import connected
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.runs.state import Phase, RunState
    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.items import PageItem

logger = logging.getLogger(__name__)

#: Before the session is opened, so that the state is there while a long journal is read.
CONTROL_ORDER: Final = 40
#: Bytes of the log in one file, of at most two (a choice: some 10,000 lines).
_LOG_BYTES: Final = 2_000_000


class RunControl:
    """One for each crawl that stores something."""

    def __init__(self, crawler: Crawler, session: CrawlSession) -> None:
        settings = session.settings.operation
        self._crawler = crawler
        self._session = session
        self._interval = settings.control_seconds
        folder = crawls_folder(
            session.settings.store_uri, session.settings.frontier_dir, settings.control_dir
        )
        self._files = RunFiles(folder, session.id)
        self._named = f"TOPICCRAWL_CONTROL_DIR {folder}" if settings.control_dir else folder
        spider = crawler.spider.name if crawler.spider is not None else ""
        self._gatherer = RunGatherer(session, spider, sys.argv[1:], self._interval)
        self._lock: HeldLock | None = None
        self._log: _RunLog | None = None
        self._loop = AsyncioLoopingCall(self._look)
        self._reason = ""
        self._started = False
        self._failed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off without a topic, and for a trial run that stores nothing."""
        session = required_session(crawler)
        settings = session.settings
        if not settings.operation.control or not (settings.store_uri or settings.frontier_dir):
            raise NotConfigured  # without a message: Scrapy would log a warning
        control = cls(crawler, session)
        return connected(control, crawler)

    def spider_opened(self) -> None:
        """Take the lock, write the first state, and start the timer."""
        folder = self._files.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            sweep(folder)
            self._lock = HeldLock(self._files.path(".lock"))
            self._log = _RunLog(
                self._files.path(".log"), maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8"
            )
            self._files.write(self._gatherer.starting())
        except OSError as error:
            # The crawl goes on: it cannot be seen, and can be stopped by a signal.
            logger.warning(
                _("The state of the crawl cannot be written to %(folder)s: %(error)s"),
                {"folder": self._named, "error": system_reason(error)},
            )
            self._end()
            return
        self._log.setLevel(max(logging.INFO, _level(self._crawler)))
        formatter = JsonFormatter()
        formatter.context.update(topic=self._session.topic.name, run=self._session.id)
        self._log.setFormatter(formatter)
        logging.getLogger().addHandler(self._log)
        logging.getLogger().addHandler(self._gatherer.problems)
        self._loop.start(self._interval, now=False)

    def engine_started(self) -> None:
        """From now on the crawl can be paused and stopped."""
        self._started = True

    def response_received(self, response: Response, request: Request) -> None:
        """Count a response of its host."""
        self._gatherer.hosts.add(host_of(request.url), pages=1, errors=int(response.status >= 400))

    def item_scraped(self, item: PageItem) -> None:
        """Count a kept page of its host."""
        self._gatherer.hosts.add(str(getattr(item, "site", "")), kept=1)

    def request_failed(self, request: Request, error: BaseException | None) -> None:
        """Count a request that got no response."""
        if getattr(error, "response", None) is None:
            self._gatherer.hosts.add(host_of(request.url), errors=1)

    def spider_closed(self, reason: str) -> None:
        """Keep for the last state what is known only now."""
        self._reason = reason
        self._gatherer.remember_size()

    def session_closed(self) -> None:
        """Write the last state: nothing changes any more."""
        self._loop.stop()
        if self._lock is not None:
            pages, done = self._session.progress.pages, self._gatherer.links_done
            reason = stop_sentence(self._reason, pages, done)
            self._write(self._gatherer.present("ended", None, reason=reason or "ended"))

    def engine_stopped(self) -> None:
        """Release lock and log."""
        self._loop.stop()
        self._end()

    def _end(self) -> None:
        root = logging.getLogger()
        root.removeHandler(self._gatherer.problems)
        if self._log is not None:
            root.removeHandler(self._log)
            with contextlib.suppress(OSError):  # a full disk, which the log has reported
                self._log.close()
            self._log = None
        if self._lock is not None:
            self._lock.release()

    def _look(self) -> None:
        if self._started:
            self._obey()
            slots = self._slots() if self._files.watched else None
            self._write(self._gatherer.present(self._phase(), slots))

    def _obey(self) -> None:
        control = self._session.control
        wanted = self._files.wanted
        if wanted == "stop":
            if not control.stopping:
                logger.info(_("The crawl stops: it was asked to by the console or `scrapy crawls`"))
                control.stop(STOPPED)
        elif wanted == "pause" and not control.paused:
            logger.info(_("The crawl pauses"))
            control.pause()
        elif wanted == "run" and control.paused:
            logger.info(_("The crawl goes on"))
            control.go_on()

    def _phase(self) -> Phase:
        if self._session.control.stopping:
            return "stopping"
        return "paused" if self._session.control.paused else "running"

    def _slots(self) -> dict[str, tuple[float, int]]:
        """Return delay and number of open requests of the hosts in work."""
        engine = self._crawler.engine
        found = {} if engine is None else engine.downloader.slots
        return {host: (slot.delay, len(slot.active)) for host, slot in list(found.items())}

    def _write(self, state: RunState) -> None:
        """Write the state; a full disk is reported once.

        In the event loop: the file has some kilobytes and is not flushed, and a thread costs more.
        """
        try:
            self._files.write(state)
        except OSError as error:
            if not self._failed:
                self._failed = True
                logger.warning(
                    _("The state of the crawl cannot be written to %(folder)s: %(error)s"),
                    {"folder": self._named, "error": system_reason(error)},
                )


class _RunLog(RotatingFileHandler):
    """The log that viewers read; what it cannot write is in the crawl's own log."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - of the library
        """Print nothing about a full disk: the log is for display only."""


def _level(crawler: Crawler) -> int:
    level = logging.getLevelName(str(crawler.settings.get("LOG_LEVEL", "INFO")).upper())
    return level if isinstance(level, int) else logging.INFO
