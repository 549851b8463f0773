"""Tasks of worker processes, and the messages that they answer with."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.evaluation.experiment import Run
from topiccrawl.evaluation.plan import Unit


@dataclass(frozen=True, slots=True)
class LinksOf:
    """Task: read the links of these stored URLs."""

    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunsOf:
    """Task: run all repeats of a unit that are not in *done*."""

    unit: Unit
    seeds: tuple[str, ...]
    """URLs of the unit's seed set."""
    done: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadLinks:
    """Result of :class:`LinksOf`: status and link targets by URL."""

    links: dict[str, tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class PagesFetched:
    """Progress: pages fetched since the last message of this kind."""

    pages: int


@dataclass(frozen=True, slots=True)
class RunFinished:
    """Result of one run of :class:`RunsOf`."""

    run: Run
    draws: bool
    """Whether the strategy uses the run seed, so that repeats differ."""


Task = LinksOf | RunsOf
Message = ReadLinks | PagesFetched | RunFinished
