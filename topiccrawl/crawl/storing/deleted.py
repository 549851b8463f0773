"""Pages that the user deleted, and those that are older than they may be kept."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.crawl.storing.retention import expired_pages
from topiccrawl.language import _, ngettext
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.deletion.marks import delete_marked, marked_ids
from topiccrawl.store.ids import record_id

if TYPE_CHECKING:
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)


class DeletedPages:
    """Which pages were deleted and must not be fetched again.

    *retention_days*: for how long pages are kept, 0 for always.
    """

    def __init__(
        self,
        store: StoreWriter | None,
        retention_days: int,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._days = retention_days
        self._clock = clock
        self._ids: set[str] = set()

    def __contains__(self, url: object) -> bool:
        """Whether the page with this canonical URL was deleted."""
        return self._store is not None and record_id(self._store.topic, str(url)) in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    async def open(self) -> int:
        """Delete what is too old, and read what was deleted; return how many pages were too old.

        While the store is away, both are left to the next run.
        """
        if self._store is None:
            return 0
        store, topic, expired = self._store.store, self._store.topic, 0
        try:
            if self._days:
                now = self._clock()
                found = await expired_pages(store, topic, self._days, now)
                expired = await delete_marked(store, topic, found.urls, "retention", now)
                if found.doubtful:
                    logger.warning("%s", found.doubt(topic))
            self._ids = await marked_ids(store, topic)
        except StoreUnavailable as error:
            logger.warning(_("deleted pages cannot be read: %(error)s"), {"error": error})
        if expired:
            logger.info(
                ngettext(
                    "%(count)d page was older than %(days)d days and was deleted",
                    "%(count)d pages were older than %(days)d days and were deleted",
                    expired,
                ),
                {"count": expired, "days": self._days},
            )
        return expired
