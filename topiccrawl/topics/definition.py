"""A topic as its user defines it: plain records without computed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

#: Relation of a keyword to the topic.  [thesis] 4.5.2 derives the value of a term from it: synonyms 1, near
#: synonyms 0.5 to 1, remote ones up to 0.5.  Here only the value has an effect; the relation is for
#: readers.
Relation = Literal[
    "core", "synonym", "near", "hyponym", "hypernym", "entity", "related", "negative"
]

#: The relations of [keywords.…] tables, in the order in which they are shown.
RELATIONS: tuple[str, ...] = tuple(r for r in get_args(Relation) if r != "negative")

#: c of RW and RWB ([thesis] 4.5, 4.6): the border between near and remote terms on its scale.
DEFAULT_LINK_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Keyword:
    """A graded term."""

    term: str
    value: float
    """In (0, 1], for a negative term in [0, 0.5]."""
    relation: Relation


@dataclass(frozen=True, slots=True)
class Seed:
    """A page or site where a crawl starts."""

    url: str
    name: str = ""
    whole: bool = False
    """Whether the whole site is crawled (docs/sites.md)."""
    browser: bool = False
    """Whether the pages of its host are loaded in a browser (docs/browser.md)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A typical text about the topic."""

    name: str
    """The file name."""
    text: str


@dataclass(frozen=True, slots=True)
class Category:
    """A part of the topic, for counting its pages; it has words, samples or both."""

    name: str
    words: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgment:
    """The user's judgment of one page."""

    url: str
    """Canonical URL."""
    relevant: bool
    at: datetime | None = None
    """When it was made; ``None`` if the user did not write it down."""
    note: str = ""
    file: str = ""
    """The machine and the file that it was read from, or written to; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds for pages and links."""

    relevance: float | None = None
    """Minimum score of a page that is kept, in (0, 1); ``None``: learned."""
    link: float = DEFAULT_LINK_THRESHOLD
    """c of RW and RWB, in (0, 1)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a crawl for the topic; 0 = no limit."""

    max_pages: int = 0
    max_depth: int = 0


#: Most bytes of a name: reports and folders are named after the topic, and most file systems allow 255.
LONGEST_NAME_BYTES = 200


@dataclass(frozen=True, slots=True)
class TopicDefinition:
    """A topic as its folder defines it; docs/topics.md describes every key."""

    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    language: Literal["zh", "en"] = "zh"
    classification: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    negatives: tuple[Keyword, ...] = ()
    url_tokens: Mapping[str, float] = field(default_factory=dict)
    seeds: tuple[Seed, ...] = ()
    queries: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    """Patterns of the URLs that a crawl keeps to (:mod:`topiccrawl.urls.scope`); empty: all."""
    deny: tuple[str, ...] = ()
    """Patterns of the URLs that it leaves out."""
    browser: tuple[str, ...] = ()
    """Patterns of the URLs that are loaded in a browser."""
    thresholds: Thresholds = field(default_factory=Thresholds)
    limits: Limits = field(default_factory=Limits)
    samples: tuple[Sample, ...] = ()
    categories: tuple[Category, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    refused: tuple[str, ...] = ()
    """Words that the user refused; nothing that is learned makes them words of the topic."""
    source: str = ""
    """The folder, or :data:`~topiccrawl.topics.load.BARE_WORD`."""
