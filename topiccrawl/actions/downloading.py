"""Lend Scrapy's downloader, with the middlewares of the project, to a command."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import SETTINGS_PRIORITIES, Settings
from twisted.web.client import HTTPConnectionPool

from topiccrawl.actions.crawl_delays import CrawlDelays

#: Downloads a request; may raise anything.
Downloading: TypeAlias = Callable[[Request], Awaitable[Response]]


class _Asking(Spider):
    """Lends its downloader, with the project's middlewares, to one coroutine."""

    name = "asking"
    #: The add-on's network serves this spider.
    uses_topiccrawl = True

    def __init__(self, work: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._work = work

    async def start(self) -> AsyncIterator[Request]:
        """Do the work; yield nothing."""
        self._delays = CrawlDelays(self.crawler)
        assert self.crawler.engine is not None
        await self._work(self.crawler.engine.download_async)
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request


def with_downloader(settings: Settings, work: Callable[[Downloading], Awaitable[None]]) -> None:
    """Run *work* with Scrapy's downloader; raises what it raises."""
    # As in a crawl: our handler looks at the connection itself, and no request is sent twice.
    HTTPConnectionPool.retryAutomatically = False
    failed: list[Exception] = []

    async def careful(download: Downloading) -> None:
        try:
            await work(download)
        except Exception as error:
            failed.append(error)

    settings.set("TOPICCRAWL_TOPIC", "", "cmdline")
    # Nothing is queued; ours needs a topic, whose crawl may be running.
    settings.set("SCHEDULER", "scrapy.core.scheduler.Scheduler", "cmdline")
    if settings.getpriority("LOG_LEVEL") != SETTINGS_PRIORITIES["cmdline"]:
        settings.set("LOG_LEVEL", "WARNING", "cmdline")
    process = AsyncCrawlerProcess(settings)
    # Without a topic nearly all components are off, and each would log that.  The process has
    # configured logging, which resets the levels of all loggers below "scrapy".
    logging.getLogger("scrapy.middleware").setLevel(logging.ERROR)
    process.crawl(_Asking, work=careful)
    process.start()
    if failed:
        raise failed[0]
