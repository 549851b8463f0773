"""What an import has brought so far, and under which URL an entry enters the collection."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl import details
from topiccrawl.imports.reasons import BEFORE, NEWER
from topiccrawl.store.reasons import DELETED
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Collection

    from topiccrawl.imports.entries import Entry
    from topiccrawl.page.paging import Paging
    from topiccrawl.store.contract import Store


class ImportedEntries:
    """Entries whose import is complete, of all runs and workers: a receiver of the journal."""

    def __init__(self) -> None:
        self._urls: dict[str, int] = {}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._urls)

    def receive(self, key: str, url: str) -> None:
        """Add an entry, which became the page *url*."""
        self._urls[key] = link_id(url)

    def in_store(self, ids: Collection[int]) -> frozenset[str]:
        """Return the keys of the entries whose pages are among *ids* (:func:`link_id`)."""
        return frozenset(key for key, id in self._urls.items() if id in ids)


async def outcome_ids(store: Store, topic: str) -> set[int]:
    """Return the ids of the URLs of which the store has an outcome; deleted pages have none."""
    outcomes = store.outcomes(topic)
    return {link_id(outcome.url) async for outcome in outcomes if outcome.reason != DELETED}


class HeldEntries:
    """Parts of articles on several pages, in a temporary file until the whole import was read.

    Their order is any: only then is it known which parts there are.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 — closed with the import
        self._at: dict[str, int] = {}
        self._order: list[tuple[str, int, str]] = []

    def add(self, url: str, paging: Paging, entry: Entry) -> None:
        """Hold the entry at *url* that is part *paging* of an article."""
        self._at[canonical_url(url)] = self._file.seek(0, os.SEEK_END)
        pickle.dump(replace(entry, held=True), self._file)
        self._order.append((paging.key, paging.number, url))

    def get(self, url: str) -> Entry | None:
        """Return the entry that is held for *url*."""
        at = self._at.get(canonical_url(url))
        if at is None:
            return None
        self._file.seek(at)
        entry: Entry = pickle.load(self._file)
        return entry

    def urls(self) -> list[str]:
        """Return the URLs, the parts of an article in order, its first one first."""
        return [url for _key, _number, url in sorted(self._order)]

    def close(self) -> None:
        """Delete the file."""
        self._file.close()


class ImportCounts:
    """Numbers of one import."""

    def __init__(self) -> None:
        self.entries = 0
        """Pages and documents that were read."""
        self.links = 0
        """Links that were added to the queue."""
        self.urls = 0
        """Lines of a list of URLs."""
        self.queued = 0
        """URLs of a list that are new to the queue."""
        self.left_out: Counter[str] = Counter()
        """Files that gave no entry, by reason."""
        self.examples: dict[str, str] = {}
        """The first of them, by reason."""

    @property
    def found_anything(self) -> bool:
        """Whether there was anything to import, now or before."""
        return bool(self.entries or self.urls or self.left_out.keys() & {BEFORE, NEWER})

    def leave_out(self, reason: str, name: str) -> None:
        """Count a file that is left out."""
        self.left_out[reason] += 1
        self.examples.setdefault(reason, name)


class Addresses:
    """Decides under which URL an entry enters the collection, so that nothing stored is lost.

    *store* is open; ``None`` without one.
    """

    def __init__(self, store: Store | None, topic: str) -> None:
        self._store = store
        self._topic = topic
        self._taken: dict[int, datetime] = {}

    async def url_of(self, entry: Entry) -> str | None:
        """Return the URL for *entry*; ``None`` if there is a later version of the page already.

        A URL that the saving program wrote is the page's own.  One that the page states of itself may
        be wrong: it is taken only if no other page has it, and else the entry keeps its ``file:`` URL,
        so that it is compared with the other page as any two are.
        """
        origin = entry.origin
        if not origin.url:
            return entry.url
        canonical = canonical_url(origin.url)
        saved_at = origin.saved_at or datetime.now(UTC)
        other = self._taken.get(link_id(canonical)) or await self._stored(canonical, entry)
        if other is not None:
            if not origin.sure:
                return entry.url
            if other >= saved_at:
                return None
        self._taken[link_id(canonical)] = saved_at
        return origin.url

    async def _stored(self, canonical: str, entry: Entry) -> datetime | None:
        """Return when the stored page was fetched that has the URL, unless it is of the same file."""
        page = None if self._store is None else await self._store.page(self._topic, canonical)
        if page is None or page.found_by == details.IMPORTED(file=entry.url):
            return None
        return page.fetched_at
