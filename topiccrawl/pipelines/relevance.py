"""RelevanceFilter: keeps pages whose VSM similarity to the topic reaches the threshold (thesis 4.9, 9.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import OffTopic

if TYPE_CHECKING:
    from typing import Self

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


class RelevanceFilterPipeline(PagePipeline):
    """Drops off-topic pages; the relevance was computed once, when the page's links were scored."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Read the topic's threshold."""
        return cls(session.topic.threshold)

    def process_page(self, item: PageItem) -> PageItem:
        """Raise :class:`OffTopic` below the threshold, or return the item with its relevance."""
        relevance = item.analysis.relevance
        item.relevance = relevance.score
        item.main_terms = list(relevance.main_terms)
        if relevance.score < self._threshold:
            raise OffTopic(f"relevance {relevance.score:.3f} < threshold {self._threshold:.3f}")
        return item
