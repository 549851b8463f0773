"""CrawlRecorder: ``scrapy crawl topic -a record=web.sqlite`` records every response.

The file is a stored web for ``scrapy evaluate``; see docs/webs.md.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin, urlsplit

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured

from topiccrawl.crawl.requests.meta import LOGIN
from topiccrawl.crawl.requests.pages import content_type
from topiccrawl.crawl.requests.search import is_search
from topiccrawl.crawl.session.current import has_topic, session_of
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.recording import PageSink, TopicRecord, open_sink
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage
from topiccrawl.items import PageItem
from topiccrawl.language import _
from topiccrawl.signals import connected
from topiccrawl.urls.redirects import REDIRECT_STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


class _Decompression(HttpCompressionMiddleware):
    """Scrapy's own decompression, without counting the same bytes twice."""

    def __init__(self, crawler: Crawler) -> None:
        self.stats = None
        self._max_size = crawler.settings.getint("DOWNLOAD_MAXSIZE")
        self._warn_size = self._max_size


class CrawlRecorder:
    """Writes responses in the order of their arrival, in a separate thread.

    Everything but robots.txt, logins and answers of search engines is recorded: pages, redirects, failures with
    their status; bodies after decompression.  Pages that the crawl stores become the topic's relevant pages.
    """

    def __init__(self, sink: PageSink, topic: TopicRecord, decompression: _Decompression) -> None:
        self._sink = sink
        self._topic = topic
        self._decompression = decompression
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recorder")
        self._broken = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Open the files; off when the spider has no ``record``."""
        name = getattr(crawler.spider, "record", "")
        if not name or not has_topic(crawler):
            raise NotConfigured  # with a reason Scrapy would warn in every crawl
        definition = session_of(crawler).topic.definition
        if not definition.seeds:
            raise ConfigurationError(
                _(
                    "-a record needs the seeds, where a crawl of the recorded web begins: give "
                    "-a seeds=URL"
                )
            )
        path = Path(name).expanduser()
        sink = open_sink(path)
        topic = TopicRecord(
            path.parent,
            definition.name,
            language=definition.language,
            keywords=[keyword.term for keyword in definition.keywords],
            seeds=[seed.url for seed in definition.seeds],
            description=definition.description,
        )
        recorder = cls(sink, topic, _Decompression(crawler))
        return connected(recorder, crawler)

    def response_downloaded(self, request: Request, response: Response) -> None:
        """Record the response before any middleware changes it."""
        url = web_key(response.url)
        if url is None or urlsplit(url).path == "/robots.txt" or is_search(request):
            return
        if LOGIN in request.meta:
            return
        # The middlewares change the headers while this waits for its turn.
        kept = response.replace(headers=response.headers.copy())
        self._do(lambda: self._write(url, request, kept))

    def item_scraped(self, item: Any) -> None:
        """Add a stored page to the topic's relevant pages."""
        if isinstance(item, PageItem):
            self._do(lambda: self._topic.add(item.final_url))

    async def spider_closed(self) -> None:
        """Wait for the last page and finish the files, each by itself."""
        self._do(self._sink.close)
        self._do(self._topic.close)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    def _write(self, url: str, request: Request, response: Response) -> None:
        try:
            plain = self._decompression.process_response(request, response)
        except IgnoreRequest:  # larger than the crawler itself would read
            return
        assert not isinstance(plain, type(request))
        location = b""
        if response.status in REDIRECT_STATUSES:
            location = response.headers.get("Location") or b""
        self._sink.add(
            StoredPage(
                url,
                plain.body,
                content_type(response),
                response.status,
                urljoin(response.url, location.decode("utf-8", "replace")) if location else "",
            )
        )

    def _do(self, job: Callable[[], None]) -> None:
        def careful() -> None:
            try:
                job()
            except Exception:
                # The crawl is worth more than its record; log the first failure only.
                if not self._broken:
                    logger.exception(_("The crawl goes on, but its record is not complete"))
                self._broken = True

        self._thread.submit(careful)
