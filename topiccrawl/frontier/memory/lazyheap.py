"""Heaps of records that tolerate records changing behind their back."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from topiccrawl.frontier.memory.openlink import Record

#: Out-of-date entries are cleared when a heap has doubled since the last time, and is longer than
#: this.
_SHORT = 1024

Key = tuple[float, int]


class LazyHeap:
    """Records by a key that may change; the least key first.

    A record is pushed again whenever its key changes.  Entries whose key is no longer their record's
    are skipped when they come up.
    """

    def __init__(self, key: Callable[[Record], Key | None]) -> None:
        """*key* returns a record's present key, ``None`` when it does not belong here (any more)."""
        self._key = key
        self._entries: list[tuple[Key, Record]] = []
        self._clear_at = _SHORT

    def __len__(self) -> int:
        """Entries, out-of-date ones included."""
        return len(self._entries)

    def push(self, *records: Record) -> None:
        """Add records that belong here at their present keys."""
        for record in records:
            key = self._key(record)
            assert key is not None
            heapq.heappush(self._entries, (key, record))
        if len(self._entries) > self._clear_at:
            # Keys are unique to their records, so the order does not depend on that of the list.
            valid = (entry for entry in self._entries if self._key(entry[1]) == entry[0])
            self._entries = list(dict.fromkeys(valid))
            heapq.heapify(self._entries)
            self._clear_at = max(_SHORT, 2 * len(self._entries))

    def first(self) -> Record | None:
        """Return the record with the least key, ``None`` when there is none; it stays."""
        while self._entries:
            key, record = self._entries[0]
            if self._key(record) == key:
                return record
            heapq.heappop(self._entries)
        return None
