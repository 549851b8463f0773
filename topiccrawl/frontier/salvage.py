"""What is still sound in a damaged queue, in a form that any backend can take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from topiccrawl.steps import pieces

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import Frontier, QueuedLink

#: Links or entries that are written at once.
_PIECE: Final = 500


@dataclass(slots=True)
class Salvage:
    """The sound part of a queue, or what is known of it from elsewhere."""

    waiting: list[QueuedLink] = field(default_factory=list)
    """Links to fetch: queued, delayed and leased ones."""
    done: list[QueuedLink] = field(default_factory=list)
    given_up: list[QueuedLink] = field(default_factory=list)
    journal: list[bytes] = field(default_factory=list)
    complete: bool = True
    """Whether everything could be read."""


def refill(frontier: Frontier, parts: Iterable[Salvage]) -> None:
    """Load the *parts* into an empty *frontier*; for a link in several parts, the earliest part counts.

    Within a part, links that are done come before those that wait.
    """
    for part in parts:
        for links, given_up in ((part.done, False), (part.given_up, True)):
            for piece in pieces(links, _PIECE):
                frontier.mark_ended(piece, given_up=given_up)
        for piece in pieces(part.waiting, _PIECE):
            frontier.push(piece)
        for entries in pieces(part.journal, _PIECE):
            frontier.journal.append(entries)
