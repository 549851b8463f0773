"""The rule of document 001: pages whose titles are similar, or whose texts are equal, are copies.

The titles of all kept pages are in memory: some 0.7 KB each.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from topiccrawl import details
from topiccrawl.crawl.copies.rule import KeptPage, NoRule
from topiccrawl.dedup.titles import BodyIndex, TitleIndex
from topiccrawl.language import _
from topiccrawl.page.title import strip_site_tail
from topiccrawl.store.contract import PageRecord, Store, StoreUnavailable, record_id
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.topics.topic import Topic

logger = logging.getLogger(__name__)


class TitleRule(NoRule):
    """Index of the titles and texts of all pages that are kept and are not copies.

    Titles of earlier runs come from the store, those of other workers from the journal.

    *threshold* is the cosine from which two titles are copies, in (0, 1]; *store* is ``None`` when nothing is stored.
    """

    def __init__(self, topic: Topic, threshold: float, store: Store | None) -> None:
        self._titles = TitleIndex(topic.analyzer.terms, IdfTable().idf, threshold=threshold)
        self._bodies = BodyIndex()
        self._topic = topic.name
        self._store = store
        self._loaded = store is None
        self._loading = asyncio.Lock()

    async def mark(self, page: PageRecord, *, own: bool = False) -> KeptPage:
        """Index the page, or set of which page it is a copy; what it returns then has no title."""
        await self.load()
        kept = KeptPage(page.url, title_key(page.title), page.content_hash)
        page.story, page.copy_of, page.relation, page.relation_detail = page.id, "", "", ()
        if own:
            self.receive(kept)
            return kept
        # Of a page that is stored again, title and text may have changed.
        self.remove(kept.url)
        if match := self._titles.find(kept.url, kept.title):
            similarity = f"{match.similarity:.2f}"
            reason = details.SIMILAR_TITLE(similarity=similarity, url=match.url)
            self._set_copy(page, match.url, "edited", reason)
            return KeptPage(page.url)
        first = self._bodies.first(kept.url, kept.content_hash)
        if first is not None:
            self._set_copy(page, first, "copy", details.SAME_TEXT(url=first))
            return KeptPage(page.url)
        self._titles.add(kept.url, kept.title)
        return kept

    def _set_copy(self, page: PageRecord, url: str, relation: str, reason: str) -> None:
        page.story = record_id(self._topic, url)
        page.copy_of, page.relation, page.relation_detail = url, relation, (reason,)

    def receive(self, kept: KeptPage) -> None:
        """Index a page that another worker has kept; copies have no title and no hash."""
        self.remove(kept.url)
        if kept.title:
            self._titles.add(kept.url, kept.title)
        if kept.content_hash:
            self._bodies.first(kept.url, kept.content_hash)

    def remove(self, url: str) -> None:
        """Remove a page that is not kept any longer; a URL that is not indexed is ignored."""
        self._titles.remove(url)
        self._bodies.remove(url)

    async def load(self) -> None:
        """Index the titles in the store, once; concurrent callers wait for the first."""
        if not self._loaded:
            async with self._loading:
                await self._load()

    async def _load(self) -> None:
        if self._loaded or self._store is None:
            return
        try:
            async for url, title in self._store.titles(self._topic):
                self._titles.add(url, title_key(title))
        except StoreUnavailable as error:
            # An additional reprint is better than a lost page; the next page tries again.
            logger.warning(_("Titles of earlier runs cannot be read yet: %(e)s"), {"e": error})
            return
        self._loaded = True


def title_key(title: str) -> str:
    """Return the part of a title that names the page, normalized: the site's tail is cut."""
    return normalize(strip_site_tail(title))
