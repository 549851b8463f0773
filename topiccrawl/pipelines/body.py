"""BodyExtraction: title, body and publish time from the page's one analysis (document 001)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.dedup.titles import content_hash
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import NoBody, NoIndex, NotHtml

if TYPE_CHECKING:
    from typing import Self

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


class BodyExtractionPipeline(PagePipeline):
    """Fills title, body and publish time; drops pages without a body of their own."""

    def __init__(self, min_chars: int) -> None:
        self._min_chars = min_chars

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Read the least length of a body."""
        return cls(session.settings.body_min_chars)

    def process_page(self, item: PageItem) -> PageItem:
        """Raise :class:`NotHtml`, :class:`NoIndex` or :class:`NoBody`, or return the filled item."""
        page = item.analysis.page
        if not page.looks_like_html:
            raise NotHtml("the response is binary data or plain text, not HTML")
        item.title = page.title
        item.body = page.body
        if page.noindex:
            raise NoIndex("robots meta contains noindex")
        if len(item.body) < self._min_chars:
            raise NoBody(f"{len(item.body)} characters of body, at least {self._min_chars} needed")
        item.published_at = page.published
        item.content_hash = content_hash(item.body)
        return item
