"""Kleinberg's two-state automaton: the best division of a series into ordinary and burst days.

Kleinberg, "Bursty and Hierarchical Structure in Streams", KDD 2002, section 4 (documents in batches).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray

#: A longer burst is a new level, which is ordinary (a choice: a month).
_MOST_DAYS: Final = 31


def best_states(gain: FloatArray, cost: float) -> NDArray[np.bool_]:
    """Return the sequence of states with the least cost, for many series at once.

    Parameters
    ----------
    gain : array of shape (series, days)
        ln P(count | burst) - ln P(count | ordinary) of each day.
    cost
        Cost of entering the burst state, γ ln n; leaving it is free.

    Returns
    -------
    states : array of shape (series, days)
        Whether each day is in the burst state.  The states maximize Σ gain over burst days - cost · bursts;
        of equal sequences, one with fewer burst days.
    """
    states = np.zeros(gain.shape, dtype=np.bool_)
    some = _best_segment(gain) > cost
    states[some] = _states(gain[some], cost)
    return states


def _best_segment(gain: FloatArray) -> FloatArray:
    """Return the largest sum of consecutive gains of each series: without one above the cost, no burst."""
    sums = np.zeros((gain.shape[0], gain.shape[1] + 1))
    np.cumsum(gain, axis=1, out=sums[:, 1:])
    return np.asarray((sums - np.minimum.accumulate(sums, axis=1)).max(axis=1))


def _states(gain: FloatArray, cost: float) -> NDArray[np.bool_]:
    """Return the best states by dynamic programming (Viterbi)."""
    series, days = gain.shape
    stays = np.zeros((days, series), dtype=np.bool_)
    ends = np.zeros((days, series), dtype=np.bool_)
    ordinary = np.zeros(series)
    burst = np.full(series, -np.inf)
    for day in range(days):
        stays[day] = burst > ordinary - cost
        burst_now = np.where(stays[day], burst, ordinary - cost) + gain[:, day]
        ends[day] = burst > ordinary
        ordinary = np.where(ends[day], burst, ordinary)
        burst = burst_now
    states = np.zeros((days, series), dtype=np.bool_)
    state = burst > ordinary
    for day in range(days - 1, -1, -1):
        states[day] = state
        state = np.where(state, stays[day], ends[day])
    return np.ascontiguousarray(states.T)


def binomial_gain(
    count: FloatArray, total: FloatArray, rate: FloatArray, ratio: float
) -> FloatArray:
    """Return the gain of days on which *count* of *total* documents match, σ(0) - σ(1) of the paper.

    Parameters
    ----------
    count, total
        Matching and all documents of each day, broadcastable.
    rate
        p0, the ordinary share of matching documents, in (0, 1).
    ratio
        s: p1 = s · p0, at most half of the way from p0 to 1.
    """
    raised = np.minimum(rate * ratio, (1.0 + rate) / 2.0)
    won = np.log(raised) - np.log(rate)
    lost = np.log1p(-raised) - np.log1p(-rate)
    return np.asarray(count * won + (total - count) * lost)


def count_gain(
    count: FloatArray, expected: FloatArray, ratio: float, spread: float = 0.0
) -> FloatArray:
    """Return the gain of days with *count* documents where *expected* ones are ordinary.

    Parameters
    ----------
    count, expected : arrays of one shape
        Documents of each day, and how many are expected; NaN in *count* for a day without observation,
        which gains nothing.
    ratio
        s: a burst day has s · expected.
    spread
        α of the negative binomial distribution, variance μ + α μ²; 0: Poisson.
    """
    mean = np.maximum(expected, 1e-9)
    seen = np.nan_to_num(count, nan=0.0)
    if spread > 0:
        size = 1.0 / spread
        odds = np.log(size + ratio * mean) - np.log(size + mean)
        gain = seen * (np.log(ratio) - odds) - size * odds
    else:
        gain = seen * np.log(ratio) - mean * (ratio - 1.0)
    return np.where(np.isnan(count), 0.0, gain)


def runs_of(states: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last index of each run of true values of a vector."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], states, [False])).astype(np.int8)))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def short_runs(states: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the states of one series without runs that are too long for bursts."""
    short = states.copy()
    for first, last in runs_of(states):
        if last - first >= _MOST_DAYS:
            short[first : last + 1] = False
    return short
