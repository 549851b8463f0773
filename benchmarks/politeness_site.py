"""A site on loopback that records how politely it is crawled, and checks the record.

``PolitenessSite`` is an HTTP proxy that answers for the hosts of a :class:`KnownWeb`; crawlers reach it
with ``http_proxy=http://127.0.0.1:PORT``.  It records when each request line was read, on one clock for
all hosts and all crawlers, and can refuse (429, 503) with or without Retry-After, answer late, ask for a
Crawl-delay, and break connections.  ``violations`` lists the requests that were not allowed:

    with PolitenessSite(KnownWeb(60, 4, crawl_delay=0.5), rules) as site:
        ...  # crawl, with as many workers as you like
    assert not violations(site.visits, delay=0.5)
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from benchmarks.known_web import KnownWeb
from topiccrawl.politeness.backoff import REFUSALS
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.webserver.threaded import ThreadedServer

#: Status of a visit whose connection is closed without an answer.
BROKEN = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer of a host instead of the page."""

    status: int = 503
    """429, 503, ...; ``BROKEN`` closes the connection."""
    retry_after: str = ""
    """Value of the header; empty for none."""


#: (host, path, number of earlier requests to the host) -> refusal, ``None`` for the page.
Rules = Callable[[str, str, int], Refusal | None]


@dataclass(slots=True)
class Visit:
    """One request as the site saw it; times are on the monotonic clock."""

    host: str
    path: str
    arrived: float
    """Moment at which the request line was read."""
    at: float
    """The same moment in seconds since the epoch, for time windows."""
    beside: int
    """Requests to the host that were being served at that moment."""
    answered: float = float("inf")
    """Moment at which the first byte of the answer was written."""
    status: int = BROKEN
    pause: float = 0.0
    """Seconds in the answer's Retry-After."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A request that was not allowed."""

    rule: str
    """``delay``, ``concurrency``, ``retry-after`` or ``window``."""
    host: str
    path: str
    detail: str


def violations(
    visits: Iterable[Visit],
    delay: float | Mapping[str, float] = 0.0,
    concurrency: int = 1,
    windows: HostWindows | None = None,
    retry_after_max: float = 3600.0,
) -> list[Violation]:
    """Return each violation, in order of arrival at each host; robots.txt counts like any page.

    ``delay``: a request arrived less than *delay* seconds (of its host, if a mapping) after the one
    before it.  ``concurrency``: *concurrency* others were being served.  ``retry-after``: it arrived
    before a pause was over that the host had asked for.  ``window``: the host was closed.
    """
    found: list[Violation] = []
    by_host: dict[str, list[Visit]] = defaultdict(list)
    for visit in sorted(visits, key=lambda v: v.arrived):
        by_host[visit.host].append(visit)
    for host, seen in by_host.items():
        least = delay if isinstance(delay, int | float) else delay.get(host, 0.0)
        paused_until = float("-inf")
        for i, visit in enumerate(seen):

            def note(rule: str, detail: str, visit: Visit = visit) -> None:
                found.append(Violation(rule, visit.host, visit.path, detail))

            if i and (gap := visit.arrived - seen[i - 1].arrived) < least:
                note("delay", f"{gap:.4f} s after {seen[i - 1].path}, {least:g} s were due")
            if visit.beside >= concurrency:
                note("concurrency", f"beside {visit.beside} others")
            if visit.arrived < paused_until:
                note("retry-after", f"{paused_until - visit.arrived:.3f} s too early")
            if windows is not None and (opens := windows.opens_at(host, visit.at)) is not None:
                note("window", f"{opens - visit.at:.1f} s before it opened")
            if visit.pause:
                pause = min(visit.pause, retry_after_max)
                paused_until = max(paused_until, visit.answered + pause)
    return found


class PolitenessSite(ThreadedServer):
    """The site in a separate thread; a context manager that serves while it is entered."""

    def __init__(self, web: KnownWeb, rules: Rules = lambda host, path, before: None) -> None:
        """*web* makes the pages and determines their latency."""
        super().__init__("politeness-site")
        self.web = web
        self.visits: list[Visit] = []
        self.url = ""
        self._rules = rules
        self._open: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def pages(self) -> set[str]:
        """Paths with hosts that were asked for and answered with 200, robots.txt left out."""
        return {
            f"http://{v.host}{v.path}"
            for v in self.visits
            if v.status == 200 and v.path != "/robots.txt"
        }

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._client, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await self._until_stopped()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with contextlib.suppress(
            ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError
        ):
            while line := await reader.readline():
                arrived, at = time.monotonic(), time.time()
                await reader.readuntil(b"\r\n\r\n")
                if not await self._answer(line.decode("latin-1").split(" "), arrived, at, writer):
                    break
        writer.close()

    async def _answer(
        self, parts: Sequence[str], arrived: float, at: float, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; whether the connection stays open."""
        target = urlsplit(parts[1] if len(parts) == 3 else "")
        host, path = target.hostname or "", target.path or "/"
        if target.scheme != "http" or host not in self.web.hosts:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return True
        visit = Visit(host, path, arrived, at, self._open[host])
        self.visits.append(visit)
        refusal = self._rules(host, path, self._before[host])
        self._before[host] += 1
        self._open[host] += 1
        try:
            page = self.web.answer(parts[1])
            assert page is not None
            await asyncio.sleep(page.delay_seconds)
            visit.answered = time.monotonic()
            if refusal is None:
                writer.write(_answer(page.status, page.content_type, page.body))
                visit.status = page.status
            elif refusal.status == BROKEN:
                return False
            else:
                more = f"Retry-After: {refusal.retry_after}\r\n" if refusal.retry_after else ""
                writer.write(_answer(refusal.status, "text/plain", b"not now", more))
                visit.status = refusal.status
                if refusal.status in REFUSALS and refusal.retry_after.isdigit():
                    visit.pause = float(refusal.retry_after)
            await writer.drain()
        finally:
            self._open[host] -= 1
        return True


def _answer(status: int, content_type: str, body: bytes, more: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status} Status\r\nContent-Type: {content_type}\r\n{more}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("latin-1") + body
