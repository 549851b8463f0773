"""Store pipeline: writes pages to the store and returns when they are durable."""

from __future__ import annotations

import asyncio
import zlib
from typing import Final, NoReturn, Self

from scrapy.exceptions import NotConfigured

from topiccrawl import details
from topiccrawl.crawl.judgments.deciding import Decision
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.crawl.storing.records import kept_verdict
from topiccrawl.items import PageItem
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import OffTopic, RejectedText, Unchanged
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.reasons import JUDGED
from topiccrawl.store.writer import StoreWriter

#: Bytes of a page that is compressed in a thread: fewer take up to 10 ms (a choice).
_LARGE: Final = 200_000


class StorePipeline(PagePipeline):
    """Writes every page that arrives to the store named by TOPICCRAWL_STORE_URI, near misses apart."""

    def __init__(self, session: CrawlSession, store: StoreWriter) -> None:
        self._session = session
        self._store = store

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's store; off when TOPICCRAWL_STORE_URI is empty."""
        if session.store is None:
            raise NotConfigured("TOPICCRAWL_STORE_URI is empty: nothing is stored")
        return cls(session, session.store)

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item once its record is durable, in the store or in the spool.

        Raises :class:`OffTopic`, or :class:`RejectedText`, for a near miss once that is durable.
        """
        session, decision = self._session, item.decision
        if decision is not None and decision.near_miss:
            await self._put_near_miss(item, decision)
        verdict, reason, detail = kept_verdict(
            item,
            JUDGED if decision is not None and decision.judged else "relevant",
            decision.detail if decision is not None else "",
        )
        if session.settings.store_html:
            raw = item.analysis.page.raw
            large = len(raw) > _LARGE
            item.html = await asyncio.to_thread(zlib.compress, raw) if large else zlib.compress(raw)
        visits = session.visits
        written = None if visits is None else await visits.written(item)
        if visits is not None and written is not None and written.same:
            await visits.same(item, written)
            session.copies.not_stored(item.url)
            raise Unchanged(details.UNCHANGED())
        try:
            result = await self._store.put(
                item,
                session.records.of_item(item, verdict, reason, detail),
                None if written is None else written.visit,
                None if written is None else written.version,
            )
        except StoreUnavailable as error:
            session.control.lose_store(error)
            raise PageLostError from error
        if visits is not None and written is not None:
            visits.recorded(item, written)
        if result is not WriteResult.SPOOLED:
            session.copies.durable(item.url)
        if result is WriteResult.REJECTED:
            # The writer has logged it and set the record aside; the crawl goes on.
            session.control.count("pages/rejected_by_store")
        else:
            self._count(item)
        return item

    async def _put_near_miss(self, item: PageItem, decision: Decision) -> NoReturn:
        """Store a near miss beside the collection, and drop it."""
        session = self._session
        dropped = RejectedText if decision.same_as else OffTopic
        if item.revisit is not None:
            # What is stored of it stays as it was.
            raise dropped(decision.detail)
        try:
            await session.near_misses.put(item, decision.probability)
        except StoreUnavailable as error:
            session.control.lose_store(error)
            raise PageLostError from error
        session.control.count("pages/near_misses")
        raise dropped(details.NEAR_MISS(detail=decision.detail))

    def _count(self, item: PageItem) -> None:
        """Count a page that is durable."""
        session = self._session
        if item.revisit is not None:
            session.control.count("refresh/rewritten")
            return
        if item.copy_of:
            session.progress.copies += 1
            session.control.count(f"copies/{item.relation}")
            session.control.count("pages/copies")
        else:
            session.progress.stored += 1
            session.control.count("pages/stored")
        if item.kind:
            session.control.count(f"pages/kind/{item.kind}")
