"""Means of a figure over repeats, seed sets and topics, in this order."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.evaluation.experiment import seed_group
from topiccrawl.evaluation.results.statistics import interval

if TYPE_CHECKING:
    from topiccrawl.evaluation.results.records import RunRecord

#: Name of the group of runs over all seed sets.
ALL = "all"

FigureOf = Callable[["RunRecord"], float | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over topics."""

    mean: float | None
    """Mean over topics of the means over seed sets and repeats; ``None`` if no run has the figure."""
    low: float | None = None
    high: float | None = None
    """95 % interval by topic; ``None`` below two topics."""
    missing: float = 0.0
    """Share of the runs without this figure, e.g. because a recall level was not reached."""
    seed_sd: float | None = None
    """Standard deviation between the seed sets of a topic, mean over topics; ``None`` with one set."""
    repeat_sd: float | None = None
    """Standard deviation between repeats from one seed set, mean over topics and seed sets."""


def in_group(runs: Iterable[RunRecord], group: str) -> list[RunRecord]:
    """Return the runs from a group of seed sets, all for :data:`ALL`."""
    return [run for run in runs if group in (seed_group(run.seeds), ALL)]


def average(
    runs: Sequence[RunRecord],
    figure: FigureOf,
    *,
    one_group: bool = True,
    with_interval: bool = True,
) -> Figure:
    """Average over repeats, then over seed sets, then over topics.

    *one_group*: whether all runs are from one group of seed sets, so that the deviation between seed
    sets is noise.  The interval takes some 20 ms from ten topics on.
    """
    by_cell = _by_cell(runs, figure)
    if not by_cell:
        return Figure(None, missing=1.0)
    by_topic: dict[str, list[float]] = {}
    for (topic, _), values in by_cell.items():
        by_topic.setdefault(topic, []).append(mean(values))
    means = [mean(values) for values in by_topic.values()]
    ends = (interval(means) if with_interval else None) or (None, None)
    return Figure(
        mean(means),
        ends[0],
        ends[1],
        missing=sum(figure(run) is None for run in runs) / len(runs),
        seed_sd=_deviation(by_topic.values()) if one_group else None,
        repeat_sd=_deviation(by_cell.values()),
    )


def cells(runs: Iterable[RunRecord], figure: FigureOf) -> dict[tuple[str, str], float]:
    """Return means over repeats by (topic, seeds)."""
    return {cell: mean(values) for cell, values in _by_cell(runs, figure).items()}


def mean(values: Iterable[float]) -> float:
    """Return the mean of at least one value, exactly summed."""
    data = list(values)
    return math.fsum(data) / len(data)


def _by_cell(runs: Iterable[RunRecord], figure: FigureOf) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        value = figure(run)
        if value is not None:
            found.setdefault((run.topic, run.seeds), []).append(value)
    return found


def _deviation(groups: Iterable[Sequence[float]]) -> float | None:
    """Return the mean standard deviation of the groups with two or more values."""
    found = [statistics.stdev(values) for values in groups if len(values) > 1]
    return mean(found) if found else None
