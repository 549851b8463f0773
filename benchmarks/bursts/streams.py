"""Drawn streams of counts with weekly rhythm, growth, gaps and planted bursts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from topiccrawl.scoring.arrays import FloatArray

#: Families of streams.  The constants of ``insight.bursts`` were chosen on the first two; the others differ
#: from them in rhythm, growth, holidays, shapes of bursts and scatter, and are judged on.
CHOSEN_ON: Final = ("steady", "stepped")
LEFT_OUT: Final = ("shaped", "faint")

#: A planted burst counts if what it adds is this many standard deviations of the ordinary count.
_VISIBLE: Final = 6.0


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
    planted = _plant(random, mean, scatter, family)
    drawn = random.gamma(1 / scatter, mean * scatter) if scatter else mean
    counts = random.poisson(drawn).astype(np.float64)
    for _ in range(random.integers(0, 4)):
        length = int(random.integers(1, 15))
        first = int(random.integers(0, days - length))
        if not _touches(planted, first, first + length - 1, 2):
            counts[first : first + length] = 0
    return Stream(counts, planted)


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
