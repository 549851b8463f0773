"""Reading of stored pages for an export."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from topiccrawl.export.selection import Selection
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.values import EPOCH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from datetime import datetime

    from topiccrawl.export.writers import PageWriter
    from topiccrawl.store.columns import Column
    from topiccrawl.store.contract import PageOrder, Standing, Store
    from topiccrawl.store.records import PageRecord

#: Order of near misses, which the store returns by probability.
_KEYS: dict[PageOrder, Callable[[PageRecord], Any]] = {
    "fetched": lambda page: page.fetched_at,
    "relevance": lambda page: -page.relevance,
    "published": lambda page: EPOCH - (page.published_at or EPOCH),
}


async def export_pages(
    store: Store,
    topic: str,
    writer: PageWriter,
    columns: Sequence[Column],
    selection: Selection,
    *,
    standing: Standing = "kept",
    order: PageOrder = "fetched",
    limit: int | None = None,
    copies: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> int:
    """Write the *columns* of the selected pages, at most *limit*; return their number.

    Copies of other pages are among them only with *copies*, or when they were withdrawn.
    *tick* is called for each page that is read.
    """
    written = 0
    # A limit lets a backend sort the first few instead of everything.
    most = limit if selection == Selection() else None
    found = _pages(store, topic, standing, order, most, copies, selection.since)
    async with aclosing(found) as pages:  # type: ignore[type-var]
        async for page in pages:
            if limit is not None and written >= limit:
                break
            tick()
            if selection.matches(page):
                writer.row([column.exported(page) for column in columns])
                written += 1
    writer.finish()
    return written


async def _pages(
    store: Store,
    topic: str,
    standing: Standing,
    order: PageOrder,
    limit: int | None,
    copies: bool,
    since: datetime | None,
) -> AsyncIterator[PageRecord]:
    """Yield the pages of *topic* with this *standing*, in *order*."""
    if standing == "near-miss":
        near = [unpack_near_miss(it) async for it in store.near_misses(topic)]
        for page in sorted(filter(None, near), key=_KEYS[order]):
            yield page
        return
    options: dict[str, Any] = {} if since is None else {"since": since}
    found = store.pages(
        topic, order=order, limit=limit, withdrawn=standing == "withdrawn", copies=copies, **options
    )
    async with aclosing(found) as pages:  # type: ignore[type-var]
        async for page in pages:
            yield page
