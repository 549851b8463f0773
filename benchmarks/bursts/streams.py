"""Drawn streams of counts with weekly rhythm, growth, gaps and planted bursts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray

#: Families of streams.  The constants of ``insight.bursts`` were chosen on the first two; the others differ
#: from them in rhythm, growth, holidays, shapes of bursts and scatter, and are judged on.
CHOSEN_ON: Final = ("steady", "stepped")
LEFT_OUT: Final = ("shaped", "faint", "monthly")

#: Number of the first day of each stream: 2025-03-01.
FIRST_DAY: Final = 20_148

#: A planted burst counts if what it adds is this many standard deviations of the ordinary count.
_VISIBLE: Final = 6.0


#: A planted burst of a term counts if so many pages are to be expected.
_LEAST_PAGES: Final = 8


@dataclass(frozen=True, slots=True)
class Stream:
    """A drawn stream and its bursts."""

    counts: FloatArray
    planted: list[tuple[int, int]]
    """First and last day of each."""


def draw(family: str, seed: int) -> Stream:
    """Return stream number *seed* of a family."""
    random = np.random.default_rng(seed)
    days = int(random.integers(120, 731))
    level = float(np.exp(random.uniform(np.log(4), np.log(200))))
    if family in CHOSEN_ON:
        mean, scatter = _ordinary(random, days, family)
    else:
        mean, scatter = _left_out_ordinary(random, days)
    mean = mean * level
    if family == "monthly":
        mean *= _month(random, days)
    planted = _plant(random, mean, scatter, family)
    drawn = random.gamma(1 / scatter, mean * scatter) if scatter else mean
    counts = random.poisson(drawn).astype(np.float64)
    for _ in range(random.integers(0, 4)):
        length = int(random.integers(1, 15))
        first = int(random.integers(0, days - length))
        if not _touches(planted, first, first + length - 1, 2):
            counts[first : first + length] = 0
    return Stream(counts, planted)


@dataclass(frozen=True, slots=True)
class Shares:
    """Drawn terms of a drawn stream, and their bursts."""

    counts: NDArray[np.int64]
    """Shape (terms, days)."""
    totals: NDArray[np.int64]
    planted: list[list[tuple[int, int]]]


def draw_shares(seed: int, terms: int = 30) -> Shares:
    """Return terms with ordinary shares of .0005 to .05, which bursts raise by .05 to .3."""
    random = np.random.default_rng(seed)
    totals = draw("shaped", seed).counts.astype(np.int64)
    days = len(totals)
    rows, planted = [], []
    for _ in range(terms):
        ordinary = float(np.exp(random.uniform(np.log(0.0005), np.log(0.05))))
        share = np.full(days, ordinary)
        bursts: list[tuple[int, int]] = []
        for _ in range(int(random.integers(0, 3))):
            length = int(random.integers(1, 9))
            first = int(random.integers(0, days - length))
            last = first + length - 1
            raised = min(0.8, ordinary + float(random.uniform(0.05, 0.3)))
            pages = totals[first : last + 1]
            visible = raised >= 3 * ordinary and (pages * raised).sum() >= _LEAST_PAGES
            if _touches(bursts, first, last, 3) or min(pages[0], pages[-1]) < 3 or not visible:
                continue
            share[first : last + 1] = raised
            bursts.append((first, last))
        rows.append(random.binomial(totals, share))
        planted.append(bursts)
    return Shares(np.array(rows), totals, planted)


def _ordinary(random: np.random.Generator, days: int, family: str) -> tuple[FloatArray, float]:
    """Return means around 1 with exponential growth, for ``stepped`` also a step, and the scatter α."""
    day = np.arange(days)
    mean = np.exp(random.uniform(-1, 1.5) * day / days)
    week = np.array([1, 1.05, 1.1, 1.05, 1, 0.5, 0.4])
    if random.random() > 0.7:
        week = np.exp(random.normal(0, 0.25, 7))
    mean *= np.roll(week / week.mean(), random.integers(7))[day % 7]
    scatter = float(random.choice([0, 0.02, 0.05]))
    if family == "stepped" and random.random() < 0.5:
        mean[int(days * random.uniform(0.2, 0.8)) :] *= random.choice([0.5, 2.0])
    return mean, scatter


def _left_out_ordinary(random: np.random.Generator, days: int) -> tuple[FloatArray, float]:
    """Return means with linear, sigmoid or seasonal growth, other weeks, holidays, and the scatter α."""
    day = np.arange(days)
    growth = [
        np.ones(days),
        1 + random.uniform(0, 3) * day / days,
        1 + 2 / (1 + np.exp(-(day - days * random.uniform(0.3, 0.7)) / 25)),
        1 + 0.5 * np.sin(2 * np.pi * day / random.uniform(150, 400)),
    ][int(random.integers(4))]
    week = np.ones(7)
    week[5:] = random.uniform(0.15, 0.8, 2)
    week[random.integers(5)] *= random.uniform(1, 1.6)
    mean = growth * np.roll(week / week.mean(), random.integers(7))[day % 7]
    for _ in range(random.integers(0, 3)):
        first = int(random.integers(0, days - 8))
        mean[first : first + int(random.integers(2, 8))] *= 0.5
    return mean, float(random.choice([0, 0.03, 0.08]))


def _month(random: np.random.Generator, days: int) -> FloatArray:
    """Return factors of 1.5 to 4 for up to three days of each month, counted from its beginning or from its end."""
    dates = np.arange(FIRST_DAY, FIRST_DAY + days).astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    following = (months + np.timedelta64(1, "M")).astype("datetime64[D]")
    after = (dates - months.astype("datetime64[D]")).astype(np.int64)
    left = (following - dates).astype(np.int64) - 1
    first, length = int(random.integers(0, 18)), int(random.integers(1, 4))
    place = left if random.random() < 0.5 else after - first
    factor = random.uniform(1.5, 4) * random.uniform(0.8, 1.2, days)
    return np.asarray(np.where((place >= 0) & (place < length), factor, 1.0))


def _plant(
    random: np.random.Generator, mean: FloatArray, scatter: float, family: str
) -> list[tuple[int, int]]:
    """Raise *mean* by bursts and return their first and last days."""
    days = len(mean)
    planted: list[tuple[int, int]] = []
    low, high = (2.0, 4.0) if family in {"stepped", "faint"} else (2.5, 8.0)
    for _ in range(int(random.integers(0, 1 + max(1, days // 80)))):
        length = int(random.integers(1, 11))
        first = int(random.integers(3, days - length - 3))
        last = first + length - 1
        ratios = _profile(random, length, float(random.uniform(low, high)), family)
        ordinary = mean[first : last + 1]
        added = float((ordinary * (ratios - 1)).sum())
        deviation = float(np.sqrt(ordinary.sum() + scatter * (ordinary**2).sum()))
        if added < _VISIBLE * deviation or _touches(planted, first, last, 5):
            continue
        mean[first : last + 1] = ordinary * ratios
        planted.append((first, last))
    return planted


def _profile(random: np.random.Generator, length: int, ratio: float, family: str) -> FloatArray:
    """Return the ratio of each day of a burst: level, or in left-out families also falling or rising."""
    day = np.arange(length)
    shape = 0 if family in CHOSEN_ON else int(random.integers(3))
    if shape == 1:
        return np.maximum(2.0, 1 + (ratio - 1) * np.exp(-day / max(2, length / 1.5)))
    if shape == 2:
        return np.maximum(2.0, 1 + (ratio - 1) * np.where(day == 0, 0.6, 1.0))
    return np.full(length, ratio)


def _touches(planted: list[tuple[int, int]], first: int, last: int, apart: int) -> bool:
    return any(first <= end + apart and start - apart <= last for start, end in planted)
