"""One open link of the memory frontier, and its state."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import QueuedLink

#: (-score, order of first push, link); orders are unique, so links are never compared.
Entry = tuple[float, int, "OpenLink"]


class State(IntEnum):
    """The state of a link."""

    QUEUED = 0
    DELAYED = 1
    LEASED = 2
    CLOSED = 3
    """No longer open; heaps may still hold entries of such a link."""


class OpenLink:
    """An open link: what was pushed, and its state since then."""

    __slots__ = (
        "entry",
        "failures",
        "in_transfer",
        "offer",
        "order",
        "reason",
        "returned",
        "returns",
        "score",
        "started",
        "state",
        "until",
    )

    def __init__(self, offer: QueuedLink, order: int) -> None:
        self.offer = offer
        """The link as it was pushed, with merged evidence."""
        self.score = offer.evidence.score
        """The present score; that of ``offer.evidence`` is out of date after a rescore."""
        self.order = order
        self.state = State.QUEUED
        self.entry: Entry | None = None
        """The valid entry of this link; any other one in a heap is out of date."""
        self.failures = 0
        self.returns = 0
        """How often it came back from an expired lease."""
        self.returned = False
        """Whether it waits after a return, so that its outcome may still be recorded."""
        self.in_transfer = False
        """Whether it is leased and its transfer is not over."""
        self.started = False
        """Whether it was ever handed out."""
        self.until = 0.0
        """End of the lease, or retry time."""
        self.reason: str | None = None
