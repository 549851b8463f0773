"""Deduplication: a page with the text of another one is stored as its copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.pipelines.base import PagePipeline

if TYPE_CHECKING:
    from typing import Self

    from topiccrawl.crawl.copies.rule import CopyRule
    from topiccrawl.crawl.journal import CrawlJournal
    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


class DeduplicationPipeline(PagePipeline):
    """Marks pages that are copies of kept pages, whichever worker or run kept those."""

    def __init__(self, rule: CopyRule, journal: CrawlJournal) -> None:
        self._rule = rule
        self._journal = journal

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's rule."""
        return cls(session.copies, session.journal)

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item with the fields of the comparison.

        A near miss is not compared before it enters the collection.  A page that the user judged
        relevant is never a copy.
        """
        self._journal.replay()
        if item.near_miss:
            return item
        judged = item.decision is not None and item.decision.judged
        self._journal.publish_kept(await self._rule.mark(item, own=judged))
        return item
