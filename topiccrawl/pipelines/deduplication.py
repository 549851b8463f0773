"""TitleDeduplication: one page for each story, whoever reprinted it (document 001)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.journal import KeptTitle
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.dedup.titles import BodyIndex, TitleIndex
from topiccrawl.items import PageItem
from topiccrawl.page.title import strip_site_tail
from topiccrawl.pipelines.drops import DuplicateBody, DuplicateTitle
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


logger = logging.getLogger(__name__)


class TitleDeduplicationPipeline:
    """Drops pages whose title or text a stored page already has.

    Starts from the titles in the store, so that a resumed crawl knows what earlier runs kept.
    """

    def __init__(self, run: CrawlSession) -> None:
        self._run = run
        self._titles = TitleIndex(
            run.topic.analyzer.terms, IdfTable().idf, threshold=run.config.title_threshold
        )
        self._bodies = BodyIndex()
        run.knowledge.on_title = self._heard
        self._learned = False
        self._learning = asyncio.Lock()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        pipeline = cls(CrawlSession.of(crawler))
        # Before the first request: a page that had to wait for the titles would be overtaken by the
        # next one, and the order of outcomes would depend on the store's speed.
        crawler.signals.connect(pipeline.learn, signals.spider_opened)
        return pipeline

    async def process_item(self, item: Any) -> Any:
        """Raise :class:`DuplicateTitle` or :class:`DuplicateBody`, or index the page and return it."""
        if not isinstance(item, PageItem):
            return item
        await self.learn()
        self._run.knowledge.replay()
        title = _key(item.title)
        match = self._titles.find(item.url, title)
        if match is not None:
            raise DuplicateTitle(f"title {match.similarity:.2f} similar to {match.url}")
        first = self._bodies.first(item.url, item.content_hash)
        if first is not None:
            raise DuplicateBody(f"same text as {first}")
        self._titles.add(item.url, title)
        self._run.knowledge.publish_title(KeptTitle(item.url, title, item.content_hash))
        return item

    def _heard(self, kept: KeptTitle) -> None:
        """Another worker kept this page."""
        self._titles.add(kept.url, kept.title)
        self._bodies.first(kept.url, kept.content_hash)

    async def learn(self) -> None:
        """Index the titles that earlier runs stored, once."""
        if not self._learned:
            async with self._learning:
                await self._learn()

    async def _learn(self) -> None:
        writer = self._run.writer
        if writer is not None and not self._learned:
            try:
                async for url, title in writer.store.titles(self._run.topic.name):
                    self._titles.add(url, _key(title))
            except StoreUnavailable as error:
                # A reprint too many is better than a page lost; the next page asks again.
                logger.warning("Titles of earlier runs cannot be read yet: %(e)s", {"e": error})
                return
        self._learned = True


def _key(title: str) -> str:
    """The part of a title that names the page: site tail cut, forms made equal."""
    return normalize(strip_site_tail(title))
