"""A journal of several ends in memory."""

from __future__ import annotations

from collections.abc import Sequence


class OneJournal:
    """One end of a journal; the other ends share its entries."""

    def __init__(self, entries: list[tuple[object, bytes]] | None = None) -> None:
        self.entries = [] if entries is None else entries
        self.read = 0

    def other_end(self) -> OneJournal:
        """One more worker's end."""
        return OneJournal(self.entries)

    def append(self, entries: Sequence[bytes]) -> None:
        self.entries.extend((self, entry) for entry in entries)

    def read_new(self, limit: int = 500) -> list[bytes]:
        found = []
        while self.read < len(self.entries) and len(found) < limit:
            author, entry = self.entries[self.read]
            self.read += 1
            if author is not self:
                found.append(entry)
        return found
