"""Former versions of pages on their way into the store, at most a given number for each page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from topiccrawl.store.contract import PageRecord, StoreUnavailable, VersionRecord
from topiccrawl.store.versions import former_version

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: Pages with surplus versions after which these are deleted, instead of at the end of the run.  A guess.
_PAGES: Final = 100


class PageVersions:
    """Makes the versions that changed pages replace; keeps *most* of each page."""

    def __init__(self, store: StoreWriter | None, most: int) -> None:
        self._store = store
        self._most = most
        self._trim: dict[str, None] = {}

    async def former(self, page: PageRecord, replaced_at: datetime) -> VersionRecord | None:
        """Return the version of the stored *page* that another one replaces at *replaced_at*.

        ``None`` if no versions are kept.  It is to be put together with the changed page: in one call
        of :meth:`~topiccrawl.store.writer.StoreWriter.put`.
        """
        if self._store is None or self._most == 0:
            return None
        try:
            known = await self._store.store.versions(self._store.topic, page.url)
        except StoreUnavailable as error:
            logger.debug(
                "The versions of %(url)s cannot be read: %(e)s", {"url": page.url, "e": error}
            )
            known = ()
        if len(self._trim) >= _PAGES:
            await self.trim()
        if len(known) >= self._most:
            self._trim[page.url] = None
        return former_version(page, replaced_at, known[0] if known else None)

    async def trim(self) -> None:
        """Delete surplus versions of changed pages; while the store is away, the next call does it."""
        if self._store is None:
            return
        try:
            while self._trim:
                url = next(iter(self._trim))
                await self._store.store.trim_versions(self._store.topic, url, self._most)
                self._trim.pop(url, None)  # of two calls at once, one has deleted it
        except StoreUnavailable as error:
            logger.debug("Versions cannot be trimmed yet: %(e)s", {"e": error})
