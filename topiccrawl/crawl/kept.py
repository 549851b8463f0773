"""Index of pages in the collection: titles and texts of this run, of other workers and of earlier runs."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from topiccrawl import details
from topiccrawl.crawl.journal import KeptTitle
from topiccrawl.dedup.titles import BodyIndex, TitleIndex
from topiccrawl.language import _
from topiccrawl.page.title import strip_site_tail
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.topics.topic import Topic

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Why a page is a duplicate of a kept one."""

    reason: Literal["duplicate-title", "duplicate-body"]
    detail: str


class KeptPages:
    """Index of titles and texts; titles of earlier runs come from the store."""

    def __init__(self, topic: Topic, threshold: float, store: Store | None = None) -> None:
        """*threshold* is the cosine from which two titles are duplicates, in (0, 1]."""
        self.titles = TitleIndex(topic.analyzer.terms, IdfTable().idf, threshold=threshold)
        self.bodies = BodyIndex()
        self._topic = topic.name
        self._store = store
        self._loaded = store is None
        self._loading = asyncio.Lock()

    def add(self, kept: KeptTitle) -> None:
        """Index a page that another worker has kept."""
        self.titles.add(kept.url, kept.title)
        self.bodies.first(kept.url, kept.content_hash)

    def has_title(self, url: str, title: str) -> bool:
        """Whether another kept page has (nearly) this title."""
        return self.titles.find(url, title_key(title)) is not None

    def index(self, url: str, title: str, content_hash: str) -> Duplicate | None:
        """Index a page that is about to be kept, or return why it is a duplicate of a kept page."""
        key = title_key(title)
        match = self.titles.find(url, key)
        if match is not None:
            detail = details.SIMILAR_TITLE(similarity=f"{match.similarity:.2f}", url=match.url)
            return Duplicate("duplicate-title", detail)
        first = self.bodies.first(url, content_hash)
        if first is not None:
            return Duplicate("duplicate-body", details.SAME_TEXT(url=first))
        self.titles.add(url, key)
        return None

    def remove(self, url: str) -> None:
        """Remove a page that is not kept any longer; a URL that is not indexed is ignored."""
        self.titles.remove(url)
        self.bodies.remove(url)

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
                self.titles.add(url, title_key(title))
        except StoreUnavailable as error:
            # An additional reprint is better than a lost page; the next page tries again.
            logger.warning(_("Titles of earlier runs cannot be read yet: %(e)s"), {"e": error})
            return
        self._loaded = True


def title_key(title: str) -> str:
    """Return the part of a title that names the page, normalized: the site's tail is cut."""
    return normalize(strip_site_tail(title))
