"""Fetching the URLs of ``extract``, obeying robots.txt and its Crawl-delay."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.downloadermiddlewares import robotstxt

from topiccrawl.actions.crawl_delays import CrawlDelays
from topiccrawl.analysis.extracting import PageTask, stated_charset
from topiccrawl.documents.names import file_name
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, labeled
from topiccrawl.topics.addresses import check_seed_url

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import Settings


class _ExtractSpider(scrapy.Spider):
    """Fetches the URLs without following links."""

    name = "extract"
    #: The add-on's network serves this spider.
    uses_topiccrawl = True

    def __init__(
        self,
        urls: dict[int, str],
        fetched: Callable[[int, PageTask], None],
        lost: Callable[[int, str], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._fetched, self._lost = fetched, lost
        self.open = urls

    async def start(self) -> AsyncIterator[scrapy.Request]:
        self._delays = CrawlDelays(self.crawler)
        for number, url in list(self.open.items()):
            yield scrapy.Request(
                url,
                self.page,
                errback=self.failed,
                dont_filter=True,
                cb_kwargs={"number": number, "asked": url},
            )

    def page(self, response: Response, number: int, asked: str) -> None:
        self.open.pop(number, None)
        header = (response.headers.get("Content-Type") or b"").decode("latin-1")
        name = file_name(response.headers.get("Content-Disposition") or b"", response.url)
        task = PageTask(
            asked,
            body=response.body,
            url=response.url,
            charset=stated_charset(header),
            content_type=header,
            file_name=name,
        )
        self._fetched(number, task)

    def failed(self, failure: Any) -> None:
        number = failure.request.cb_kwargs["number"]
        self.open.pop(number, None)
        error = failure.value
        response = getattr(error, "response", None)
        reason = f"HTTP {response.status}" if response is not None else str(error)
        asked = failure.request.cb_kwargs["asked"]
        self._lost(number, labeled(asked, reason or type(error).__name__))


def fetch_pages(
    urls: dict[int, str],
    project: Settings,
    fetched: Callable[[int, PageTask], None],
    lost: Callable[[int, str], None],
) -> None:
    """Fetch URLs with the project's settings, but with Scrapy's own components only.

    Parameters
    ----------
    urls
        The URLs by their numbers.
    project
        The project's settings.
    fetched
        Called with number and page of each that was fetched.
    lost
        Called with number and reason of each that was not.
    """
    wanted: dict[int, str] = {}
    for number, url in urls.items():
        try:
            wanted[number] = check_seed_url("scrapy extract", "URL", url)
        except ConfigurationError as error:
            lost(number, str(error))
    if not wanted:
        return
    settings = project.copy()
    settings.set("ADDONS", {}, "cmdline")
    settings.set("SCHEDULER", "scrapy.core.scheduler.Scheduler", "cmdline")
    settings.set("FEEDS", {}, "cmdline")
    settings.set("ITEM_PIPELINES", {}, "cmdline")
    settings.set("JOBDIR", None, "cmdline")
    if settings.getpriority("LOG_LEVEL") in (None, 0, 20):
        settings.set("LOG_LEVEL", "ERROR", "cmdline")
    process = AsyncCrawlerProcess(settings)
    # Scrapy logs a traceback for a robots.txt that cannot be fetched; *lost* gets the reason.
    logging.getLogger(robotstxt.__name__).setLevel(logging.CRITICAL)
    crawler = process.create_crawler(_ExtractSpider)
    process.crawl(crawler, urls=dict(wanted), fetched=fetched, lost=lost)
    process.start()
    # A crawl that did not start, or was cut short, has not called back for all URLs.
    spider = crawler.spider
    rest = spider.open if isinstance(spider, _ExtractSpider) else wanted
    for number, url in rest.items():
        lost(number, _("{url}: not fetched").format(url=url))
