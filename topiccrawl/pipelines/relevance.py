"""RelevanceFilter: drops the pages that are off topic; those that may enter later pass as near misses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from topiccrawl.crawl.judgments.deciding import JUDGED_OFF_TOPIC, JUDGED_RELEVANT, Decision, decide
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import JudgedOffTopic, OffTopic
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.urls.identity import link_id


class RelevanceFilterPipeline(PagePipeline):
    """Decides about each page; the user's *judgments*, by canonical URL, outweigh everything.

    With *keep_near_misses* a page that a later judgment may keep passes; the store pipeline stores and drops
    it.
    """

    def __init__(
        self,
        judgments: Mapping[str, bool],
        classifier: PageClassifier,
        *,
        keep_near_misses: bool = False,
    ) -> None:
        self._classifier = classifier
        self._judgments = judgments
        self._keep_near_misses = keep_near_misses

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's judgments."""
        return cls(
            session.judging.judgments,
            session.judging.classifier,
            keep_near_misses=session.near_misses.wanted,
        )

    def process_page(self, item: PageItem) -> PageItem:
        """Raise :class:`OffTopic` or :class:`JudgedOffTopic`, or return the item with its decision."""
        relevance = item.analysis.relevance
        item.relevance = relevance.score
        item.main_terms = list(relevance.main_terms)
        # A document without text has its decision already.
        item.decision = decision = item.decision or self._decide(item)
        item.probability = decision.probability
        if decision.kept or (decision.near_miss and self._keep_near_misses):
            # Nothing reads the time of a page that is off topic, and finding it takes a tenth of the analysis.
            item.published_at = item.published_at or item.analysis.page.published
            return item
        raise (JudgedOffTopic if decision.judged else OffTopic)(decision.detail)

    def _decide(self, item: PageItem) -> Decision:
        relevant = self._judgments.get(item.url)
        if relevant is None:
            # A page that was fetched outside the link scoring is judged without being learned from.
            judgment = self._classifier.judgment(link_id(item.url)) or self._classifier.judge(
                page_view(item.url, item.analysis)
            )
            return decide(item.analysis, judgment, self._classifier)
        return JUDGED_RELEVANT if relevant else JUDGED_OFF_TOPIC
