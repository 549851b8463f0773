"""The writer of the store that the settings name, with its spool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter

if TYPE_CHECKING:
    from topiccrawl.crawl.settings import CrawlSettings


def crawl_spool(topic: str, settings: CrawlSettings) -> Spool:
    """Return the spool in which records of *topic* wait for a store that is away."""
    return Spool(Path(settings.spool_dir), topic, settings.store_uri)


def crawl_store(topic: str, settings: CrawlSettings) -> StoreWriter | None:
    """Return the writer of a crawl, not open yet; ``None`` if TOPICCRAWL_STORE_URI is empty."""
    if not settings.store_uri:
        return None
    return StoreWriter(
        open_store(settings.store_uri),
        crawl_spool(topic, settings),
        batch_size=settings.store_batch_pages,
        flush_seconds=settings.store_flush_seconds,
    )


def writer_at_once(topic: str, settings: CrawlSettings) -> StoreWriter:
    """Return a writer that waits for no further records, for changes outside a crawl."""
    return StoreWriter(
        open_store(settings.store_uri), crawl_spool(topic, settings), flush_seconds=0
    )
