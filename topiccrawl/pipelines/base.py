"""Base class of the item pipelines: off without a topic; items of other spiders pass unchanged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

from topiccrawl.crawl.session.current import required_session
from topiccrawl.items import PageItem

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession


class PagePipeline(ABC):
    """Passes each :class:`~topiccrawl.items.PageItem` to :meth:`process_page`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the pipeline from the crawler's session; off when the crawl has no topic."""
        return cls.from_session(required_session(crawler))

    @classmethod
    @abstractmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Build the pipeline; raise ``NotConfigured`` with the reason if it is not needed."""

    @abstractmethod
    def process_page(self, item: PageItem) -> PageItem | Awaitable[PageItem]:
        """Return the item, or raise a :class:`~topiccrawl.pipelines.drops.PageDropped`."""

    def process_item(self, item: Any) -> Any:
        """Return items of other kinds as they are."""
        return self.process_page(item) if isinstance(item, PageItem) else item
