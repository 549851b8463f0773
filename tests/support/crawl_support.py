"""Real crawls without a network: a web given as a dict, served by a download handler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scrapy import Request, Spider
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import HtmlResponse, Response

from topiccrawl.crawl.queue.leases import LeaseKeeper, RetryDelays
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.scheduling.choosing import ChoiceRules
from topiccrawl.scheduling.scheduler import FrontierScheduler, _scraping

Answer = Callable[[Request], Response]
#: Longer than any crawl here takes by far; a crawl that sleeps till the heartbeat never ends.
PATIENCE_SECONDS = 30.0


class Web:
    """Pages by URL: the scored links of a page, or a function from request to response."""

    def __init__(self, pages: Mapping[str, Mapping[str, float] | Answer]) -> None:
        self.pages = pages
        self.fetched: list[str] = []

    def answer(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return Response(request.url, body=b"User-agent: *\nAllow: /\n")
        self.fetched.append(request.url)
        page = self.pages.get(request.url, {})
        if callable(page):
            return page(request)
        return HtmlResponse(request.url, body=b"<html></html>", encoding="utf-8")

    def links(self, url: str) -> Mapping[str, float]:
        page = self.pages.get(url, {})
        return {} if callable(page) else page


def redirect(to: str) -> Answer:
    return lambda request: Response(request.url, status=302, headers={"Location": to})


def failing(times: int, status: int = 503) -> Answer:
    """An answer that succeeds after *times* failures."""
    left = [times]

    def answer(request: Request) -> Response:
        left[0] -= 1
        return HtmlResponse(request.url, status=status if left[0] >= 0 else 200, body=b"x")

    return answer


def crawl(
    web: Web,
    seeds: Sequence[str],
    settings: Mapping[str, Any] | None = None,
    *,
    frontier: MemoryFrontier | None = None,
    network: bool = False,
    probe: Callable[[Any], None] | None = None,
) -> tuple[MemoryFrontier, dict[str, Any]]:
    """Crawl *web* from *seeds* to the end; the frontier and the stats (our prefix removed).

    The engine's heartbeat is off: only finished requests and the scheduler's alarm move the crawl.
    *probe* is called with the crawler before it starts.
    """
    kept = MemoryFrontier() if frontier is None else frontier
    keepers: list[LeaseKeeper] = []

    class Handler(BaseDownloadHandler):
        async def download_request(self, request: Request) -> Response:
            await asyncio.sleep(0)
            return web.answer(request)

    class Scheduler(FrontierScheduler):
        @classmethod
        def from_crawler(cls, crawler: Any) -> Scheduler:
            queue = CrawlQueue(
                kept, count=lambda name: crawler.stats.inc_value(f"topiccrawl/{name}")
            )
            keepers.append(LeaseKeeper(kept, queue.clock, RetryDelays(0.2, 1.0)))
            return cls.for_crawler(crawler, queue, ChoiceRules(hold=lambda: _scraping(crawler)))

    class WebSpider(Spider):
        name = "web"

        async def start(self) -> Any:
            for i, url in enumerate(seeds):
                meta = {"topic_score": 100.0 - i}
                yield Request(url, errback=self.failed, meta=meta)

        def parse(self, response: Response) -> Any:
            for url, score in web.links(response.url).items():
                yield Request(url, errback=self.failed, meta={"topic_score": score})
            keepers[0].settle(response.meta["topic_lease"])

        def failed(self, failure: Any) -> None:
            request = (
                failure.request if hasattr(failure, "request") else failure.value.response.request
            )
            keepers[0].settle(
                request.meta["topic_lease"],
                ok=False,
                reason=repr(failure.value),
                retryable=True,
                attempt=request.meta["topic_attempt"],
            )

    base: dict[str, Any] = {
        "TWISTED_REACTOR_ENABLED": False,
        "SCHEDULER": Scheduler,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "REFERER_ENABLED": False,
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "DOWNLOAD_DELAY": 0.0,
        "RETRY_ENABLED": False,
        "CONCURRENT_REQUESTS": 1,
    }
    if not network:
        base["DOWNLOAD_HANDLERS"] = {"http": Handler}
    stats: dict[str, Any] = {}

    async def run() -> None:
        runner = AsyncCrawlerRunner({**base, **(settings or {})})
        crawler = runner.create_crawler(WebSpider)
        if probe is not None:
            probe(crawler)
        await asyncio.wait_for(runner.crawl(crawler), PATIENCE_SECONDS)
        stats.update(crawler.stats.get_stats())

    asyncio.run(run())
    return kept, {key.removeprefix("topiccrawl/frontier/"): stats[key] for key in stats}
