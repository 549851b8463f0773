"""What is still sound in a damaged queue, in a form that any backend can take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import Frontier, QueuedLink

T = TypeVar("T")

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
            for piece in _pieces(links):
                frontier.mark_ended(piece, given_up=given_up)
        for piece in _pieces(part.waiting):
            frontier.push(piece)
        for entries in _pieces(part.journal):
            frontier.journal.append(entries)


def _pieces(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while piece := list(islice(iterator, _PIECE)):
        yield piece
