"""Links of the SQLite frontier inside a transaction: on their way from one table to another, and as offers
find them.
"""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.frontier.sqlite.schema import STARTED

#: Finds the rows of a link: the order of its first push, and its host.
RowKey = tuple[int, int]


@dataclass(slots=True)
class KnownLink:
    """A link that has a row, as an offer finds it; what the offer changes is changed here, too."""

    ord: int
    host: int
    score: float | None
    """Of a link that waits; ``None`` for any other."""
    depth: int | None
    """The same."""

    @property
    def key(self) -> RowKey:
        """Where its rows are."""
        return self.ord, self.host


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that was taken out of its state; the fields are the columns ``schema.MOVING``."""

    host: int
    ord: int
    id: int
    score: float
    failures: int
    returns: int
    flags: int

    @property
    def started(self) -> bool:
        """Whether it was handed out before."""
        return bool(self.flags & STARTED)

    def row(self) -> tuple[int, int, int, float, int, int, int]:
        """Return the values of the columns ``schema.MOVING``."""
        return (
            self.host,
            self.ord,
            self.id,
            self.score,
            self.failures,
            self.returns,
            self.flags,
        )
