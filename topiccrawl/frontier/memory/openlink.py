"""What the memory frontier knows of one open link."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import QueuedLink

#: (-score, order of first push, record); orders are unique, so records are never compared.
Entry = tuple[float, int, "Record"]


class State(IntEnum):
    """Where a link stands."""

    QUEUED = 0
    DELAYED = 1
    LEASED = 2
    CLOSED = 3
    """No longer open; heaps may still hold entries of such a record."""


class Record:
    """One open link: what was pushed, and what became of it since."""

    __slots__ = (
        "entry",
        "failures",
        "flying",
        "link",
        "order",
        "reason",
        "returned",
        "returns",
        "score",
        "started",
        "state",
        "until",
    )

    def __init__(self, link: QueuedLink, order: int) -> None:
        self.link = link
        self.score = link.evidence.score
        """The present score; ``link.evidence`` may lag behind after a rescore."""
        self.order = order
        self.state = State.QUEUED
        self.entry: Entry | None = None
        """The entry that stands for this record; any other one in a heap is out of date."""
        self.failures = 0
        self.returns = 0
        """Times it came back from an expired lease."""
        self.returned = False
        """Whether it waits because it came back, so that its outcome may still be recorded."""
        self.flying = False
        """Leased, and its transfer is not over."""
        self.started = False
        """Whether it was ever handed out."""
        self.until = 0.0
        """End of the lease, or retry time."""
        self.reason: str | None = None
