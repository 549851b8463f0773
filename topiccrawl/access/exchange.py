"""Requests of a login and their answers, independent of what sends them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of a login; its ``repr`` shows neither body nor headers, which hold secrets."""

    url: str = field(repr=False)
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What no log line may show."""


class Got(Protocol):
    """An answer; redirects are not followed."""

    @property
    def url(self) -> str:
        """Address of the request."""

    @property
    def status(self) -> int:
        """Status code."""

    @property
    def body(self) -> bytes:
        """Body, decompressed."""

    def header(self, name: str) -> str:
        """Return the value of a header, ``""`` without it."""

    def all_headers(self, name: str) -> Sequence[str]:
        """Return the values of all headers of this name."""


#: Sends a request without following redirects; raises :class:`Unreachable`.
Fetch: TypeAlias = Callable[[Ask], Awaitable[Got]]


class Unreachable(Exception):  # noqa: N818 - a state of the server
    """There is no answer now; another try later makes sense."""
