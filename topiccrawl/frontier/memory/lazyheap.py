"""A heap of links that tolerates changes of their keys."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from topiccrawl.frontier.memory.openlink import OpenLink

#: Out-of-date entries are removed when a heap has doubled since the last time and is longer than this.
#: A guess.
_SHORT = 1024

Key = tuple[float, int]


class LazyHeap:
    """Links by a key that may change, the least key first.

    A link is pushed again whenever its key changes.  Entries with a former key are skipped when they
    come up (lazy deletion).
    """

    def __init__(self, key: Callable[[OpenLink], Key | None]) -> None:
        """*key* returns a link's present key, ``None`` when it does not belong here (any more)."""
        self._key = key
        self._entries: list[tuple[Key, OpenLink]] = []
        self._clear_at = _SHORT

    def __len__(self) -> int:
        """Return the number of entries, out-of-date ones included."""
        return len(self._entries)

    def push(self, *links: OpenLink) -> None:
        """Add links that belong here at their present keys."""
        for link in links:
            key = self._key(link)
            assert key is not None
            heapq.heappush(self._entries, (key, link))
        if len(self._entries) > self._clear_at:
            # Keys are unique to their links, so the order does not depend on that of the list.
            valid = (entry for entry in self._entries if self._key(entry[1]) == entry[0])
            self._entries = list(dict.fromkeys(valid))
            heapq.heapify(self._entries)
            self._clear_at = max(_SHORT, 2 * len(self._entries))

    def first(self) -> OpenLink | None:
        """Return the link with the least key without removing it; ``None`` if the heap is empty."""
        while self._entries:
            key, link = self._entries[0]
            if self._key(link) == key:
                return link
            heapq.heappop(self._entries)
        return None
