"""Index of pages in the collection: titles and texts of this run, of other workers and of earlier runs."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from topiccrawl.crawl.journal import KeptTitle
from topiccrawl.dedup.titles import BodyIndex, TitleIndex
from topiccrawl.page.title import strip_site_tail
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.topics.topic import Topic

logger = logging.getLogger(__name__)


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
            logger.warning("Titles of earlier runs cannot be read yet: %(e)s", {"e": error})
            return
        self._loaded = True


def title_key(title: str) -> str:
    """Return the part of a title that names the page, normalized: the site's tail is cut."""
    return normalize(strip_site_tail(title))
