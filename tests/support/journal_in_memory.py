"""A journal of several ends in memory."""

from __future__ import annotations

from collections.abc import Sequence


class OneJournal:
    """One end of a journal; the other ends share its entries."""

    def __init__(self, entries: list[tuple[object, bytes]] | None = None) -> None:
        self.entries = [] if entries is None else entries
        self.read = self.own = 0

    def other_end(self) -> OneJournal:
        """One more worker's end."""
        return OneJournal(self.entries)

    def append(self, entries: Sequence[bytes]) -> None:
        self.own = len(self.entries)
        self.entries.extend((self, entry) for entry in entries)

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        found: list[bytes] = []
        end = self.own if before_own else len(self.entries)
        while self.read < end and len(found) < limit:
            author, entry = self.entries[self.read]
            self.read += 1
            if author is not self:
                found.append(entry)
        return found
