"""Crawls of small drawn webs in this process: all of topiccrawl's parts, a download handler for a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import Settings

from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.spiders.topic import TopicSpider

#: A crawl that asks for no page in this time hangs, and must not hang the tests.  A crawl of some hundred pages takes
#: longer as a whole where many processes share a processor.
PATIENCE_SECONDS = 60.0

#: A body long enough to be one, about the topic and about something else.
ON_TOPIC = (
    "侨务部门走访归侨侨眷，了解华侨华人社团的需要。海外侨胞回到侨乡寻根谒祖，"
    "参观华文学校，与侨联座谈，商讨引进侨资和保护华侨权益的办法。"
)
OFF_TOPIC = (
    "昨晚的比赛在雨中进行，主队在下半场连进三球，逆转取胜。门将多次扑出险球，"
    "教练赛后说球员的体能令他满意，下一轮将在客场作战。"
)


def page(
    title: str = "", body: str = "", links: str = "", *, head: str = "", charset: str = "utf-8"
) -> bytes:
    """An HTML page in the plainest form."""
    return (
        f"<html><head><meta charset={charset}>{head}<title>{title}</title></head>"
        f"<body><p>{body}</p>\n{links}\n</body></html>"
    ).encode(charset)


def link(url: str, anchor: str = "链接", attributes: str = "") -> str:
    return f'<a href="{url}" {attributes}>{anchor}</a>\n'


@dataclass
class SmallWeb:
    """Answers by URL: a body, a whole response, or a function of the request; 404 for the others."""

    pages: Mapping[str, bytes | Response | Callable[[Request], Response]]
    robots: bytes = b"User-agent: *\nDisallow: /private/\n"
    asked: list[str] = field(default_factory=list)

    async def wait(self, request: Request) -> None:
        """Take the time of an answer: none."""
        await asyncio.sleep(0)

    def answer(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return response(request.url, self.robots, content_type="text/plain")
        self.asked.append(request.url)
        found = self.pages.get(request.url)
        if found is None:
            return response(request.url, b"<h1>404</h1>", status=404)
        if isinstance(found, bytes):
            return response(request.url, found)
        return found(request) if callable(found) else found


def response(
    url: str, body: bytes = b"", *, status: int = 200, content_type: str = "text/html", **more: str
) -> Response:
    """A response as a download handler makes it."""
    headers = Headers({"Content-Type": content_type, **more})
    kind = responsetypes.from_args(headers=headers, url=url, body=body)
    return kind(url, status=status, headers=headers, body=body)


@dataclass
class SmallCrawl:
    """A finished crawl of a small web."""

    run: CrawlSession
    stats: Mapping[str, Any]
    items: Sequence[Any]
    dropped: Mapping[str, str]
    """Reason by URL."""
    scheduled: Sequence[Request]
    """Requests as they were when they entered the queue."""


def project_settings(**overrides: Any) -> Settings:
    """The project's settings without store, politeness or log."""
    settings = Settings()
    settings.setmodule("topiccrawl.settings", priority="project")
    settings.setdict(
        {
            "TWISTED_REACTOR_ENABLED": False,
            "LOG_ENABLED": False,
            "DOWNLOAD_DELAY": 0.0,
            "AUTOTHROTTLE_ENABLED": False,
            "CONCURRENT_REQUESTS": 1,
            "MEMUSAGE_ENABLED": False,
            "TOPICCRAWL_STORE_URI": "",
            "TOPICCRAWL_FRONTIER_BACKEND": "memory",
            "TOPICCRAWL_BACKOFF_SECONDS": 0,
            "TOPICCRAWL_ANALYSIS_PROCESSES": "0",
            # The pages of these webs have much of their text in common.
            "TOPICCRAWL_DUPLICATES": "titles",
            **overrides,
        },
        priority="cmdline",
    )
    return settings


async def finished(crawl: asyncio.Task[None], web: SmallWeb) -> None:
    """Wait for the end of a crawl as long as it goes on asking *web*."""
    asked = -1
    while not crawl.done():
        if len(web.asked) == asked:
            crawl.cancel()
            raise TimeoutError(f"no page was asked for in {PATIENCE_SECONDS:g} s after {asked}")
        asked = len(web.asked)
        await asyncio.wait({crawl}, timeout=PATIENCE_SECONDS)
    await crawl


def crawl_small(
    web: SmallWeb,
    seeds: Sequence[str],
    *,
    topic: str = "侨情",
    whole: str = "",
    spider: type[Spider] = TopicSpider,
    probe: Callable[[Crawler], None] | None = None,
    **overrides: Any,
) -> SmallCrawl:
    """Crawl *web* to the end with the project's settings; *probe* sees the crawler before."""

    class Handler(BaseDownloadHandler):
        lazy = True

        async def download_request(self, request: Request) -> Response:
            await web.wait(request)
            return web.answer(request)

    settings = project_settings(DOWNLOAD_HANDLERS={"http": Handler, "https": Handler}, **overrides)
    items: list[Any] = []
    dropped: dict[str, str] = {}
    scheduled: list[Request] = []

    # Scrapy keeps weak references to signal handlers.
    def scraped(item: Any) -> None:
        items.append(item)

    def drop(item: Any, exception: Any) -> None:
        dropped[item.url] = getattr(exception, "reason", type(exception).__name__)

    def queued(request: Request) -> None:
        scheduled.append(request)

    async def run() -> SmallCrawl:
        runner = AsyncCrawlerRunner(settings)
        crawler = runner.create_crawler(spider)
        crawler.signals.connect(scraped, signals.item_scraped)
        crawler.signals.connect(drop, signals.item_dropped)
        crawler.signals.connect(queued, signals.request_scheduled)
        if probe is not None:
            probe(crawler)
        arguments = (
            {"topic": topic, "seeds": ",".join(seeds), "whole": whole}
            if issubclass(spider, TopicSpider)
            else {}
        )
        await finished(runner.crawl(crawler, **arguments), web)
        stats = dict(crawler.stats.get_stats())
        return SmallCrawl(session_of(crawler), stats, items, dropped, scheduled)

    return asyncio.run(run())
