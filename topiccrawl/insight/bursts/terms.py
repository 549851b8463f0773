"""Bursts of terms: days on which clearly more of the documents have a term than at other times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.bursts.automaton import best_states, binomial_gain, runs_of, short_runs
from topiccrawl.insight.bursts.volume import GAMMA, Burst
from topiccrawl.insight.counts import daily_by, largest, term_counts, term_days, term_rows
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Clock, Mask, days_by
from topiccrawl.insight.sources import Origins, Sources
from topiccrawl.scoring.arrays import FloatArray

#: Values of s that are tried for each term.  A term of a new event is so rare before that its few documents
#: are certain only against a large s; a frequent term rises by a small one.
RATIOS: Final = (2.5, 5.0, 10.0, 20.0, 40.0)

#: Terms that are looked at (a choice).
_TERMS: Final = 300
#: Numbers in one array at most (a choice: 16 MB); 300 terms in 30 years would be 130 MB.
_MOST_CELLS: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class TermBurst:
    """A burst of one term."""

    term: str
    first_day: int
    """Days since 1970-01-01."""
    last_day: int
    burst: Burst
    sources: Sources


def term_bursts(
    overview: Overview,
    mask: Mask,
    first: int,
    last: int,
    *,
    clock: Clock = "published",
    since: int | None = None,
) -> list[TermBurst]:
    """Return the bursts of terms of the pages in *mask*, the most certain first, one-sided ones last.

    *first* and *last* are the days looked at (days since 1970-01-01).  The terms are the
    most frequent ones of the days from *since* on, by default of all.  Pass a mask without copies: a text
    that is reposted fifty times is one text.
    """
    recent = mask if since is None else mask & (days_by(overview, clock) >= since)
    names = overview.books.term.names
    wanted = largest(term_counts(overview, recent), _TERMS, names)
    days, codes = term_days(overview, mask, clock)
    counts = daily_by(days, codes, wanted, first, last)
    page_days = days_by(overview, clock)[mask]
    inside = page_days[(page_days >= first) & (page_days <= last)] - first
    totals = np.bincount(inside, minlength=max(0, last - first + 1))
    origins = Origins(overview, mask)
    day = days_by(overview, clock)
    found = []
    for code, rows, bursts in zip(
        wanted.tolist(),
        term_rows(overview, mask, wanted),
        share_bursts(counts, totals),
        strict=True,
    ):
        for burst in bursts:
            start, end = first + burst.first, first + burst.last
            there = rows[(day[rows] >= start) & (day[rows] <= end)]
            found.append(
                TermBurst(names[code], start, end, burst, origins.of(there, burst.expected))
            )
    return sorted(
        found, key=lambda it: (it.sources.one_sided, -it.burst.weight, it.term, it.first_day)
    )


def share_bursts(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> list[list[Burst]]:
    """Return the bursts of several series of documents among *totals*.

    Parameters
    ----------
    counts : array of shape (series, days)
        Matching documents of each day.
    totals : array of shape (days,)
        All documents of each day.  Days without any are no evidence.

    Returns
    -------
    list of the bursts of each series, in the order of time
        What is ordinary is computed twice, the second time without the days in bursts.  Of the ratios in
        ``RATIOS`` each series has the one that gains most; trying them costs ln 5.
    """
    series, days = counts.shape
    if not series or not days:
        return [[] for _ in range(series)]
    step = max(1, _MOST_CELLS // (len(RATIOS) * days))
    return [
        bursts
        for start in range(0, series, step)
        for bursts in _block_bursts(counts[start : start + step], totals)
    ]


def _block_bursts(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> list[list[Burst]]:
    """Return the bursts of some series, see :func:`share_bursts`."""
    series, days = counts.shape
    some = counts.astype(np.float64)
    total = totals.astype(np.float64)
    cost = GAMMA * math.log(max(days, 2)) + math.log(len(RATIOS))
    found: list[list[Burst]] = [[] for _ in range(series)]
    states = np.zeros(some.shape, dtype=np.bool_)
    rows = np.arange(series)
    for last in (False, True):
        rate = _ordinary_rate(some[rows], total, states)
        states, gain = _best_of_ratios(some[rows], total, rate, cost)
        bursting = states.any(axis=1)
        for some_row in np.flatnonzero(bursting):
            states[some_row] = short_runs(states[some_row])
        if last:
            for at, row in enumerate(rows.tolist()):
                found[row] = _bursts(some[row], total, float(rate[at, 0]), gain[at], states[at])
        rows, states = rows[bursting], states[bursting]
    return found


def _ordinary_rate(counts: FloatArray, totals: FloatArray, states: NDArray[np.bool_]) -> FloatArray:
    """Return the share of matching documents outside of bursts, as a column; never 0 or 1."""
    outside = ~states
    matching = (counts * outside).sum(axis=1)
    of = (totals[None, :] * outside).sum(axis=1)
    return np.asarray(((matching + 0.5) / (of + 1.0))[:, None])


def _best_of_ratios(
    counts: FloatArray, totals: FloatArray, rate: FloatArray, cost: float
) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return the states and gains of the ratio that gains most, for each series."""
    gains = np.stack([binomial_gain(counts, totals[None, :], rate, ratio) for ratio in RATIOS])
    states = best_states(gains.reshape(-1, counts.shape[1]), cost).reshape(gains.shape)
    entries = states[:, :, 0] + (states[:, :, 1:] & ~states[:, :, :-1]).sum(axis=2)
    value = (gains * states).sum(axis=2) - cost * entries
    best = value.argmax(axis=0)
    rows = np.arange(len(counts))
    return states[best, rows], gains[best, rows]


def _bursts(
    counts: FloatArray,
    totals: FloatArray,
    rate: float,
    gain: FloatArray,
    states: NDArray[np.bool_],
) -> list[Burst]:
    return [
        Burst(
            first,
            last,
            float(counts[first : last + 1].sum()),
            rate * float(totals[first : last + 1].sum()),
            float(gain[first : last + 1].sum()),
        )
        for first, last in runs_of(states)
    ]
