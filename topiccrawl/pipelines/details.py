"""Byline, kind, language, summary and keywords of the pages that are kept.

The pipeline runs behind the filters, so that nothing is computed for pages that are dropped.
"""

from __future__ import annotations

from typing import Self

from topiccrawl.analysis.summarized import SummaryLimits
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.pipelines.base import PagePipeline


class PageDetailsPipeline(PagePipeline):
    """Fills author, source, editor, origin, kind, language, summary and keywords.

    *sentences* and *keywords* limit the length of summary and keywords; 0 leaves them empty.
    With *markdown*, the body as Markdown and the main image, too.
    """

    def __init__(self, sentences: int, keywords: int, *, markdown: bool = False) -> None:
        self._limits = SummaryLimits(sentences, keywords)
        self._markdown = markdown

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Read the limits."""
        settings = session.settings
        return cls(
            settings.summary_sentences,
            settings.keywords,
            markdown=settings.store_markdown,
        )

    def process_page(self, item: PageItem) -> PageItem:
        """Return the filled item; nothing is dropped here."""
        page = item.analysis.page
        byline = page.byline
        item.author = byline.author or ""
        item.source = page.source or item.source
        item.editor = byline.editor or ""
        item.site_name = page.site_name
        item.source_url = page.source_url
        item.kind = page.kind
        item.comments = page.comments
        item.comment_records = tuple(page.comment_records)
        if self._markdown:
            # That of an article on several pages is there already.
            item.markdown = item.markdown or page.markdown
            item.main_image = page.main_image
        found = item.analysis.summarized(item.title, item.body, self._limits)
        item.language = found.language
        item.summary, item.keywords = found.summary, found.keywords
        return item
