"""ArticleParts: the further pages of an article (第 2 页) are fetched and joined to the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.parts import SHARE_OF_LEASE, ArticleParts, end_links
from topiccrawl.dedup.titles import content_hash
from topiccrawl.pipelines.base import PagePipeline

if TYPE_CHECKING:
    from typing import Self

    from scrapy.http import TextResponse

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem
    from topiccrawl.page.page import Page


class ArticlePartsPipeline(PagePipeline):
    """Joins the parts of articles that are kept."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._parts = ArticleParts(
            session.control.download,
            self._page_of,
            self._allows,
            most=session.settings.article_parts,
            seconds=SHARE_OF_LEASE * session.settings.lease_seconds,
            clock=session.clock,
        )

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session; off when no parts are wanted."""
        if session.settings.article_parts < 2:
            raise NotConfigured("TOPICCRAWL_ARTICLE_PARTS: articles stay apart")
        return cls(session)

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item with the text of all its parts; a near miss as it is."""
        if item.near_miss:
            return item
        joined = await self._parts.join(item.analysis.page)
        if joined is None:
            return item
        session = self._session
        session.pending.flush()
        if joined.missing:
            session.control.count("parts/missing", joined.missing)
        if joined.parts:
            ended = end_links(session.frontier, joined.parts)
            session.control.count("parts/ended", ended)
            item.body = joined.body
            item.content_hash = content_hash(joined.body)
            item.parts = 1 + len(joined.parts)
            session.control.count("parts/joined", len(joined.parts))
        return item

    def _page_of(self, response: TextResponse) -> Page | None:
        page = self._session.pages.analysis(response).page
        # Large pages have their trial when their turn comes in the queue.
        return None if self._session.trials.wanted(page) else page

    def _allows(self, url: str) -> bool:
        session = self._session
        if session.control.stopping or session.scope.exclusion(url) is not None:
            return False
        return session.order.refusal(url) is None
