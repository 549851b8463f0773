"""TitleDeduplication: one page for each story, however often it was reprinted ([doc001])."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        """Raise :class:`DuplicateTitle` or :class:`DuplicateBody`, or index the page and return it."""
        await self._kept.load()
        self._journal.replay()
        title = title_key(item.title)
        match = self._kept.titles.find(item.url, title)
        if match is not None:
            raise DuplicateTitle(f"title {match.similarity:.2f} similar to {match.url}")
        first = self._kept.bodies.first(item.url, item.content_hash)
        if first is not None:
            raise DuplicateBody(f"same text as {first}")
        self._kept.titles.add(item.url, title)
        self._journal.publish_title(KeptTitle(item.url, title, item.content_hash))
        return item
