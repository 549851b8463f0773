"""Latency and size of every view of the console, on requests with drawn arguments.

The console runs in a process of its own over the store.  Which views there are, it says itself: all GET
routes of all sections.  Parameters of paths are drawn from the links of the view that lists them, words,
pages, sites and periods from the stored pages.
"""

from __future__ import annotations

import gzip
import html
import http.client
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Final
from urllib.parse import quote, urlencode

from starlette.routing import Route

from topiccrawl.console.paths import topic_path
from topiccrawl.console.sections import sections
from topiccrawl.store.contract import Store
from topiccrawl.store.headlines import PageHeadline

#: Pages from which arguments are drawn.
_DRAWN_FROM: Final = 5_000
#: Seconds to wait until what is computed in the background is there.
_MOST_WAIT: Final = 3_600
#: Answers that say that something is still being read or computed.
_PENDING: Final = re.compile(r'http-equiv="refresh"|hx-trigger="every [12]s"')


@dataclass(frozen=True)
class Measured:
    """The answers of one view."""

    route: str
    seconds: Sequence[float]
    first_load: int
    """Most bytes of an answer with its style sheets and scripts, as they are sent."""
    statuses: Mapping[int, int]
    processor: float = float("nan")
    """Mean seconds of processor time of the console for a request; the other work of a machine has little
    influence on it."""

    @property
    def p50(self) -> float:
        """Median latency in milliseconds."""
        return 1000 * quantiles(self.seconds, n=2)[0]

    @property
    def p95(self) -> float:
        """95th percentile of the latency in milliseconds."""
        return 1000 * quantiles(self.seconds, n=20, method="inclusive")[18]


@dataclass(frozen=True)
class Arguments:
    """What requests are drawn from."""

    topic: str
    pages: Sequence[PageHeadline]
    random: Random
    links: dict[str, list[str]] = field(default_factory=dict)
    """Paths that lead to a route, by route."""

    def word(self) -> str:
        """A piece of one to six characters of a title."""
        title = self.random.choice(self.pages).title
        length = self.random.randint(1, 6)
        at = self.random.randrange(max(1, len(title) - length + 1))
        return title[at : at + length].strip() or title[:2]

    def period(self) -> dict[str, str]:
        """First and last day, 7 to 365 days apart."""
        last = self.random.choice(self.pages).dated
        first = last - timedelta(days=self.random.choice((7, 30, 90, 365)))
        return {"since": f"{first:%Y-%m-%d}", "until": f"{last:%Y-%m-%d}"}

    def query(self, route: str) -> dict[str, str]:
        """The parameters of one request to *route*."""
        choose, page = self.random.choice, self.random.choice(self.pages)
        makers: dict[str, Callable[[], dict[str, str]]] = {
            "/t/{topic}/page": lambda: {
                "url": page.url,
                "view": choose(("text", "evidence", "versions", "copies", "snapshot")),
            },
            "/t/{topic}/snapshot": lambda: {"url": page.url},
            "/t/{topic}/search": self._search,
            "/search": self._search,
            "/t/{topic}/stories": lambda: {
                "order": choose(("size", "newest")),
                "page": str(self.random.randint(1, 20)),
                **choose(({}, {"q": self.word()})),
            },
            "/t/{topic}/events": lambda: {
                "order": choose(("size", "day", "newest")),
                **choose(({}, {"q": self.word()})),
            },
            "/t/{topic}/trends": lambda: {
                **self.period(),
                **choose(({}, {"term": self.word()}, {"site": page.site})),
            },
            "/t/{topic}/compare": self.period,
            "/t/{topic}/hosts": self.period,
            "/t/{topic}/categories": self.period,
            "/t/{topic}/briefing": lambda: {"since": choose(("24h", "7d", "30d"))},
            "/t/{topic}/briefing/file": lambda: {
                "since": choose(("24h", "7d", "30d")),
                "format": choose(("docx", "html", "md")),
            },
        }
        return makers[route]() if route in makers else {}

    def _search(self) -> dict[str, str]:
        choose = self.random.choice
        site = {"site": choose(self.pages).site}
        return {
            "q": self.word(),
            "order": choose(("relevance", "newest", "oldest")),
            "page": choose(("1", "1", "2")),
            **choose(({}, {}, site, {"copies": "1"})),
        }

    def path(self, route: str) -> str | None:
        """The path of one request to *route*; ``None`` if the store has nothing for it."""
        if names := re.findall(r"\{(?!topic\})(\w+)", route):
            known = self.links.get(route)
            return self.random.choice(known) if known and names else None
        if "{topic}" in route:
            base = topic_path(self.topic, route.removeprefix("/t/{topic}/"))
            path = base if route.startswith("/t/") else route.replace("{topic}", quote(self.topic))
        else:
            path = route
        query = {name: value for name, value in self.query(route).items() if value}
        return f"{path}?{urlencode(query)}" if query else path


