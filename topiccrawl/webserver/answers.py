"""What the demonstration web answers to a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers and body of one response."""

    status: int
    content_type: str = ""
    """Value of the Content-Type header; empty: the header is not sent."""
    body: bytes = b""
    location: str = ""
    """Value of the Location header of a redirect."""
    delay_seconds: float = 0.0
    """How long the server waits before it answers."""
    stream: Callable[[], Iterator[bytes]] | None = None
    """Makes the body in pieces, when it is too large to keep; *body* is empty then."""
    streamed_bytes: int = 0

    @property
    def length(self) -> int:
        """Length of the body in bytes."""
        return self.streamed_bytes if self.stream else len(self.body)
