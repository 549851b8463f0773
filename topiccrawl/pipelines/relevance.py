"""RelevanceFilter: keeps pages whose VSM similarity to the topic reaches the threshold (thesis 4.9, 9.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.pipelines.drops import OffTopic

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class RelevanceFilterPipeline:
    """Drops off-topic pages; the relevance was computed once, when the page's links were scored."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        return cls(CrawlSession.of(crawler).topic.threshold)

    def process_item(self, item: Any) -> Any:
        """Raise :class:`OffTopic` below the threshold, or return the item with its relevance."""
        if not isinstance(item, PageItem):
            return item
        relevance = item.analysis.relevance
        item.relevance = relevance.score
        item.main_terms = list(relevance.main_terms)
        if relevance.score < self._threshold:
            raise OffTopic(f"relevance {relevance.score:.3f} < threshold {self._threshold:.3f}")
        return item
