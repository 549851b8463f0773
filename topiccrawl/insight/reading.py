"""Overviews from a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from topiccrawl.insight.overview import Overview
from topiccrawl.store.values import to_milliseconds

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store


async def read_overview(
    store: Store, topic: str, on_page: Callable[[], None] = lambda: None
) -> Overview:
    """Return the overview of all kept pages of *topic*, calling *on_page* for each that is no copy."""
    headlines = []
    async for headline in store.headlines(topic):
        headlines.append(headline)
        if not headline.copy_of:
            on_page()
    return await asyncio.to_thread(Overview.of, headlines)


async def read_changes(store: Store, topic: str, overview: Overview, since: datetime) -> Overview:
    """Return *overview* with what changed in the store since it was read; itself if nothing did."""
    changed = [it async for it in store.headlines(topic, since=since)]
    updated = await asyncio.to_thread(overview.updated, changed) if changed else overview
    if await _was_forgotten(store, topic, updated):
        return await read_overview(store, topic)
    return updated


async def _was_forgotten(store: Store, topic: str, overview: Overview) -> bool:
    """Return whether all pages were deleted at once, which leaves no traces, and perhaps fetched again.

    Then the page that was seen first is not stored, or was first seen later.
    """
    if not len(overview):
        return False
    row = int(overview.columns.first_seen.argmin())
    page = await store.page(topic, overview.columns.url[row])
    if page is None:
        return True
    return to_milliseconds(page.first_seen or page.fetched_at) > int(
        overview.columns.first_seen[row]
    )
