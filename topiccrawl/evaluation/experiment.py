"""What is compared: one crawl of one topic from one seed set by one strategy, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Experiment", "Fetch", "Run"]

Mode = Literal["simulate", "crawl"]


@dataclass(frozen=True, slots=True)
class Experiment:
    """One crawl to make."""

    topic: str
    seeds: str
    """Name of the seed set."""
    strategy: str
    max_pages: int
    repeat: int = 0
    """0, 1, ...: the run seed, so that repeats differ where a strategy draws."""
    define: Literal["keywords", "examples", "both"] = "keywords"
    """What the crawler is told of the topic: its words, its example pages, or both."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """One page that was fetched (status 200), in the order of fetching."""

    url: str
    size: int
    """Bytes of the body."""
    relevance: float
    """The crawler's own opinion, in [0, 1]; nan if it never said one."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one experiment fetched."""

    experiment: Experiment
    mode: Mode
    fetches: tuple[Fetch, ...]
    seconds: float
    note: str = ""
    """Why it ended before its budget, if it did."""
