"""Pages that enter the stories of a topic together, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.dedup.recent import RecentTokens
    from topiccrawl.dedup.signing import SignedPage
    from topiccrawl.store.contract import Membership, OutcomeRecord, PageRecord


class Groups:
    """Disjoint sets of stories (by id) and of entering pages (by URL)."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def find(self, key: str) -> str:
        """Return what stands for the set of *key*; a new key is in one of its own."""
        while (parent := self._parents.setdefault(key, key)) != key:
            self._parents[key] = self._parents[parent]
            key = parent
        return key

    def joined(self, a: str, b: str) -> bool:
        """Return whether both are in one set; a key that was never joined is in none."""
        return a in self._parents and self.find(a) == self.find(b)

    def join(self, a: str, b: str) -> None:
        """Make one set of those of both keys."""
        self._parents[self.find(a)] = self.find(b)

    def sets(self) -> list[list[str]]:
        """Return the keys of each set."""
        found: dict[str, list[str]] = {}
        for key in list(self._parents):
            found.setdefault(self.find(key), []).append(key)
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Entered:
    """A page that was compared."""

    page: PageRecord
    signed: SignedPage
    known: bool
    """Whether the store has all its tokens."""


@dataclass(slots=True)
class Piece:
    """Pages that enter together."""

    tokens: RecentTokens
    """Tokens of the pages that have entered, which the store may lack."""
    groups: Groups = field(default_factory=Groups)
    entered: dict[str, Entered] = field(default_factory=dict)
    alone: dict[str, Membership] = field(default_factory=dict)
    """Pages that cannot be compared."""
    changes: dict[str, Membership] = field(default_factory=dict)
    """Memberships to be written, of entering pages and of others."""
    outcomes: list[OutcomeRecord] = field(default_factory=list)
    joined: int = 0
    """Pages that became copies."""
    freed: int = 0
    """Copies that are listed now."""
