"""Bursts: days on which there is clearly more than is ordinary at that time.

The days are divided by Kleinberg's two-state automaton.  What is ordinary comes from the
:mod:`~topiccrawl.insight.bursts.baseline` for a series of its own, and from all documents of the day for the
documents that have a term (:mod:`~topiccrawl.insight.bursts.terms`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from topiccrawl.insight.bursts.automaton import best_states, count_gain, runs_of, short_runs
from topiccrawl.insight.bursts.baseline import Baseline, fit_baseline, without_gaps
from topiccrawl.insight.bursts.months import month_rhythm
from topiccrawl.scoring.arrays import FloatArray

#: γ of the paper, where entering a burst costs γ ln n.  1.5 and 2.5 were the best of γ in {1, 1.5, 2} and
#: s in {1.7, 2, 2.5} on 120 drawn streams of ``benchmarks.bursts`` (families steady and stepped, 2026-11).
GAMMA: Final = 1.5

#: s of the paper: a burst has s times the ordinary number of documents.
RATIO: Final = 2.5

#: Times the baseline is fitted without the days in bursts; 3 are enough as a rule.
_ROUNDS: Final = 6

#: Days without which there is no baseline: two weeks, so that each weekday was seen twice.
_LEAST_DAYS: Final = 14

#: Days by which the edges of a burst may move when its own rate is known (a guess).
_EDGE_DAYS: Final = 3

#: Smallest ratio assumed when the edges are moved: a smaller one cannot be distinguished from the ordinary (a guess).
_LEAST_RATIO: Final = 1.5

#: Days on both sides whose median is the first idea of a day's level.
_NEAR_DAYS: Final = 28


@dataclass(frozen=True, slots=True)
class Burst:
    """Consecutive days with more documents than is ordinary."""

    first: int
    """Index of the first day."""
    last: int
    """Index of the last day, included."""
    count: float
    """Documents on these days."""
    expected: float
    """Documents that would have been ordinary."""
    weight: float
    """ln P(counts | burst) - ln P(counts | ordinary): how certain the burst is (weight of the paper)."""

    @property
    def ratio(self) -> float:
        """How many times the ordinary number there are."""
        return self.count / max(self.expected, 1e-9)


@dataclass(frozen=True, slots=True)
class Volume:
    """A series with what was ordinary on each day, and its bursts in the order of time."""

    expected: FloatArray
    """Zeros where there is too little history."""
    bursts: tuple[Burst, ...]


def volume(
    counts: Sequence[float] | NDArray[np.float64] | NDArray[np.int64], first: int = 0
) -> Volume:
    """Return the baseline and the bursts of a series of counts of consecutive days.

    The rhythm of the week and of the month, growth and gaps without documents are not bursts.  NaN is a day
    without observation.  Fewer than two weeks have no bursts: there is no baseline yet.  *first* is the number of the
    first day, since 1970-01-01.
    """
    series = np.asarray(counts, dtype=np.float64)
    days = len(series)
    if np.count_nonzero(series > 0) < 2 or days < _LEAST_DAYS:
        return Volume(np.zeros(days), ())
    seen, states = series, np.zeros(days, dtype=np.bool_)
    month = month_rhythm(series, first)
    ordinary = _near_level(series / month)
    baseline = Baseline(np.zeros(days), 0.0)
    for _ in range(_ROUNDS):
        level = fit_baseline(seen / month, ordinary)
        baseline = Baseline(level.expected * month, level.spread)
        seen = without_gaps(series, baseline.expected)
        gain = count_gain(seen, baseline.expected, RATIO, baseline.spread)
        states = best_states(gain[None, :], GAMMA * math.log(days))[0]
        calm = ~short_runs(states) & ~np.isnan(seen)
        if calm.sum() < 2 or bool((calm == ordinary).all()):
            break
        ordinary = calm
    found = [_with_edges(seen, baseline, *run) for run in runs_of(short_runs(states))]
    return Volume(baseline.expected, tuple(it for it in found if it.count > it.expected))


def _near_level(series: FloatArray) -> NDArray[np.bool_]:
    """Return the mask of days near the median of those around them: neither gaps nor clear bursts."""
    padded = np.pad(series, _NEAR_DAYS, constant_values=np.nan)
    windows = sliding_window_view(np.where(padded > 0, padded, np.nan), 2 * _NEAR_DAYS + 1)
    some = ~np.isnan(windows).all(axis=1)
    level = np.zeros(len(series))
    level[some] = np.nanmedian(windows[some], axis=1)
    most = np.maximum(np.maximum(2 * level, level + 4 * np.sqrt(level)), 3.0)
    return np.asarray((series <= most) & ((series > 0) | (level < 5)))


def _with_edges(seen: FloatArray, baseline: Baseline, first: int, last: int) -> Burst:
    """Return the burst from *first* to *last* with the edges that its own rate makes most likely."""
    low, high = max(0, first - _EDGE_DAYS), min(len(seen), last + _EDGE_DAYS + 1)
    count, expected = _sums(seen, baseline, first, last)
    gain = np.zeros(0)
    for _ in range(3):
        ratio = max(_LEAST_RATIO, count / max(expected, 1e-9))
        gain = count_gain(seen[low:high], baseline.expected[low:high], ratio, baseline.spread)
        moved = _heaviest(gain)
        if (low + moved[0], low + moved[1]) == (first, last):
            break
        first, last = low + moved[0], low + moved[1]
        count, expected = _sums(seen, baseline, first, last)
    weight = float(gain[first - low : last - low + 1].sum())
    return Burst(first, last, count, expected, weight)


def _sums(seen: FloatArray, baseline: Baseline, first: int, last: int) -> tuple[float, float]:
    """Return the documents of some days and how many were expected on those with observations."""
    days = slice(first, last + 1)
    observed = ~np.isnan(seen[days])
    return float(seen[days][observed].sum()), float(baseline.expected[days][observed].sum())


def _heaviest(gain: FloatArray) -> tuple[int, int]:
    """Return first and last index of the consecutive values with the largest sum; the shortest of equals."""
    best, at = -math.inf, (0, 0)
    total, start = 0.0, 0
    for index, value in enumerate(gain.tolist()):
        if total <= 0:
            total, start = 0.0, index
        total += value
        if total > best:
            best, at = total, (start, index)
    return at
