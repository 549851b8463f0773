"""Summary table of the runs: means over topics, intervals, and tests against a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from topiccrawl.evaluation.experiment import seed_group
from topiccrawl.evaluation.results.averages import ALL, Figure, FigureOf, average, cells, in_group
from topiccrawl.evaluation.results.records import Results, RunRecord
from topiccrawl.evaluation.results.statistics import Comparison, compare, holm, interval

__all__ = ["ALL", "FIGURES", "Band", "Figure", "Row", "Summary", "bands", "summarize"]

#: Figures of a run by name; ``None`` where a run has none.
FIGURES: dict[str, FigureOf] = {
    "share_of_oracle": lambda run: run.share_of_oracle,
    "normalised": lambda run: run.normalised,
    "auc": lambda run: run.metrics.auc,
    "harvest": lambda run: run.metrics.harvest,
    "recall": lambda run: run.metrics.recall,
    "pages_to_50": lambda run: run.metrics.pages_to_50,
    "pages_to_80": lambda run: run.metrics.pages_to_80,
    "pages_to_90": lambda run: run.metrics.pages_to_90,
    "mean_similarity": lambda run: run.metrics.mean_similarity,
    "relevant_hosts": lambda run: run.metrics.relevant_hosts,
    "bytes": lambda run: run.metrics.bytes,
}

#: Figure compared by the tests; the AUC itself is larger for topics with more pages.
TESTED = "share_of_oracle"


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy from one group of seed sets, or from all of them."""

    strategy: str
    seeds: str
    runs: int
    figures: dict[str, Figure]
    baseline: str = ""
    comparison: Comparison | None = None
    """Comparison with the baseline; only in the rows over all seed sets."""
    p_holm: float | None = None
    """p value corrected for the number of strategies compared."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Rows by seed set, best first; the last group is over all seed sets."""

    rows: tuple[Row, ...]

    def group(self, seeds: str) -> list[Row]:
        """Return the rows of a seed set."""
        return [row for row in self.rows if row.seeds == seeds]

    @property
    def groups(self) -> list[str]:
        """Return the seed sets in order."""
        return list(dict.fromkeys(row.seeds for row in self.rows))

    def as_dict(self) -> dict[str, Any]:
        """Return JSON-compatible data."""
        return {"tested": TESTED, "rows": [asdict(row) for row in self.rows]}


def summarize(results: Results, baseline: str = "") -> Summary:
    """Return the summary of *results*.

    Every strategy is tested against *baseline*; without one, against the best of the others.
    """
    runs = list(results.runs.values())
    groups = list(dict.fromkeys(seed_group(run.seeds) for run in runs))
    rows: list[Row] = []
    for name in groups if len(groups) == 1 else [*groups, ALL]:
        rows += _group(in_group(runs, name), name)
    whole = rows[-1].seeds if rows else ""
    ranked = [row.strategy for row in rows if row.seeds == whole]
    compared = {
        name: _against(runs, name, baseline or _best_other(ranked, name))
        for name in ranked
        if name != baseline and len(ranked) > 1
    }
    tested = [(name, c.p) for name, (_, c) in compared.items() if c is not None and c.p is not None]
    corrected = dict(zip([name for name, _ in tested], holm([p for _, p in tested]), strict=True))
    return Summary(
        tuple(
            replace(
                row,
                baseline=compared[row.strategy][0],
                comparison=compared[row.strategy][1],
                p_holm=corrected.get(row.strategy),
            )
            if row.seeds == whole and row.strategy in compared
            else row
            for row in rows
        )
    )


def _group(runs: Sequence[RunRecord], seeds: str) -> list[Row]:
    names = dict.fromkeys(run.strategy for run in runs)
    rows = []
    for name in names:
        own = [run for run in runs if run.strategy == name]
        one = seeds != ALL
        figures = {k: average(own, figure, one_group=one) for k, figure in FIGURES.items()}
        rows.append(Row(name, seeds, len(own), figures))
    return sorted(rows, key=lambda row: -(row.figures[TESTED].mean or 0.0))


def _best_other(ranked: Sequence[str], name: str) -> str:
    return next(other for other in ranked if other != name)


def _against(runs: Sequence[RunRecord], name: str, baseline: str) -> tuple[str, Comparison | None]:
    figure = FIGURES[TESTED]
    ours = cells((run for run in runs if run.strategy == name), figure)
    theirs = cells((run for run in runs if run.strategy == baseline), figure)
    pairs = [(cell[0], ours[cell], theirs[cell]) for cell in ours if cell in theirs]
    return baseline, compare(pairs) if pairs else None


@dataclass(frozen=True, slots=True)
class Band:
    """A mean curve with the 95 % interval by topic."""

    name: str
    pages: list[int]
    mean: list[float]
    low: list[float]
    high: list[float]


def bands(results: Results, curve: str, seeds: str = ALL) -> list[Band]:
    """Return a band of *curve* (a field of ``Curves``) for each strategy, over a group of seed sets.

    Topics with fewer reachable pages keep their last value.
    """
    runs = in_group(results.runs.values(), seeds)
    longest = max((run.curves.pages for run in runs), key=lambda p: p[-1] if p else 0, default=[])
    found = []
    for name in dict.fromkeys(run.strategy for run in runs):
        by_topic: dict[str, list[np.ndarray[Any, np.dtype[np.float64]]]] = {}
        for run in runs:
            if run.strategy == name and run.curves.pages:
                values = np.interp(longest, run.curves.pages, getattr(run.curves, curve))
                by_topic.setdefault(run.topic, []).append(values)
        if not by_topic:
            continue
        table = np.array([np.mean(values, axis=0) for values in by_topic.values()])
        mean = table.mean(axis=0).tolist()
        ends = [
            interval(column) or (m, m) for column, m in zip(table.T.tolist(), mean, strict=True)
        ]
        found.append(
            Band(
                name,
                longest,
                mean,
                [max(0.0, low) for low, _ in ends],
                [min(1.0, high) for _, high in ends],
            )
        )
    return found
