"""The response of a served web to one request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers and body of one response."""

    status: int
    content_type: str = ""
    """Value of the Content-Type header; if empty, the header is not sent."""
    body: bytes = b""
    location: str = ""
    """Value of the Location header of a redirect."""
    delay_seconds: float = 0.0
    """How long the server waits before it answers."""
    stream: Callable[[], Iterator[bytes]] | None = None
    """Generates the body in pieces if it is too large to keep in memory; *body* is empty then."""
    streamed_bytes: int = 0

    @property
    def length(self) -> int:
        """Length of the body in bytes."""
        return self.streamed_bytes if self.stream else len(self.body)


class AnsweringWeb(Protocol):
    """A web that a :class:`~topiccrawl.webserver.proxy.WebProxy` can serve."""

    def answer(self, url: str, attempt: int = 1, /) -> Answer | None:
        """Return the response to *url*, or ``None`` if the web has no such host.

        *attempt* is 2 after an earlier answer with status 5xx for the same URL, else 1.
        """
