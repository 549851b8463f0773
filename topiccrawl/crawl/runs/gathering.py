"""The present state of a crawl, gathered from its session."""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.account.waiting import Wait, waiting
from topiccrawl.crawl.runs.commandline import shown_command
from topiccrawl.crawl.runs.folder import machine
from topiccrawl.crawl.runs.state import CurvePoint, HeadLink, HostState, LogEntry, Phase, RunState
from topiccrawl.language import _
from topiccrawl.reporting.markup import clean
from topiccrawl.store.uri import masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.frontier.contract import FrontierSize

#: Points of the harvest curve: more than a chart of 360 px shows.
_CURVE_POINTS: Final = 240
#: Best links, hosts and problems that are shown: a screen of each.
_HEAD_LINKS: Final = 20
_HOSTS: Final = 30
_PROBLEMS: Final = 20
#: Hosts that are counted; beyond, the half with the fewest pages is forgotten (a guess).
_MOST_HOSTS: Final = 5_000
#: Seconds over which the speed is taken.
_SPEED_SECONDS: Final = 60.0
_LONGEST_URL: Final = 500


class Curve:
    """The harvest curve: at most *most* points, evenly spaced in pages."""

    def __init__(self, most: int = _CURVE_POINTS) -> None:
        self._most = most
        self._step = 1
        self._points: list[CurvePoint] = []

    def add(self, pages: int, relevant: int, seconds: float) -> None:
        """Add a point if enough pages were fetched since the last one."""
        if self._points and pages < self._points[-1][0] + self._step:
            return
        self._points.append((pages, relevant, round(seconds, 1)))
        if len(self._points) > self._most:
            self._points = self._points[::2]
            first, last = self._points[0][0], self._points[-1][0]
            self._step = max(1, 2 * (last - first) // self._most)

    def points(self, pages: int, relevant: int, seconds: float) -> tuple[CurvePoint, ...]:
        """Return the points, and the present one as the last."""
        now = (pages, relevant, round(seconds, 1))
        if self._points and self._points[-1][0] == pages:
            return (*self._points[:-1], now)
        return (*self._points, now)


class HostCounts:
    """Counts of responses, kept pages and errors by host, of bounded size."""

    def __init__(self, most: int = _MOST_HOSTS) -> None:
        self._most = most
        self._counts: dict[str, list[int]] = {}

    def add(self, host: str, *, pages: int = 0, kept: int = 0, errors: int = 0) -> None:
        """Add counts of *host*."""
        counts = self._counts.get(host)
        if counts is None:
            if len(self._counts) >= self._most:
                best = sorted(self._counts.items(), key=lambda it: -it[1][0])
                self._counts = dict(best[: self._most // 2])
            counts = self._counts[host] = [0, 0, 0]
        counts[0] += pages
        counts[1] += kept
        counts[2] += errors

    def states(self, slots: Mapping[str, tuple[float, int]], most: int) -> list[HostState]:
        """Return the hosts in work and those with the most pages; *slots*: delay and open requests."""
        names = {*self._counts, *slots}

        def rank(host: str) -> tuple[bool, int, str]:
            active = slots.get(host, (0.0, 0))[1]
            return not active, -self._counts.get(host, [0])[0], host

        found = []
        for host in sorted(names, key=rank)[:most]:
            pages, kept, errors = self._counts.get(host, (0, 0, 0))
            delay, active = slots.get(host, (0.0, 0))
            found.append(HostState(host[:_LONGEST_URL], pages, kept, errors, delay, active))
        return found


class ProblemHandler(logging.Handler):
    """Keeps the last warnings and errors."""

    def __init__(self, most: int = _PROBLEMS) -> None:
        super().__init__(logging.WARNING)
        self.entries: deque[LogEntry] = deque(maxlen=most)
        self.errors = 0
        self.warnings = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record's message in one line."""
        if record.levelno >= logging.ERROR:
            self.errors += 1
        else:
            self.warnings += 1
        try:
            message = record.getMessage()
        except Exception:
            message = str(record.msg)
        if record.exc_info and record.exc_info[1] is not None:
            message = f"{message}: {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        entry = LogEntry(record.created, record.levelname, record.name, clean(message, 500))
        self.entries.append(entry)


class RunGatherer:
    """Gathers the state of the crawl of *session*."""

    def __init__(
        self, session: CrawlSession, spider: str, command: Sequence[str], interval: float
    ) -> None:
        self._session = session
        self._began = time.monotonic()
        self._speeds: deque[tuple[float, int]] = deque()
        self._size: FrontierSize | None = None
        self.curve = Curve()
        self.hosts = HostCounts()
        self.problems = ProblemHandler()
        started = session.started_at.timestamp()
        self._first = RunState(
            run=session.id,
            topic=session.topic.name,
            pid=os.getpid(),
            machine=machine(),
            started_at=started,
            updated_at=time.time(),
            phase="starting",
            spider=spider,
            launch=os.environ.get("TOPICCRAWL_LAUNCH", "")[:100],
            command=shown_command(command),
            store=masked(session.settings.store_uri),
            interval=interval,
        )

    def _waits_for(self, wait: Wait | None) -> str:
        if self._size is not None and self._size.away:
            return _("the server of the queue is away")
        return "" if wait is None else str(wait)

    def starting(self) -> RunState:
        """Return the state of a crawl whose queue is not open yet."""
        return self._first

    def present(
        self, phase: Phase, slots: Mapping[str, tuple[float, int]] | None, *, reason: str = ""
    ) -> RunState:
        """Return the state now; with *slots* (while somebody looks) also best links and hosts.

        With a *reason*, the queue is closed already.
        """
        session, progress = self._session, self._session.progress
        elapsed = time.monotonic() - self._began
        self.curve.add(progress.pages, progress.relevant, elapsed)
        wait = None
        if not reason:
            self.remember_size()
            if phase == "running" and not session.network.lost:
                wait = waiting(session.frontier, session.clock(), session.windows.opens_at)
        size = self._size
        return replace(
            self._first,
            updated_at=time.time(),
            phase="waiting" if wait is not None else phase,
            stop_reason=reason,
            pages=progress.pages,
            relevant=progress.relevant,
            stored=progress.stored,
            copies=progress.copies,
            left=progress.withdrawn,
            entered=progress.entered,
            visits=0 if session.visits is None else session.visits.counts.visited,
            dropped=progress.dropped,
            failed=progress.failed,
            speed=0.0 if reason else round(self._speed(elapsed, progress.pages), 3),
            queued=size.queued if size else 0,
            delayed=size.delayed if size else 0,
            leased=size.leased if size else 0,
            done=size.done if size else 0,
            given_up=size.given_up if size else 0,
            queue_hosts=size.hosts if size else 0,
            waits_for=self._waits_for(wait),
            error_lines=self.problems.errors,
            warning_lines=self.problems.warnings,
            curve=self.curve.points(progress.pages, progress.relevant, elapsed),
            problems=tuple(self.problems.entries),
            head=tuple(self._head()) if slots is not None else (),
            hosts=tuple(self.hosts.states(slots, _HOSTS)) if slots is not None else (),
        )

    def remember_size(self) -> None:
        """Read the size of the queue, which is closed before the last state is written."""
        self._size = self._session.frontier.size()

    @property
    def links_done(self) -> int:
        """Links of the queue that are done, when its size was read last."""
        return self._size.done if self._size is not None else 0

    def _speed(self, now: float, pages: int) -> float:
        self._speeds.append((now, pages))
        while len(self._speeds) > 2 and self._speeds[0][0] < now - _SPEED_SECONDS:
            self._speeds.popleft()
        since, before = self._speeds[0]
        return (pages - before) / (now - since) if now > since else 0.0

    def _head(self) -> Iterable[HeadLink]:
        for link in self._session.frontier.best(_HEAD_LINKS):
            evidence = link.evidence
            yield HeadLink(
                url=link.url[:_LONGEST_URL],
                host=link.host[:_LONGEST_URL],
                score=evidence.score,
                anchor=clean(evidence.anchor, 100),
                parent=(evidence.parent or "")[:_LONGEST_URL],
                depth=evidence.depth,
                found_by=clean(evidence.found_by, 200),
                parts=dict(list(evidence.parts.items())[:12]),
            )
