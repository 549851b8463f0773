"""The interface of stored webs: pages by URL, and topics with known relevant pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One stored response, as the server sent it."""

    url: str
    """Key of the page; see :func:`topiccrawl.evaluation.webs.urls.web_key`."""
    body: bytes
    """Bytes, not decoded, without content encoding."""
    content_type: str = "text/html"
    """Value of the Content-Type header, possibly without a charset."""
    status: int = 200
    location: str = ""
    """Absolute URL of a redirect's target; empty for other responses."""


@dataclass(frozen=True, slots=True)
class WebTopic:
    """A topic: its definition for the crawler, and labels that only the judge uses."""

    name: str
    keywords: tuple[str, ...]
    examples: tuple[str, ...]
    """URLs of pages on the topic that may serve as samples for the crawler."""
    seeds: Mapping[str, tuple[str, ...]]
    """Seed URLs by the name of the seed set ("near", "far", ...)."""
    relevant: frozenset[str]
    """URLs of all pages on the topic; never passed to the crawler."""
    description: str = ""
    negatives: tuple[str, ...] = field(default=())
    """URLs of pages that are certainly not on the topic."""
    bare_word: str = ""
    """The one word that a user might type instead of the keywords."""
    samples: tuple[str, ...] = ()
    """URLs of pages on the topic that a user might give as samples beside the keywords."""
    unsure: frozenset[str] = frozenset()
    """URLs of pages on the border of the topic: the crawler's judgments of them are not counted."""
    group: str = ""
    """Topics of one group share pages or words; empty: the topic is a group of its own."""

    @property
    def not_judged(self) -> frozenset[str]:
        """Pages whose judgments are not counted: unsure pages and pages given to a crawler."""
        seeds = (url for urls in self.seeds.values() for url in urls)
        return self.unsure.union(self.samples, self.examples, seeds)


class Web(Protocol):
    """A stored web, which does not change."""

    name: str
    language: str

    @property
    def topics(self) -> Sequence[WebTopic]:
        """Topics with labels for this web."""

    def __len__(self) -> int:
        """Number of stored pages."""

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages in a fixed order."""

    def get(self, url: str) -> StoredPage | None:
        """Return the page with the key *url*, or ``None`` if it is not stored."""

    def close(self) -> None:
        """Close the files of the web."""