async def arguments_of(store: Store, seed: int) -> Arguments:
    """Return what requests are drawn from: pages of the largest topic."""
    topics = await store.topics()
    topic = max(topics, key=lambda name: topics[name])
    pages = [page async for page in store.headlines(topic)]
    random = Random(seed)
    return Arguments(topic, random.sample(pages, min(_DRAWN_FROM, len(pages))), random)


def routes() -> list[str]:
    """Return the paths of all views that are read with GET."""
    return [
        route.path
        for section in sections()
        for route in section.routes
        if isinstance(route, Route) and "GET" in (route.methods or {"GET"})
    ]


@contextmanager
def running_console(address: str) -> Iterator[tuple[int, int]]:
    """Run ``scrapy console`` over the store; yield its port and process id."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = ["console", "--write", "--port", str(port), "--store", address]
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _attempt in range(600):
            try:
                get(port, "/")
                break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def get(port: int, path: str) -> tuple[int, Mapping[str, str], bytes, float]:
    """GET a path as a browser does; return status, headers, body as sent, and seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        started = time.perf_counter()
        connection.request("GET", path, headers={"accept-encoding": "gzip"})
        answer = connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - started
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, body, seconds
    finally:
        connection.close()


def text_of(headers: Mapping[str, str], body: bytes) -> str:
    """Return the text of an answer."""
    packed = headers.get("content-encoding") == "gzip"
    return (gzip.decompress(body) if packed else body).decode("utf-8", "replace")


def wait(port: int, arguments: Arguments) -> None:
    """Wait until nothing is being computed in the background any more."""
    ends = time.monotonic() + _MOST_WAIT
    for route in ("/", "/t/{topic}/", "/t/{topic}/events"):
        path = topic_path(arguments.topic, route.removeprefix("/t/{topic}/"))
        while time.monotonic() < ends:
            _status, headers, body, _seconds = get(port, path if "{" in route else route)
            if "refresh" not in headers and not _PENDING.search(text_of(headers, body)):
                break
            time.sleep(2)


def find_links(port: int, arguments: Arguments) -> None:
    """Find paths for the routes that have parameters, among the links of the others."""
    wanted = {
        route: re.compile(re.sub(r"\\\{\w+\\\}", "([^/?#]+)", re.escape(route)) + "$")
        for route in routes()
        if re.search(r"\{(?!topic\})", route)
    }
    named = set(routes())
    # Twice: some are only linked by views that have parameters themselves.
    for _round in range(2):
        for path in sorted(path for route in named if (path := arguments.path(route))):
            _collect_links(port, path, wanted, arguments)


def _collect_links(
    port: int, path: str, wanted: Mapping[str, re.Pattern[str]], arguments: Arguments
) -> None:
    _status, headers, body, _seconds = get(port, path)
    if not headers.get("content-type", "").startswith("text/html"):
        return
    for link in re.findall(r'(?:href|hx-get)="(/[^"]+)"', text_of(headers, body)):
        target = html.unescape(link)
        bare = target.partition("?")[0]
        for route, pattern in wanted.items():
            if pattern.match(bare) and not any(_is(bare, it) for it in routes() if it != route):
                arguments.links.setdefault(route, []).append(target)


def _is(path: str, route: str) -> bool:
    """Whether *path* is that of a route without parameters of its own."""
    pattern = re.escape(route).replace(re.escape("{topic}"), "[^/]+")
    return re.fullmatch(pattern, path) is not None


def measure(
    port: int, arguments: Arguments, route: str, requests: int, pid: int | None = None
) -> Measured | None:
    """Measure one view; ``None`` if the store has nothing for it."""
    seconds, statuses, most = [], dict[int, int](), 0
    processor = _processor(pid)
    files: dict[str, int] = {}
    for _number in range(requests):
        path = arguments.path(route)
        if path is None:
            return None
        status, headers, body, took = get(port, path)
        seconds.append(took)
        statuses[status] = statuses.get(status, 0) + 1
        size = len(body)
        if headers.get("content-type", "").startswith("text/html"):
            for file in set(re.findall(r'(?:src|href)="(/static/[^"]+)"', text_of(headers, body))):
                if file not in files:
                    files[file] = len(get(port, file)[2])
                size += files[file]
        most = max(most, size)
    return Measured(route, seconds, most, statuses, (_processor(pid) - processor) / requests)


def _processor(pid: int | None) -> float:
    """Return the processor seconds that a process has used (Linux only; elsewhere, NaN)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table(found: Sequence[Measured]) -> str:
    """Return the measurements as a table in Markdown."""
    lines = [
        "| view | p50 ms | p95 ms | most ms | CPU ms | first load KB | status |",
        "|---|---|---|---|---|---|---|",
    ]
    for it in found:
        statuses = ", ".join(f"{status}: {n}" for status, n in sorted(it.statuses.items()))
        lines.append(
            f"| `{it.route}` | {it.p50:.0f} | {it.p95:.0f} | {1000 * max(it.seconds):.0f} "
            f"| {1000 * it.processor:.0f} "
            f"| {it.first_load / 1000:.0f} | {statuses} |"
        )
    return "\n".join(lines)
