"""Reading of stored pages for an export."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from topiccrawl.export.selection import Conditions, Selection
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.values import EPOCH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from topiccrawl.export.writers import PageWriter
    from topiccrawl.store.columns import Column
    from topiccrawl.store.contract import PageOrder, Store
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
    selection: Selection,
    columns: Sequence[Column],
    writer: PageWriter,
    tick: Callable[[], None],
) -> int:
    """Write the *columns* of the selected pages; return their number.

    *tick* is called for each page that is read.
    """
    written = 0
    async with aclosing(_pages(store, topic, selection)) as pages:  # type: ignore[type-var]
        async for page in pages:
            if selection.limit is not None and written >= selection.limit:
                break
            tick()
            if selection.conditions.matches(page):
                writer.row([column.exported(page) for column in columns])
                written += 1
    writer.finish()
    return written


async def _pages(store: Store, topic: str, selection: Selection) -> AsyncIterator[PageRecord]:
    """Yield the pages of *topic* among which the selected ones are, in their order."""
    if selection.standing == "near-miss":
        near = [unpack_near_miss(it) async for it in store.near_misses(topic)]
        for page in sorted(filter(None, near), key=_KEYS[selection.order]):
            yield page
        return
    conditions = selection.conditions
    options: dict[str, Any] = {} if conditions.since is None else {"since": conditions.since}
    found = store.pages(
        topic,
        order=selection.order,
        # A limit lets a backend sort the first few instead of everything.
        limit=selection.limit if conditions == Conditions() else None,
        withdrawn=selection.standing == "withdrawn",
        copies=selection.copies,
        **options,
    )
    async with aclosing(found) as pages:  # type: ignore[type-var]
        async for page in pages:
            yield page
