"""What a stored web is, whatever it is stored in: pages by URL, and topics whose truth is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["StoredPage", "Web", "WebTopic"]


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One answer of the stored web, as its server gave it."""

    url: str
    """The canonical address; see :func:`topiccrawl.evaluation.webs.urls.web_key`."""
    body: bytes
    """Undecoded, uncompressed."""
    content_type: str = "text/html"
    """The header as it was, possibly without a charset."""
    status: int = 200
    location: str = ""
    """Where a redirect leads, absolute; empty for anything else."""


@dataclass(frozen=True, slots=True)
class WebTopic:
    """A topic with what the crawler is told of it, and what only the judge knows."""

    name: str
    keywords: tuple[str, ...]
    examples: tuple[str, ...]
    """Addresses of pages on the topic that the crawler may be given as samples."""
    seeds: Mapping[str, tuple[str, ...]]
    """Seed addresses by the name of the set ("near", "far", ...)."""
    relevant: frozenset[str]
    """Addresses of all pages on the topic: never shown to the crawler."""
    description: str = ""
    negatives: tuple[str, ...] = field(default=())


class Web(Protocol):
    """A web that stands still."""

    name: str
    language: str

    @property
    def topics(self) -> Sequence[WebTopic]:
        """What can be looked for in it."""

    def __len__(self) -> int:
        """Number of stored pages."""

    def urls(self) -> Iterator[str]:
        """Return all addresses, in a fixed order."""

    def get(self, url: str) -> StoredPage | None:
        """Return the page under a canonical address, or None if it is not stored."""

    def close(self) -> None:
        """Give the file back."""
