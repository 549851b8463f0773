"""Summary of the crawler's judgments of pages: means over topics, sums, and pooled calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from topiccrawl.evaluation.experiment import CHECKPOINTS, HOME_MADE, seed_group
from topiccrawl.evaluation.results.averages import ALL, Figure, FigureOf, average, cells, in_group
from topiccrawl.evaluation.results.judged import (
    Calibration,
    Judged,
    Selection,
    calibration_error,
    pooled,
)
from topiccrawl.evaluation.results.records import Results, RunRecord
from topiccrawl.evaluation.results.summary import Band
from topiccrawl.language import N_

#: Name of the crawler's own judge, beside the naive rules.
CRAWLER = "crawler"
#: ``JudgedRow.at`` of the judgments of the whole web.
WHOLE_WEB = N_("whole web")


@dataclass(frozen=True, slots=True)
class KeptFigures:
    """What one judge or rule keeps, over several runs."""

    precision: Figure
    recall: Figure
    f1: Figure
    right: float
    """Relevant pages kept: sum over topics and seed sets of the means over repeats."""
    kept: float
    """Pages kept, likewise."""


@dataclass(frozen=True, slots=True)
class Wins:
    """Cells (topic and seed set, means over repeats) in which the crawler is better."""

    won: int
    cells: int
    """Cells that can be compared; 0 if there are none."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """Judgments of one strategy at one checkpoint, from one group of seed sets or from all."""

    strategy: str
    seeds: str
    at: str
    """Pages fetched, or :data:`WHOLE_WEB`."""
    judges: dict[str, KeptFigures]
    """By name: :data:`CRAWLER` first, then the naive rules."""
    auc: Figure
    calibration: Calibration | None
    """Of the pages of all runs together; ``None`` if the strategy has no probabilities."""
    calibration_error: float | None
    above_naive: Wins
    """Cells in which the crawler's F1 is larger than that of every naive rule."""
    above_home_made: Wins
    """Cells in which more relevant pages are kept than by the home-made spider in its own crawl."""

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON-compatible data."""
        return asdict(self)


def summarize_judged(results: Results, ranked: Sequence[str]) -> list[JudgedRow]:
    """Return rows by group of seed sets, checkpoint and strategy, in the order of *ranked*.

    Checkpoints are 500, 1,000 and 2,000 pages, the end of the runs, and the whole web if it was
    judged.
    """
    runs = list(results.runs.values())
    groups = list(dict.fromkeys(seed_group(run.seeds) for run in runs))
    last = max((j.at for run in runs for j in run.judged), default=0)
    points = [at for at in (*CHECKPOINTS, last) if 0 < at <= last]
    rows = []
    for group in groups if len(groups) == 1 else [*groups, ALL]:
        chosen = in_group(runs, group)
        for at in [*map(str, dict.fromkeys(points)), WHOLE_WEB]:
            for strategy in ranked:
                own = [run for run in chosen if run.strategy == strategy]
                home_made = [run for run in chosen if run.strategy == HOME_MADE]
                row = _row(strategy, group, at, own, home_made)
                if row is not None:
                    rows.append(row)
    return rows


def _row(
    strategy: str,
    group: str,
    at: str,
    runs: Sequence[RunRecord],
    home_made: Sequence[RunRecord],
) -> JudgedRow | None:
    judged = [each for run in runs if (each := _judged(run, at)) is not None]
    if not judged:
        return None
    one = group != ALL
    bins = pooled(each.calibration for each in judged if each.calibration is not None)
    rules = list(judged[0].naive)
    names = [CRAWLER, *rules]
    compared = home_made if strategy != HOME_MADE and at != WHOLE_WEB else []
    return JudgedRow(
        strategy,
        group,
        at,
        {name: _kept(runs, at, name, one) for name in names},
        average(runs, _auc(at), one_group=one, with_interval=False),
        bins,
        None if bins is None else calibration_error(bins),
        _wins(
            cells(runs, _figure(at, CRAWLER, "f1")),
            [cells(runs, _figure(at, rule, "f1")) for rule in rules],
        ),
        _wins(
            cells(runs, _figure(at, CRAWLER, "right")),
            [cells(compared, _figure(at, CRAWLER, "right"))],
        ),
    )


def _wins(
    ours: Mapping[tuple[str, str], float], others: Sequence[Mapping[tuple[str, str], float]]
) -> Wins:
    """Compare *ours* with the best of the others, in the cells that have all of them."""
    both = [cell for cell in ours if others and all(cell in other for other in others)]
    won = sum(ours[cell] > max(other[cell] for other in others) for cell in both)
    return Wins(won, len(both))


def _kept(runs: Sequence[RunRecord], at: str, name: str, one: bool) -> KeptFigures:
    def figure(field: str) -> Figure:
        shown = name == CRAWLER and field == "f1"
        return average(runs, _figure(at, name, field), one_group=one, with_interval=shown)

    return KeptFigures(
        figure("precision"),
        figure("recall"),
        figure("f1"),
        right=math.fsum(cells(runs, _figure(at, name, "right")).values()),
        kept=math.fsum(cells(runs, _figure(at, name, "kept")).values()),
    )


def _figure(at: str, name: str, field: str) -> FigureOf:
    def value(run: RunRecord) -> float | None:
        judged = _judged(run, at)
        found = None if judged is None else getattr(_selection(judged, name), field)
        return None if found is None else float(found)

    return value


def _judged(run: RunRecord, at: str) -> Judged | None:
    if at == WHOLE_WEB:
        return run.web
    return next((each for each in run.judged if str(each.at) == at), None)


def _selection(judged: Judged, name: str) -> Selection:
    return judged.kept if name == CRAWLER else judged.naive[name]


def _auc(at: str) -> FigureOf:
    def value(run: RunRecord) -> float | None:
        judged = _judged(run, at)
        return None if judged is None else judged.auc

    return value


def judged_bands(results: Results, figure: str, seeds: str = ALL) -> list[Band]:
    """Return the curve of *figure* (a field of ``Selection``) of each strategy over the checkpoints.

    Means over topics, without an interval.  Topics without the figure at a checkpoint (nothing kept,
    or nothing relevant found yet) are left out of its mean; checkpoints without any topic, too.
    """
    runs = in_group(results.runs.values(), seeds)
    found = []
    for name in dict.fromkeys(run.strategy for run in runs):
        own = [run for run in runs if run.strategy == name]
        points: dict[int, float] = {}
        for at in sorted({each.at for run in own for each in run.judged}):
            mean = average(own, _figure(str(at), CRAWLER, figure), with_interval=False).mean
            if mean is not None:
                points[at] = mean
        if points:
            values = list(points.values())
            found.append(Band(name, list(points), values, values, values))
    return found
