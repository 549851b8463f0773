"""Whether the number of pages of an interval is unusual, judged by the intervals before it.

The history is a sequence of counts, one for each hour or day, with ``None`` where nothing was observed.
The model of the next count is negative binomial (Poisson where nothing speaks for more):

- mean = level · factor of the weekday (· factor of the hour).  The level is an exponentially weighted mean of
  the counts without their rhythm; the factors are shrunk toward 1 while there are few weeks.
- variance = (1 + a)·mean + φ·mean² by least squares, plus the uncertainty of the estimates: pages that come
  in clusters, and a level that varies.

The last days of a month are compared with those of earlier months.  Sums of consecutive counts are judged in the same
way.  A count is a rise if it is improbable, a multiple of the mean, and not tiny.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammainc, gammaincc

from topiccrawl.insight.bursts.months import month_ends

#: Weeks of intervals that count, at most (a guess: a season's change is slower, a new source quicker).
_WEEKS: Final = 8
#: Half-life of the weights, in weeks (a guess: two weeks follow growth, and see each weekday twice).
_HALF_LIFE_WEEKS: Final = 2.0
#: Weight of the assumption "no rhythm", in intervals of the phase (a guess).
_NO_RHYTHM: Final = 0.1
#: Share of the history that is taken for earlier bursts at most, and left out (a guess).
_BURSTS: Final = 0.06
#: How far above the level an interval must be to be left out.  Below, noise would be left out, too: the
#: noise of news volume is within a factor 3 (measured in benchmarks.alerts, templates of development).
_BURST_FACTOR: Final = 4.0
#: Rounds of fitting factors and level (they depend on each other; it converges in two or three).
_ROUNDS: Final = 4
#: Least φ: no collection is as regular as a Poisson process (a guess: 15 % of the mean).
_LEAST_DISPERSION: Final = 0.0225


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Intervals of one length, and the cycles that their counts follow."""

    seconds: int
    cycles: tuple[tuple[int, int], ...]
    """(intervals of a phase, number of phases): ``(24, 7)`` is the weekday of hours."""
    week: int
    """Intervals of a week."""

    def phases(self, first: int, count: int) -> NDArray[np.int64]:
        """Return the phases of *count* intervals from number *first* on: a row for each cycle."""
        numbers = np.arange(first, first + count)
        return np.stack([numbers // each % phases for each, phases in self.cycles])


#: Days: weekdays.
DAY: Final = Rhythm(86_400, ((1, 7),), 7)
#: Hours: hours of the day and weekdays.
HOUR: Final = Rhythm(3_600, ((1, 24), (24, 7)), 168)


@dataclass(frozen=True, slots=True)
class VolumeTest:
    """What counts as unusual."""

    least_history: int = 14
    """Days that must have been observed before anything is judged."""
    chance: float = 3e-5
    """Probability of a count at least as extreme within a day, above which nothing is unusual.

    An hour has a 24th of it, because a day has so many.  1 in 30,000 days would be one in 80 years; real
    counts have heavier tails than the model (benchmarks.alerts).
    """
    factor: float = 2.0
    """A rise is at least this multiple of the mean; a fall at most its inverse."""
    least: int = 5
    """A rise has at least so many pages; a fall is from at least so many."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Distribution of the next count."""

    mean: float
    dispersion: float
    """φ: the variance is ``mean + φ·mean²``."""
    observed: int
    """Intervals that it was learned from."""

    def at_least(self, count: int) -> float:
        """Return the probability of *count* or more."""
        if count <= 0:
            return 1.0
        if self.mean <= 0:
            return 0.0
        if self.dispersion < 1e-9:
            return float(gammainc(count, self.mean))
        size = 1.0 / self.dispersion
        return float(betainc(count, size, self.mean / (self.mean + size)))

    def at_most(self, count: int) -> float:
        """Return the probability of *count* or less."""
        if self.dispersion < 1e-9:
            return float(gammaincc(count + 1, self.mean)) if self.mean > 0 else 1.0
        return 1.0 - self.at_least(count + 1)


@dataclass(frozen=True, slots=True)
class Change:
    """An unusual count."""

    direction: Literal["rise", "fall"]
    count: int
    mean: float
    """Count that was expected."""
    chance: float
    """Probability of a count at least as extreme."""
    observed: int
    """Intervals that the expectation was learned from."""


def baseline(
    history: Sequence[int | None],
    first: int,
    rhythm: Rhythm,
    *,
    least_history: int = 14,
    ahead: int = 1,
) -> Baseline | None:
    """Return the distribution of the sum of the next counts after *history*.

    Parameters
    ----------
    history : sequence of int or None
        Counts of consecutive intervals, oldest first; ``None`` where nothing was observed.
    first : int
        Number of the first interval, since a Thursday 00:00 such as 1970-01-01; it gives the phases.
    rhythm : Rhythm
        Length and cycles of the intervals.
    least_history : int
        Days; two weeks at least, because a rhythm is not seen before.
    ahead : int
        Intervals of the sum, at least 1.

    Returns
    -------
    Baseline or None
        ``None`` when fewer than *least_history* days were observed, or no phase of the next
        interval was.
    """
    ends = None
    if rhythm.seconds == DAY.seconds:
        ends = month_ends(np.array(history, dtype=float), first, ahead)
    most = _WEEKS * rhythm.week
    first += max(0, len(history) - most)
    recent = list(history[-most:])
    seen = np.array([it is not None for it in recent], dtype=bool)
    if seen.sum() * rhythm.seconds < max(14, least_history) * 86_400:
        return None
    n = len(recent)
    month = np.ones(n + ahead) if ends is None else ends[-n - ahead :]
    counts = np.array([it or 0 for it in recent], dtype=float) / month[:n]
    phases = rhythm.phases(first, n + ahead)
    ages = np.arange(n, 0, -1)
    weights = np.where(seen, 0.5 ** (ages / (_HALF_LIFE_WEEKS * rhythm.week)), 0.0)
    mean = _fit(counts, phases, weights)
    kept = _without_bursts(counts, mean[:n], seen)
    if (kept != seen).any():
        weights = np.where(kept, weights, 0.0)
        mean = _fit(counts, phases, weights)
    expected = float((mean * month)[n:].sum())
    if expected <= 0:
        return Baseline(0.0, 0.0, int(kept.sum()))
    return Baseline(expected, _dispersion(counts, mean, weights, phases), int(kept.sum()))


def _fit(
    counts: NDArray[np.float64], phases: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the means of all intervals and of the next ones."""
    n = len(counts)
    factors = np.ones(phases.shape[1])
    level = float(np.average(counts, weights=weights))
    tables = [np.ones(int(row.max()) + 1) for row in phases]
    for _ in range(_ROUNDS if level > 0 else 0):
        for table, row in zip(tables, phases, strict=True):
            others = factors / table[row]
            expected = weights * others[:n] * level
            size = len(table)
            found = np.bincount(row[:n], weights * counts, size)
            wanted = np.bincount(row[:n], expected, size)
            # "No rhythm" weighs as much as the given number of newest intervals at the level.
            prior = _NO_RHYTHM * level
            table[:] = (found + prior) / (wanted + prior)
            factors = others * table[row]
        level = float((weights * counts).sum() / (weights * factors[:n]).sum())
    return factors * level


def _without_bursts(
    counts: NDArray[np.float64], mean: NDArray[np.float64], seen: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which intervals are kept: the few that were far above the level are earlier bursts."""
    usual = np.median(counts[seen]) if seen.any() else 0.0
    floor = np.maximum(mean, usual)
    high = seen & (counts > _BURST_FACTOR * np.minimum(floor, max(usual, 1.0)))
    if high.sum() > _BURSTS * seen.sum():
        return seen
    return seen & ~high


def _dispersion(
    counts: NDArray[np.float64],
    mean: NDArray[np.float64],
    weights: NDArray[np.float64],
    phases: NDArray[np.int64],
) -> float:
    """Return φ of the sum of the next counts: that of the history, and the uncertainty of its mean."""
    n = len(counts)
    ahead = len(mean) - n
    used = weights > 0
    usual = np.maximum(mean[:n], 1e-9)
    fitted = sum(len(np.unique(row)) for row in phases) - len(phases) + 1
    spare = used.sum() / max(used.sum() - fitted, 1)
    now = max(float(mean[n:].mean()), 1e-9)
    clusters, phi = _excess((counts - usual)[used] ** 2 * spare / usual[used] - 1.0, usual[used])
    phi = clusters / now + max(phi, _LEAST_DISPERSION)
    w = weights[used]
    total = float(w.sum() ** 2 / (w**2).sum())
    same = np.ones(n, dtype=bool)
    for row in phases:
        same &= row[:n] == row[-1]
    mine = weights[same]
    effective = float(mine.sum() ** 2 / (mine**2).sum()) if mine.any() else 0.0
    one = 1.0 / now + phi
    if ahead > 1:
        phi = _phi_of_sums(counts, usual, used, spare, ahead, now, phi)
    return phi + one / max(total, 1.0) + one / (effective + _NO_RHYTHM) / ahead


def _phi_of_sums(
    counts: NDArray[np.float64],
    usual: NDArray[np.float64],
    used: NDArray[np.bool_],
    spare: float,
    ahead: int,
    now: float,
    phi: float,
) -> float:
    """Return φ of sums of *ahead* counts: that of independent ones, or more where days that follow are alike."""
    ones = np.ones(ahead)
    whole = np.convolve(used, ones, "valid") == ahead
    sums, means = (
        np.convolve(counts, ones, "valid")[whole],
        np.convolve(usual, ones, "valid")[whole],
    )
    least = max(phi / ahead, _LEAST_DISPERSION)
    if not whole.any():
        return phi
    clusters, found = _excess((sums - means) ** 2 * spare / means - 1.0, means)
    return max(clusters / (now * ahead) + found, least)


def _excess(ratios: NDArray[np.float64], mean: NDArray[np.float64]) -> tuple[float, float]:
    """Return a and φ, both >= 0, of the variance ``(1 + a)·mean + φ·mean²``.

    a is what clusters add (one event, several pages), φ what a level adds that varies.  Least squares of
    *ratios*, ``(x - mean)² / mean - 1``, on ``a + φ·mean``, weighted by the inverse of their variance under
    a Poisson distribution, ``2 + 1/mean``.
    """
    w = mean / (2.0 * mean + 1.0)
    total = w.sum()
    if total <= 0:
        return 0.0, 0.0
    center = float((w * mean).sum() / total)
    level = float((w * ratios).sum() / total)
    spread = float((w * (mean - center) ** 2).sum())
    slope = float((w * (mean - center) * ratios).sum() / spread) if spread > 0 else 0.0
    offset = level - slope * center
    if slope < 0:
        return max(level, 0.0), 0.0
    if offset < 0:
        return 0.0, max(float((w * mean * ratios).sum() / (w * mean**2).sum()), 0.0)
    return offset, slope


def judge(count: int, expected: Baseline, test: VolumeTest, rhythm: Rhythm = DAY) -> Change | None:
    """Return how *count* is unusual, ``None`` if it is not."""
    mean = expected.mean
    most = test.chance * rhythm.seconds / 86_400
    if count >= test.least and count >= test.factor * mean:
        chance = expected.at_least(count)
        if chance <= most:
            return Change("rise", count, mean, chance, expected.observed)
    if mean >= test.least and count * test.factor <= mean:
        chance = expected.at_most(count)
        if chance <= most:
            return Change("fall", count, mean, chance, expected.observed)
    return None
