"""Deduplication: a page with the text of another one is stored as its copy."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from topiccrawl import details
from topiccrawl.crawl.copies.rejected import RejectedTexts
from topiccrawl.crawl.copies.rule import CopyRule
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import KEPT
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import RejectedText


class DeduplicationPipeline(PagePipeline):
    """Marks pages that are copies of kept pages, whichever worker or run kept those.

    A page with the text of one that the user judged off topic is a near miss: it can enter the collection
    when that judgment is taken back.
    """

    def __init__(
        self,
        rule: CopyRule,
        journal: CrawlJournal,
        rejected: RejectedTexts | None = None,
        *,
        keep_near_misses: bool = False,
    ) -> None:
        self._rule = rule
        self._journal = journal
        self._rejected = rejected
        self._keep_near_misses = keep_near_misses

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's rule."""
        return cls(
            session.copies,
            session.journal,
            session.judging.rejected,
            keep_near_misses=session.near_misses.wanted,
        )

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item with the fields of the comparison.

        A near miss is not compared before it enters the collection.  A page that the user judged
        relevant is never a copy.
        """
        self._journal.replay()
        if item.near_miss:
            return item
        judged = item.decision is not None and item.decision.judged
        rejected = None if judged else self._rejected
        if rejected is not None and (original := await rejected.original(item)):
            return self._reject(item, original)
        self._journal.publish(KEPT, await self._rule.mark(item, own=judged))
        return item

    def _reject(self, item: PageItem, original: str) -> PageItem:
        detail = details.COPY_OF_REJECTED(url=original)
        if item.decision is None or not self._keep_near_misses:
            raise RejectedText(detail)
        item.decision = replace(
            item.decision, kept=False, near_miss=True, detail=detail, same_as=original
        )
        return item
