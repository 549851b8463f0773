"""TitleDeduplication: one page for each story, however often it was reprinted ([doc001])."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.journal import KeptTitle
from topiccrawl.crawl.kept import title_key
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import DuplicateBody, DuplicateTitle

if TYPE_CHECKING:
    from typing import Self

    from topiccrawl.crawl.journal import CrawlJournal
    from topiccrawl.crawl.kept import KeptPages
    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


_REASONS: Final = {kind.reason: kind for kind in (DuplicateTitle, DuplicateBody)}


class TitleDeduplicationPipeline(PagePipeline):
    """Drops pages whose title or text a kept page already has, whichever worker or run kept it."""

    def __init__(self, kept: KeptPages, journal: CrawlJournal) -> None:
        self._kept = kept
        self._journal = journal

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's index of kept pages."""
        return cls(session.kept, session.journal)

    async def process_page(self, item: PageItem) -> PageItem:
        """Raise :class:`DuplicateTitle` or :class:`DuplicateBody`, or index the page and return it.

        A near miss is neither compared nor indexed before it enters the collection.  A page that the
        user judged relevant is kept, duplicate or not.
        """
        await self._kept.load()
        self._journal.replay()
        if item.near_miss:
            return item
        kept = KeptTitle(item.url, title_key(item.title), item.content_hash)
        if item.decision is not None and item.decision.judged:
            self._kept.add(kept)
        elif duplicate := self._kept.index(item.url, item.title, item.content_hash):
            raise _REASONS[duplicate.reason](duplicate.detail)
        self._journal.publish_title(kept)
        return item
