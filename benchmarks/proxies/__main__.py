"""Command line of the benchmark of proxies; ``--help`` lists the options."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import benchmarks.proxies as package
from benchmarks.proxies.dying import FAULTS, ProxyFarm
from benchmarks.proxies.run import ProxiedCrawl, start
from topiccrawl.demo import DemoWeb
from topiccrawl.urls.canonical import canonical_url

#: Share of the healthy throughput that the crawl with dying proxies has to reach (a choice).
GOAL = 0.55


def main(argv: Sequence[str] | None = None) -> int:
    """Run both crawls; return 1 if the goal is missed or a page is lost."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.proxies",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=400, help="size of the web")
    parser.add_argument("--proxies", type=int, default=10)
    parser.add_argument("--faults", default="hang,reset,502,ad", help=", ".join(FAULTS))
    parser.add_argument("--latency", type=float, default=0.3, help="of each proxy, in seconds")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=500.0, help="time limit")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(argv)
    faults = [fault for fault in options.faults.split(",") if fault]
    web = DemoWeb(options.seed, options.pages, hazards=False)
    other = DemoWeb(options.seed, options.pages, hazards=False)
    common = {"after": options.pages // 5, "latency_seconds": options.latency}
    with (
        tempfile.TemporaryDirectory() as folder,
        ProxyFarm(web, options.proxies, **common) as healthy,
        ProxyFarm(
            other,
            options.proxies,
            faults=faults,
            **common,
        ) as dying,
    ):
        crawls = [
            start(farm, web.seeds, Path(folder) / name, *options.set)
            for name, farm in (("healthy", healthy), ("dying", dying))
        ]
        limit = time.monotonic() + options.seconds
        while not all(map(ProxiedCrawl.poll, crawls)) and time.monotonic() < limit:
            time.sleep(0.1)
        for crawl in crawls:
            if not crawl.poll():
                crawl.process.kill()
                crawl.process.wait()
                crawl.poll()
        return report(crawls[0], crawls[1], {canonical_url(url) for url in web.pages()})


def report(healthy: ProxiedCrawl, dying: ProxiedCrawl, pages: set[str]) -> int:
    """Print the figures; return the exit code."""
    expected = healthy.received(pages)
    lost = sorted(expected - dying.received(pages))
    share = dying.throughput / healthy.throughput if healthy.throughput else 0.0
    for name, crawl in (("healthy", healthy), ("dying", dying)):
        verdicts = Counter(it.verdict for it in crawl.outcomes)
        faults = [f"{p.fault}:{p.asked}" for p in crawl.farm.proxies if p.fault]
        reasons = Counter(it.reason for it in crawl.outcomes if it.verdict == "failed")
        print(
            f"{name:8} {crawl.throughput:6.2f} URLs/s  {dict(verdicts)}  {dict(reasons)}  {' '.join(faults)}"
        )
    print(f"share of the healthy throughput: {share:.2f} (goal {GOAL})")
    print(f"pages lost: {len(lost)} of {len(expected)}")
    for url in lost[:20]:
        found = next((it for it in dying.outcomes if it.url == url), None)
        print("  ", url, found and (found.verdict, found.reason, found.detail[:120]))
    return 0 if share >= GOAL and not lost else 1


if __name__ == "__main__":
    sys.exit(main())
