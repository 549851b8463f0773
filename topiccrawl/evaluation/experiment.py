"""One crawl to compare: a topic, a seed set, a strategy, and the pages that it fetched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Define", "Experiment", "Fetch", "Mode", "Run"]

#: How a run is carried out: simulated without HTTP, or by the real crawler behind the replay proxy.
Mode = Literal["simulate", "crawl"]
#: What defines the topic for the crawler: keywords, example pages, or both.
Define = Literal["keywords", "examples", "both"]


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
class Run:
    """Pages fetched by one experiment, in order."""

    experiment: Experiment
    mode: Mode
    fetches: tuple[Fetch, ...]
    seconds: float
    note: str = ""
    """Reason for ending before the budget was used up; empty otherwise."""
