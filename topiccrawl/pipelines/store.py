"""Storage of the pages that passed all filters."""

from __future__ import annotations

import logging
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.records import item_outcome, queued_outcome, run_record
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.errors import ConfigurationError
from topiccrawl.items import PageItem
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector


logger = logging.getLogger(__name__)


class StorePipeline:
    """Opens the store named by TOPICCRAWL_STORE_URI and writes every page that arrives."""

    def __init__(self, run: CrawlSession, stats: StatsCollector) -> None:
        self._run = run
        self._stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Off when the crawl has no topic or TOPICCRAWL_STORE_URI is empty."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        run = CrawlSession.of(crawler)
        if not run.config.store_uri:
            raise NotConfigured("TOPICCRAWL_STORE_URI is empty: nothing is stored")
        return cls(run, crawler.stats)

    async def open_spider(self) -> None:
        """Connect; an unusable store stops the run here, before the first page is fetched."""
        config = self._run.config
        try:
            store = open_store(config.store_uri)
        except ConfigurationError as error:
            raise self._run.cannot_start(error) from error
        writer = StoreWriter(
            store,
            Spool(Path(config.spool_dir), self._run.topic.name, config.store_uri),
            batch_size=config.store_batch_pages,
            flush_seconds=config.store_flush_seconds,
        )
        try:
            await writer.open()
        except (ConfigurationError, StoreUnavailable) as error:
            raise self._run.cannot_start(error) from error
        self._run.writer = writer
        try:
            await writer.put(run=run_record(self._run))
        except StoreUnavailable as error:
            raise self._run.cannot_start(error) from error

    async def process_item(self, item: Any) -> Any:
        """Return the item once its record is durable, in the store or in the spool."""
        if not isinstance(item, PageItem):
            return item
        run = self._run
        if run.writer is not None:
            detail = f"relevance {item.relevance:.3f} >= threshold {run.topic.threshold:.3f}"
            if run.config.store_html:
                item.html = zlib.compress(item.analysis.page.raw)
            try:
                result = await run.writer.put(
                    page=item,
                    outcome=item_outcome(run, item, "stored", "relevant", detail),
                )
            except StoreUnavailable as error:
                run.lose_store(error)
                raise
            if result is WriteResult.REJECTED:
                # The writer has logged it and set the record aside; the crawl goes on.
                self._stats.inc_value("topiccrawl/pages/rejected_by_store")
                return item
        run.progress.stored += 1
        self._stats.inc_value("topiccrawl/pages/stored")
        if item.kind:
            self._stats.inc_value(f"topiccrawl/pages/kind/{item.kind}")
        return item

    async def close_spider(self) -> None:
        """Keep the best waiting links, so that ``scrapy explain`` and the report know them.

        The writer stays open: the outcome recorder closes it with the run's stop reason.
        """
        run = self._run
        if run.writer is None or run.store_lost:
            return
        best = run.frontier.best(run.config.store_queued_links)
        for position, link in enumerate(best, start=1):
            await run.writer.put(outcome=queued_outcome(run, link, position), wait=False)
