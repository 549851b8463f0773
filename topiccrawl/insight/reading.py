"""Overviews from a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topiccrawl.insight.overview import Overview

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store

__all__ = ["read_overview"]


async def read_overview(
    store: Store, topic: str, on_page: Callable[[], None] = lambda: None
) -> Overview:
    """Return the overview of all kept pages of *topic*, calling *on_page* for each."""
    headlines = []
    async for headline in store.headlines(topic):
        headlines.append(headline)
        on_page()
    return Overview.of(headlines)
