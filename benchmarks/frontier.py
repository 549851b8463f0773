"""Rates and memory of the frontier in memory.

    python -m benchmarks.frontier [--links 1000000] [--hosts 5000] [--rounds 3]

Figures: links pushed (first time, merged) and popped per second, seconds to re-score everything that
is queued, pops per second past many busy hosts and with a delay of every host, and bytes per queued
and per done URL.  Links have evidence with three score parts, like those of the link strategies.  Rates
are by CPU time; minimum and maximum over the rounds show the remaining noise.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence

#: Links offered in one call, about what a page has.
PAGE = 50
#: Connections of a busy crawl: hosts that a pop steps over.
BUSY = 100


def resident_bytes() -> int:
    """Return the resident memory of this process (Linux), in bytes."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise OSError("VmRSS is not known on this system")


def make_links(count: int, hosts: int, draw: random.Random, first: int = 0) -> list[QueuedLink]:
    names = [f"host{i}.example.cn" for i in range(hosts)]
    parents = [f"http://{name}/index.html" for name in names]
    links = []
    for i in range(first, first + count):
        host = names[int(hosts * draw.random() ** 2)]  # some hosts have many more links than others
        score = draw.random()
        parts = {"tih": score, "uh": 0.5 * score, "rw": 0.25 * score}
        evidence = LinkEvidence(score, parts, parents[i % hosts], "侨务政策", 3)
        links.append(QueuedLink(f"http://{host}/news/2024/{i}.html", host, evidence))
    return links


def timed(action: Callable[[], object]) -> float:
    """Return the CPU time of *action* in seconds, which other processes hardly influence."""
    start = time.process_time()
    action()
    return time.process_time() - start


def push_all(frontier: MemoryFrontier, links: list[QueuedLink]) -> None:
    """Push page by page and update the order after each, as the pops of a crawl do."""
    for start in range(0, len(links), PAGE):
        frontier.push(links[start : start + PAGE])
        frontier.size()


def one_round(count: int, hosts: int, seed: int, max_links: int) -> dict[str, float]:
    draw = random.Random(seed)
    gc.collect()
    before = resident_bytes()
    links = make_links(count, hosts, draw)
    frontier = MemoryFrontier(FrontierLimits(max_links=max_links))
    figures = {"push, links/s": count / timed(lambda: push_all(frontier, links))}
    sample = links[::20]
    links.clear()
    gc.collect()
    figures["bytes per queued URL"] = (resident_bytes() - before) / count
    figures["merge, links/s"] = len(sample) / timed(lambda: push_all(frontier, sample))

    ids = np.concatenate([ids for ids, _ in frontier.queued()])
    scores = np.random.default_rng(seed).random(len(ids))

    def rescore() -> None:
        frontier.rescore(ids, scores)
        next(frontier.best(1))

    figures["re-score all, s"] = timed(rescore)
    busy = set(sorted({link.host for link in frontier.best(2_000)})[:BUSY])
    pops = min(100_000, count // 4)

    def pop() -> None:
        for _ in range(pops):
            lease = frontier.pop(busy, 0.0)
            assert lease is not None
            frontier.ack([lease.id])

    figures[f"pop past {BUSY} busy hosts and ack, links/s"] = pops / timed(pop)
    return figures


def pops_with_delays(count: int, hosts: int) -> float:
    """Return the pops per second when a host is closed for a second after each of its links.

    On average half of the hosts are closed, and one opens for each pop.
    """
    frontier = MemoryFrontier(FrontierLimits(host_delay=1.0, host_concurrency=1))
    frontier.push(make_links(count, hosts, random.Random(1)))
    next(frontier.best(1))
    pops, tick, now = min(50_000, count // 4), 2.0 / hosts, 0.0

    def pop() -> None:
        nonlocal now
        handed_out = 0
        while handed_out < pops:
            now += tick
            if (lease := frontier.pop(frozenset(), now)) is None:
                continue
            frontier.transfer_finished(lease.id, now + tick)
            frontier.ack([lease.id])
            handed_out += 1

    return pops / timed(pop)


def bytes_per_done(count: int, hosts: int) -> float:
    """Return the memory of done links that were pushed a page at a time, so that no queue was long."""
    frontier = MemoryFrontier()
    draw = random.Random(1)
    gc.collect()
    before = resident_bytes()
    for page in range(0, count, PAGE):
        frontier.push(make_links(PAGE, hosts, draw, first=page))
        while lease := frontier.pop(frozenset(), 0.0):
            frontier.ack([lease.id])
    gc.collect()
    return (resident_bytes() - before) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--max-links", type=int, default=0, help="size limit; 0 = none")
    options = parser.parse_args()
    # First, while the process has no freed memory that could be used again.
    done = bytes_per_done(options.links // 10, options.hosts)
    delayed = pops_with_delays(options.links // 5, options.hosts)
    rounds = [
        one_round(options.links, options.hosts, seed, options.max_links)
        for seed in range(options.rounds)
    ]
    print(f"{options.links:,} links, {options.hosts:,} hosts, {options.rounds} rounds (min … max)")
    for name in rounds[0]:
        values = [figures[name] for figures in rounds]
        print(f"{name:42} {min(values):14,.2f} … {max(values):,.2f}")
    print(f"{'pop with delays, end and ack, links/s':42} {delayed:14,.2f}")
    print(f"{'bytes per done URL':42} {done:14,.2f}")


if __name__ == "__main__":
    main()
