"""Pages that the user deleted, and those that are older than they may be kept."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from topiccrawl.language import _
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.deleted import delete_marked, marked_ids
from topiccrawl.store.ids import record_id
from topiccrawl.store.near_misses import unpack_near_miss

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.store.writer import StoreWriter

__all__ = ["DeletedPages", "expired_urls"]

logger = logging.getLogger(__name__)


class DeletedPages:
    """Which pages of *topic* were deleted and must not be fetched again.

    Parameters
    ----------
    retention_days
        Days for which pages are kept, 0 for always.
    """

    def __init__(
        self,
        topic: str,
        store: StoreWriter | None,
        retention_days: int = 0,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._topic = topic
        self._store = store
        self._days = retention_days
        self._clock = clock
        self._ids: set[str] = set()

    def __contains__(self, url: object) -> bool:
        """Whether the page with this canonical URL was deleted."""
        return record_id(self._topic, str(url)) in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    async def open(self) -> int:
        """Delete what is too old, and read what was deleted; return how many pages were too old.

        While the store is away, both are left to the next run.
        """
        if self._store is None:
            return 0
        store, expired = self._store.store, 0
        try:
            if self._days:
                now = self._clock()
                urls = await expired_urls(store, self._topic, self._days, now)
                expired = await delete_marked(store, self._topic, urls, "retention", now)
            self._ids = await marked_ids(store, self._topic)
        except StoreUnavailable as error:
            logger.warning(_("deleted pages cannot be read: %(error)s"), {"error": error})
        if expired:
            logger.info(
                _("%(count)d pages were older than %(days)d days and were deleted"),
                {"count": expired, "days": self._days},
            )
        return expired


async def expired_urls(store: Store, topic: str, days: int, now: datetime) -> list[str]:
    """Return the pages of *topic*, kept or withdrawn, that were first fetched more than *days* ago.

    Near misses of that age are among them.
    """
    before = now - timedelta(days=days)
    found: list[str] = []
    async with aclosing(store.headlines(topic)) as headlines:  # type: ignore[type-var]
        found.extend([it.url async for it in headlines if it.first_seen < before])
    async with aclosing(store.pages(topic, withdrawn=True)) as pages:  # type: ignore[type-var]
        found.extend([it.url async for it in pages if (it.first_seen or it.fetched_at) < before])
    async with aclosing(store.near_misses(topic)) as near_misses:  # type: ignore[type-var]
        async for near_miss in near_misses:
            page_of = unpack_near_miss(near_miss)
            if page_of is not None and page_of.fetched_at < before:
                found.append(near_miss.url)
    return found
