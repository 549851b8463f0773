"""One crawl to compare: a topic, a seed set, a strategy, the fetched pages and their judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: How a run is carried out: simulated without HTTP, or by the real crawler behind the replay proxy.
Mode = Literal["simulate", "crawl"]
#: What defines the topic for the crawler: keywords, example pages, both, one word as a user types it
#: (``-a topic=WORD``), or the keywords and a user's sample pages.
Define = Literal["keywords", "examples", "both", "word", "samples"]

#: Name of the spider that users write first, among strategies.
HOME_MADE = "home-made"
#: Pages at which the judgments of a run are reported, besides its end: a small, a usual and a large
#: crawl of a stored web (a choice).
CHECKPOINTS = (500, 1_000, 2_000)
#: Checkpoints for the curves, evenly spaced over the budget (a choice).
_CURVE_POINTS = 10


def checkpoints_of(max_pages: int) -> tuple[int, ...]:
    """Return the checkpoints of a run in fetched pages, ascending; the last one is *max_pages*.

    >>> checkpoints_of(1_200)
    (120, 240, 360, 480, 500, 600, 720, 840, 960, 1000, 1080, 1200)
    """
    curve = {-(-max_pages * i // _CURVE_POINTS) for i in range(1, _CURVE_POINTS + 1)}
    return tuple(sorted(curve.union(at for at in CHECKPOINTS if at <= max_pages)))


def seed_group(seeds: str) -> str:
    """Return the group of a seed set, over which figures are averaged.

    >>> seed_group("drawn-far#3"), seed_group("far")
    ('drawn-far', 'far')
    """
    return seeds.partition("#")[0]


@dataclass(frozen=True, slots=True)
class Experiment:
    """One crawl to run."""

    topic: str
    seeds: str
    """Name of the seed set."""
    strategy: str
    max_pages: int
    repeat: int = 0
    """0, 1, ...: the run seed; repeats differ if the strategy uses random numbers."""
    define: Define = "keywords"


@dataclass(frozen=True, slots=True)
class Fetch:
    """One fetched page (status 200)."""

    url: str
    size: int
    """Bytes of the body."""
    relevance: float
    """Relevance by the crawler under test, in [0, 1]; nan if it computed none."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """The crawler's judgments of a list of pages."""

    probability: tuple[float, ...]
    """Probability that the page is on topic, in [0, 1]; nan if the crawler computed none."""
    kept: tuple[bool, ...]
    """Whether the crawler keeps the page."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Judgments of the pages fetched so far, as they are at this point of a run."""

    at: int
    """Budget in pages; a run that ended earlier has fetched fewer."""
    judgments: Judgments
    """Of the first *at* fetched pages, in the order of ``Run.fetches``."""


@dataclass(frozen=True, slots=True)
class JudgedWeb:
    """Judgments of all HTML pages of a web, with what a crawl has learned."""

    urls: tuple[str, ...]
    judgments: Judgments
    """Parallel to *urls*."""
    naive: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    """Pages kept by each naive rule, parallel to *urls*."""


@dataclass(frozen=True, slots=True)
class Run:
    """Pages fetched by one experiment, in order."""

    experiment: Experiment
    mode: Mode
    fetches: tuple[Fetch, ...]
    seconds: float
    note: str = ""
    """Reason for ending before the budget was used up; empty otherwise."""
    checkpoints: tuple[Checkpoint, ...] = ()
    """In ascending order; mode crawl has only the last one."""
    naive: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    """Fetched pages kept by each naive rule, parallel to *fetches*."""
    web: JudgedWeb | None = None
    """Judgments of the whole web after the run, if they were asked for."""
