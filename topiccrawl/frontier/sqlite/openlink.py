"""An open link of the SQLite frontier on its way from one table to another."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.frontier.sqlite.schema import STARTED

#: Finds the rows of a link: the order of its first push, and its host.
RowKey = tuple[int, int]


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
