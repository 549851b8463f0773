"""All that a crawl computes of one page, without a crawl."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.page_items import item_of
from topiccrawl.crawl.copies.titles import title_key
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.dedup.signing import Signer
from topiccrawl.items import PageItem
from topiccrawl.page.paging import find_paging
from topiccrawl.pipelines.body import BodyExtractionPipeline
from topiccrawl.pipelines.details import PageDetailsPipeline
from topiccrawl.pipelines.drops import PageDropped
from topiccrawl.store.compared import compared_page
from topiccrawl.urls.novelty import page_text


@dataclass
class WholeAnalysis:
    """Passes pages through analysis, classifier and pipelines of one session; stores nothing."""

    session: CrawlSession

    def __post_init__(self) -> None:
        self.body = BodyExtractionPipeline(0, keep_short=True)
        self.details = PageDetailsPipeline.from_session(self.session)
        self.signer = Signer()

    def __call__(self, data: bytes, url: str = "http://a.example/1", charset: str = "") -> PageItem:
        """Return the item of a page as the store gets it."""
        session = self.session
        item = item_of(session, data, url)
        analysis = item.analysis
        analysis.page.declared_charset = charset or None
        view = page_view(item.url, analysis)
        _ = analysis.links, page_text(analysis.page.visible_text, url), analysis.page.noindex
        _ = analysis.page.trail, find_paging(analysis.page, str)
        session.judging.classifier.judge(view)
        try:
            self.body.process_page(item)
        except PageDropped:
            item.title, item.body = analysis.page.title, analysis.page.body
        item.relevance = analysis.relevance.score
        self.details.process_page(item)
        self.signer.sign(compared_page(item))
        title_key(item.title)
        return item
