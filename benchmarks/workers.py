"""Pages per second of 1, 2 and 3 workers on one Redis, compared to stock scrapy-redis on the same site.

    python -m benchmarks.workers [--rounds 3] [--pages 1200] [--latency 0.05 0.3]

One site with realistic latency, crawled to the end in alternating runs.  Ours is the whole crawl
(scores, extraction, filter, store); stock is a ``RedisSpider`` that yields every link of a page
(``LinkExtractor``) and one item, with scrapy-redis' scheduler, filter and item pipeline.  The rate is
taken on the server between the arrivals of 20 % and 90 % of the pages, so that neither the start of the
processes nor the last pages count.  The output is the ratio to one worker of the same kind, and of ours
to stock with as many workers: median, minimum and maximum over the rounds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.endurance import Crawl, Plan
from benchmarks.known_web import KnownWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

KINDS = ("ours", "stock")
#: A run that takes longer counts as hanging.
PATIENCE_SECONDS = 300.0


def rate(web: KnownWeb) -> float:
    """Return the pages per second between the arrivals of 20 % and 90 % of the pages."""
    times = sorted({a.url: a.arrived for a in reversed(web.fetches())}.values())
    first, last = int(len(times) * 0.2), int(len(times) * 0.9)
    return (last - first) / (times[last] - times[first])


def run_ours(plan: Plan, folder: Path) -> float:
    """Crawl with topiccrawl; return pages/s."""
    with ExitStack() as stack:
        crawl = Crawl(plan, folder, stack)
        for number in range(plan.workers):
            crawl.start(number)
        _wait(crawl.web, plan.pages)
        return rate(crawl.web)


def run_stock(plan: Plan, folder: Path) -> float:
    """Crawl with stock scrapy-redis; return pages/s."""
    import redis

    from tests.support.redis_server import RedisServer

    with ExitStack() as stack:
        web = KnownWeb(
            plan.pages, plan.hosts, seed=plan.seed, latency=plan.latency, links=plan.links
        )
        proxy = stack.enter_context(WebServer(web))
        (folder / "redis").mkdir()
        server = RedisServer(folder / "redis", append_only=True)
        server.start()
        stack.callback(server.kill)
        redis.Redis.from_url(server.url).rpush("stock:start_urls", *web.seeds)
        for number in range(plan.workers):
            command = [sys.executable, "-m", "benchmarks.workers", "--child", server.url]
            command += ["--requests", str(plan.requests), "--concurrency", str(plan.concurrency)]
            with (folder / f"stock-{number}.log").open("wb") as log:
                process = subprocess.Popen(
                    command, env=environment(proxy.url), stdout=log, stderr=log
                )
            stack.callback(process.wait)
            stack.callback(process.kill)
        _wait(web, plan.pages)
        return rate(web)


def _wait(web: KnownWeb, pages: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if len({arrival.url for arrival in web.fetches()}) >= pages:
            return
        time.sleep(0.1)
    raise SystemExit(f"only {len(web.fetches())} of {pages} pages were fetched")


def child(redis_url: str, requests: int, concurrency: int) -> None:
    """Run one stock worker until it is killed."""
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.linkextractors import LinkExtractor
    from scrapy_redis.spiders import RedisSpider

    class Stock(RedisSpider):  # type: ignore[misc]
        name = "stock"
        extractor = LinkExtractor()

        async def start(self):  # type: ignore[no-untyped-def]
            for request in self.next_requests():
                yield request

        def parse(self, response):  # type: ignore[no-untyped-def]
            title = response.css("title::text").get()
            yield {"url": response.url, "title": title, "body": response.text}
            for link in self.extractor.extract_links(response):
                yield response.follow(link)

    process = AsyncCrawlerProcess(
        {
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "ITEM_PIPELINES": {"scrapy_redis.pipelines.RedisPipeline": 300},
            "REDIS_URL": redis_url,
            "CONCURRENT_REQUESTS": requests,
            "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            "COOKIES_ENABLED": False,
        }
    )
    process.crawl(Stock)
    process.start()


def main(argv: Sequence[str] | None = None) -> None:
    """Alternate the runs and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=1200)
    parser.add_argument("--hosts", type=int, default=60)
    parser.add_argument("--links", type=int, default=30)
    parser.add_argument("--workers", type=int, nargs="*", default=(1, 2, 3))
    parser.add_argument("--requests", type=int, default=16)
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--latency", type=float, nargs=2, default=(0.05, 0.3))
    parser.add_argument("--child", metavar="REDIS_URL")
    options = parser.parse_args(argv)
    if options.child:
        child(options.child, options.requests, options.concurrency)
        return
    runs: dict[str, Callable[[Plan, Path], float]] = {"ours": run_ours, "stock": run_stock}
    rates: dict[tuple[str, int], list[float]] = {}
    for round_number in range(options.rounds):
        for workers in options.workers:
            for kind in KINDS:
                plan = Plan(
                    frontier="redis",
                    workers=workers,
                    pages=options.pages,
                    hosts=options.hosts,
                    links=options.links,
                    requests=options.requests,
                    concurrency=options.concurrency,
                    latency=tuple(options.latency),
                    seed=round_number + 1,
                )
                with tempfile.TemporaryDirectory() as folder:
                    found = runs[kind](plan, Path(folder))
                rates.setdefault((kind, workers), []).append(found)
                print(f"{kind} {workers}: {found:.1f} pages/s", file=sys.stderr, flush=True)
    for kind in KINDS:
        for workers in options.workers:
            _show(f"{kind}, {workers} to 1 worker", rates[kind, workers], rates[kind, 1])
    for workers in options.workers:
        _show(f"ours to stock, {workers} workers", rates["ours", workers], rates["stock", workers])


def _show(what: str, ours: list[float], theirs: list[float]) -> None:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    print(
        f"{what}: {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}); "
        f"{statistics.median(ours):.1f} against {statistics.median(theirs):.1f} pages/s"
    )


if __name__ == "__main__":
    main()
