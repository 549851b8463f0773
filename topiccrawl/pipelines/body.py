"""BodyExtraction: title, body and publish time from the page's one analysis (document 001)."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from types import MappingProxyType
from typing import Self

from topiccrawl import details
from topiccrawl.crawl.judgments.deciding import kept_for_name
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.dedup.titles import content_hash
from topiccrawl.documents.page import DocumentPage
from topiccrawl.documents.unreadable import unreadable_detail
from topiccrawl.items import PageItem
from topiccrawl.page.short import stated_summary
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import (
    DeletedByUser,
    NoBody,
    NoIndex,
    NotContentDropped,
    NotHtml,
    SiteFileRead,
    Unreadable,
)


class BodyExtractionPipeline(PagePipeline):
    """Fills title, body and publish time; drops pages without anything of their own.

    A body has at least *min_chars* characters.  With *keep_short*, pages about one thing pass with less;
    so do pages that the user judged relevant.  A scanned document with a keyword in its name passes if
    the page that links it is *kept*, by canonical URL.  *deleted* pages, which are fetched only if they are
    seeds, are dropped.
    """

    def __init__(
        self,
        min_chars: int,
        *,
        keep_short: bool = False,
        judgments: Mapping[str, bool] = MappingProxyType({}),
        kept: Callable[[str], bool] = lambda url: False,
        deleted: Container[str] = (),
    ) -> None:
        self._min_chars = min_chars
        self._keep_short = keep_short
        self._judgments = judgments
        self._kept = kept
        self._deleted = deleted

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Read the settings; share the session's judgments."""
        settings = session.settings
        return cls(
            settings.body_min_chars,
            keep_short=settings.keep_short_pages,
            judgments=session.judging.judgments,
            kept=session.judging.is_kept,
            deleted=session.deleted,
        )

    def _without_text(self, item: PageItem, page: DocumentPage) -> PageItem:
        """Return the item of a scan that is kept for its name; raise :class:`Unreadable` for others."""
        document = page.document
        item.title = page.title
        if (
            document.reason == "no-text-layer"
            and item.analysis.title_hit
            and (self._judgments.get(item.url, False) or self._kept(item.attached_to))
        ):
            item.decision = kept_for_name(item.analysis, item.attached_to)
            item.published_at = page.published
            item.content_hash = content_hash(f"{item.title}\n")
            return item
        raise Unreadable(unreadable_detail(document), document.reason)

    def process_page(self, item: PageItem) -> PageItem:
        """Return the filled item.

        Raises :class:`SiteFileRead`, :class:`NotHtml`, :class:`NotContentDropped`,
        :class:`NoIndex` or :class:`NoBody`.
        """
        if item.url in self._deleted:
            raise DeletedByUser(details.DELETED())
        if item.site_file:
            raise SiteFileRead(item.site_file)
        page = item.analysis.page
        if isinstance(page, DocumentPage) and not page.looks_like_html:
            return self._without_text(item, page)
        if not page.looks_like_html:
            raise NotHtml(details.NOT_HTML())
        item.title = page.title
        if (found := item.analysis.not_content) is not None and not self._judgments.get(item.url):
            raise NotContentDropped(details.NOT_CONTENT(detail=found.reason), found.kind)
        item.body = page.body
        # Programs that save pages add it to their copies.
        if page.noindex and not item.imported:
            raise NoIndex(details.NOINDEX())
        if len(item.body) >= self._min_chars:
            item.content_hash = item.analysis.body_hash
            return item
        judged = self._judgments.get(item.url, False)
        if not judged and not (self._keep_short and page.is_single_item):
            raise NoBody(details.SHORT_BODY(n=len(item.body), least=self._min_chars))
        item.body = item.body or stated_summary(page)
        # Little text is often equal, or none at all: only the same title makes it the same page.
        item.content_hash = content_hash(f"{item.title}\n{item.body}")
        return item
