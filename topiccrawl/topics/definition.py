"""What a user says about a topic, as plain records; nothing here is computed or looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

Relation = Literal[
    "core", "synonym", "near", "hyponym", "hypernym", "entity", "related", "negative"
]
"""How a keyword stands to the topic. The thesis (4.5.2) grades by it: synonyms 1, near synonyms
0.5 to 1, remote ones up to 0.5; the value itself is what counts, the relation is for the reader."""

RELATIONS: tuple[str, ...] = tuple(r for r in get_args(Relation) if r != "negative")
"""The relations of [keywords.…] tables, in the order in which they are shown."""

DEFAULT_LINK_THRESHOLD = 0.5
"""c of RW and RWB (thesis 4.5, 4.6): the border between near and remote terms on its scale."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A graded term: `value` in (0, 1], for a negative one in [0, 0.5]."""

    term: str
    value: float
    relation: Relation


@dataclass(frozen=True, slots=True)
class Seed:
    """A page or site to start from."""

    url: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text that shows what the topic is about; `name` is its file name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`relevance`: least score of a page that is kept, in (0, 1), None = learned.
    `link`: c of RW and RWB, in (0, 1)."""  # fmt: skip

    relevance: float | None = None
    link: float = DEFAULT_LINK_THRESHOLD


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a crawl for this topic; 0 = none."""

    max_pages: int = 0
    max_depth: int = 0


@dataclass(frozen=True, slots=True)
class TopicDefinition:
    """A topic as its folder states it (docs/topics.md describes every key).

    `source` says where it comes from: the folder, or ``word`` for a bare word.
    """

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
    thresholds: Thresholds = field(default_factory=Thresholds)
    limits: Limits = field(default_factory=Limits)
    samples: tuple[Sample, ...] = ()
    source: str = ""
