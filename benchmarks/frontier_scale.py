"""A frontier with a million links: rates, bytes, and memory that must not grow.

    python -m benchmarks.frontier_scale --backend sqlite --links 1000000 --hosts 2000

Links are pushed in pages of 50 in three parts (100,000, 500,000, all), four of five of a page's links
to one host (--scattered: all to random ones, the worst case for a file); after each part the resident
memory of this process is read.  Then everything queued is re-scored, in pieces like those of the ranking,
and links are popped and acknowledged one by one while 100 hosts with better links are busy.  The longest
single calls, which block the event loop, are printed, too.  Rates are by the wall clock, because a
frontier on disk waits for the disk: run it on an idle machine.
"""

from __future__ import annotations

import argparse
import gc
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.frontier import BUSY, PAGE, make_links, resident_bytes
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

T = TypeVar("T")

#: Numbers of links at which memory is read.
_STEPS = (100_000, 500_000)
#: Share of a page's links that lead to its own host.  A guess that suits news sites.
OWN_HOST = 0.8
#: Most links popped and acknowledged.
_POPS = 20_000


@dataclass(frozen=True, slots=True)
class Opened:
    """A frontier, and the bytes that it takes where it is kept (file, server)."""

    frontier: Frontier
    stored_bytes: Callable[[], int]
    end: Callable[[], None] = lambda: None
    """Stops the server, if there is one."""


def open_sqlite(folder: Path) -> Opened:
    path = folder / "scale.frontier"
    frontier = SQLiteFrontier(path)
    return Opened(frontier, lambda: path.stat().st_size)


def open_memory(folder: Path) -> Opened:
    # It is part of the resident memory of this process.
    return Opened(MemoryFrontier(), lambda: 0)


def open_redis(folder: Path) -> Opened:
    # Here, because the other backends need neither tests nor redis.
    from tests.support.redis_server import RedisServer
    from topiccrawl.frontier.redis.frontier import RedisFrontier

    server = RedisServer(folder, append_only=True)
    server.start()
    client = server.client()
    frontier = RedisFrontier(server.client(), "scale")
    return Opened(frontier, lambda: int(client.info("memory")["used_memory"]), server.kill)


#: How each backend is opened, empty, with a folder that it may use.
OPENERS: dict[str, Callable[[Path], Opened]] = {
    "memory": open_memory,
    "redis": open_redis,
    "sqlite": open_sqlite,
}


class Stopwatch:
    """Sum and maximum of the seconds of single calls."""

    def __init__(self) -> None:
        self.total = 0.0
        self.longest = 0.0

    def time(self, call: Callable[..., T], *arguments: object) -> T:
        """Time a call, and return its result."""
        start = time.perf_counter()
        answer = call(*arguments)
        seconds = time.perf_counter() - start
        self.total += seconds
        self.longest = max(self.longest, seconds)
        return answer


def pages(
    first: int, last: int, hosts: int, draw: random.Random, scattered: bool
) -> Iterator[list[QueuedLink]]:
    for start in range(first, last, PAGE):
        links = make_links(min(PAGE, last - start), hosts, draw, first=start)
        if not scattered:
            own = links[0].host
            links = [
                replace(link, url=link.url.replace(link.host, own), host=own)
                if draw.random() < OWN_HOST
                else link
                for link in links
            ]
        yield links


def report(name: str, value: str) -> None:
    print(f"{name:48} {value:>16}", flush=True)


def rate(count: int, watch: Stopwatch) -> str:
    return f"{count / watch.total:,.0f}/s"


def longest(watch: Stopwatch) -> str:
    return f"{1000 * watch.longest:,.1f} ms"


def push(opened: Opened, links: int, hosts: int, scattered: bool) -> None:
    frontier, draw = opened.frontier, random.Random(1)
    watch, done = Stopwatch(), 0
    gc.collect()
    report("resident memory, empty frontier", f"{resident_bytes() / 2**20:,.1f} MB")
    for step in sorted({min(step, links) for step in (*_STEPS, links)}):
        part = Stopwatch()
        for page in pages(done, step, hosts, draw, scattered):
            part.time(frontier.push, page)
        report(f"push, {done:,} to {step:,}", rate(step - done, part))
        watch.total += part.total
        watch.longest = max(watch.longest, part.longest)
        done = step
        gc.collect()
        report(f"resident memory, {done:,} links", f"{resident_bytes() / 2**20:,.1f} MB")
    report("push, all", rate(links, watch))
    report("push, longest call", longest(watch))
    report("stored bytes per queued link", f"{opened.stored_bytes() / links:,.0f}")


def merge(frontier: Frontier, links: int, hosts: int, scattered: bool) -> None:
    watch, draw = Stopwatch(), random.Random(1)
    known = min(links, 50_000)
    for page in pages(0, known, hosts, draw, scattered):  # the same links as at first
        watch.time(frontier.push, page)
    report("push of known links", rate(known, watch))


def rescore(frontier: Frontier) -> None:
    draw, watch, looked = np.random.default_rng(1), Stopwatch(), Stopwatch()
    pieces, count = frontier.queued(), 0
    while (found := looked.time(next, pieces, None)) is not None:
        ids, _ = found
        watch.time(frontier.rescore, ids, draw.random(len(ids)))
        count += len(ids)
    report(f"re-score {count:,} links, reading them", f"{looked.total:,.1f} s")
    report("re-score, writing them", f"{watch.total:,.1f} s")
    report("re-score, longest piece of 5,000", longest(watch))


def pop(frontier: Frontier, links: int) -> None:
    busy = set(sorted({link.host for link in frontier.best(2_000)})[:BUSY])
    popping, settling = Stopwatch(), Stopwatch()
    count = min(_POPS, links // 4)
    now = time.time()
    for _ in range(count):
        lease = popping.time(frontier.pop, busy, now)
        assert lease is not None
        settling.time(frontier.ack, [lease.id])
    total = Stopwatch()
    total.total = popping.total + settling.total
    report(f"pop past {BUSY} busy hosts", rate(count, popping))
    report("ack", rate(count, settling))
    report("pop and ack", rate(count, total))
    report("longest pop, longest ack", f"{longest(popping)}, {longest(settling)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=sorted(OPENERS), default="sqlite")
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=2_000)
    parser.add_argument(
        "--scattered",
        action="store_true",
        help="every link to a random host, instead of four of five to the page's own",
    )
    parser.add_argument(
        "--folder", type=Path, help="where files are made; default: a temporary one"
    )
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="frontier-scale-", dir=options.folder))
    try:
        opened = OPENERS[options.backend](folder)
        frontier = opened.frontier
        print(f"{options.backend}, {options.links:,} links, {options.hosts:,} hosts")
        push(opened, options.links, options.hosts, options.scattered)
        merge(frontier, options.links, options.hosts, options.scattered)
        rescore(frontier)
        pop(frontier, options.links)
        report("resident memory at the end", f"{resident_bytes() / 2**20:,.1f} MB")
        report("stored bytes per link at the end", f"{opened.stored_bytes() / options.links:,.0f}")
        frontier.close()
        opened.end()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
