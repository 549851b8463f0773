"""Near misses on their way into the store, at most a given number for each topic."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from topiccrawl.store.contract import PageRecord, StoreUnavailable
from topiccrawl.store.near_misses import pack_near_miss

if TYPE_CHECKING:
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: The surplus is deleted whenever this share of the limit was added: the store holds at most this much
#: more, and deleting costs little for each page.
_SURPLUS: Final = 0.1
#: Characters of a text that are packed at once: up to 10 ms; 150,000 of them take 240 ms (2026-11).
_AT_ONCE: Final = 10_000


class NearMisses:
    """Stores near misses; beyond *most*, the least probable ones are deleted."""

    def __init__(self, store: StoreWriter | None, most: int) -> None:
        self._store = store
        self._most = most
        self._added = 0

    @property
    def wanted(self) -> bool:
        """Whether near misses are stored at all."""
        return self._store is not None and self._most > 0

    async def put(self, page: PageRecord, probability: float) -> None:
        """Store *page* as a near miss; it is durable when this returns.

        Raises:
            StoreUnavailable: it can be kept neither in the store nor in the spool.
        """
        if self._store is None or self._most == 0:
            return
        if len(page.body) > _AT_ONCE:
            packed = await asyncio.to_thread(pack_near_miss, page, probability)
        else:
            packed = pack_near_miss(page, probability)
        await self._store.put(packed)
        self._added += 1
        if self._added > _SURPLUS * self._most:
            await self.trim()

    async def trim(self) -> None:
        """Delete the surplus if any was added; while the store is away, the next call does it."""
        if self._store is None or not self._added:
            return
        added, self._added = self._added, 0  # others may be added meanwhile
        try:
            await self._store.store.trim_near_misses(self._store.topic, self._most)
        except StoreUnavailable as error:
            logger.debug("Near misses cannot be trimmed yet: %(e)s", {"e": error})
            self._added += added
