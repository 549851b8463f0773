"""The ordinary number of documents of each day: a smooth level times the rhythm of the week."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import spsolve

from topiccrawl.scoring.arrays import FloatArray

_WEEK: Final = 7

#: Days between two knots of the level.  It follows growth over months, not a burst of days (a guess).
_KNOT_DAYS: Final = 28

#: Weight with which neighboring knots are drawn together, and weekdays to 1: as if of so many documents.
#: Guesses; they matter for short or thin series only.
_SMOOTHNESS: Final = 4.0
_WEEKDAY_PRIOR: Final = 5.0

#: Rounds of Newton's method; it converges in fewer than 10.
_ROUNDS: Final = 25
_PRECISE: Final = 1e-6

#: A day without documents is a gap, not an ordinary day, if its probability is below this (a guess).
_GAP_PROBABILITY: Final = 1e-4

#: Share of the days, those that fit best, from which the spread is computed (a guess).
_FITTING: Final = 0.97

#: Largest logarithm of a level, against overflow while Newton's method is far off.
_MOST_LOG: Final = 20.0


@dataclass(frozen=True, slots=True)
class Baseline:
    """Expected documents of each day."""

    expected: FloatArray
    spread: float
    """α of the negative binomial distribution: variance μ + α μ²."""


def fit_baseline(counts: FloatArray, ordinary: NDArray[np.bool_]) -> Baseline:
    """Fit the baseline to the *ordinary* days of a series; the other days are interpolated.

    A Poisson regression with logarithmic link: ln μ(t) is linear between knots every 28 days, plus a
    constant for the day of the week.  Second differences of the knots and the constants are penalized.

    Parameters
    ----------
    counts
        Documents of consecutive days, NaN for days without observation.
    ordinary
        Mask of the days to fit.
    """
    days = len(counts)
    use = ordinary & ~np.isnan(counts)
    if not use.any():
        return Baseline(np.zeros(days), 0.0)
    design, penalty = _design(days)
    target = counts[use]
    rows = design[use]
    knots = design.shape[1] - _WEEK
    beta = np.zeros(design.shape[1])
    beta[:knots] = math.log(max(float(target.mean()), 0.01))
    for _ in range(_ROUNDS):
        mean = np.exp(np.clip(rows @ beta, -_MOST_LOG, _MOST_LOG))
        slope = rows.T @ (target - mean) - penalty @ beta
        curve = rows.T @ rows.multiply(mean[:, None]).tocsr() + penalty
        step = spsolve(curve.tocsc(), slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        beta += step
        if float(np.abs(step).max()) < _PRECISE:
            break
    expected = np.exp(np.clip(design @ beta, -_MOST_LOG, _MOST_LOG))
    return Baseline(expected, _spread(target, expected[use], len(beta)))


def without_gaps(counts: FloatArray, expected: FloatArray) -> FloatArray:
    """Return *counts* with NaN for days without documents on which some were to be expected."""
    gap = (counts == 0) & (expected > -math.log(_GAP_PROBABILITY))
    return np.where(gap, np.nan, counts)


def _design(days: int) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return the design matrix (days × (knots + 7), 3 values a row) and the penalty of its coefficients."""
    knots = max(2, math.ceil(days / _KNOT_DAYS) + 1)
    at = np.arange(days) * (knots - 1) / max(days - 1, 1)
    left = np.minimum(at.astype(np.int64), knots - 2)
    day = np.arange(days)
    values = np.stack((1.0 - (at - left), at - left, np.ones(days)), 1)
    columns = np.stack((left, left + 1, knots + day % _WEEK), 1)
    design = sparse.csr_array(
        (values.ravel(), (np.repeat(day, 3), columns.ravel())), shape=(days, knots + _WEEK)
    )
    penalty = np.zeros((knots + _WEEK, knots + _WEEK))
    if knots > 2:
        second = np.diff(np.eye(knots), 2, axis=0)
        penalty[:knots, :knots] = _SMOOTHNESS * second.T @ second
    else:
        first = np.diff(np.eye(knots), axis=0)
        penalty[:knots, :knots] = _SMOOTHNESS * first.T @ first
    penalty[knots:, knots:] = _WEEKDAY_PRIOR * np.eye(_WEEK)
    # A trace on the diagonal, so that the equations always have a solution.
    return design, sparse.csr_array(penalty + 1e-8 * np.eye(knots + _WEEK))


def _spread(counts: FloatArray, expected: FloatArray, parameters: int) -> float:
    """Return α by the method of moments, without the days that fit worst.

    Σ ((y - μ)² - μ) / Σ μ² over :data:`_FITTING` of the days, divided by the share of degrees of freedom
    that the parameters leave.  A burst that is still among the days would raise α and so hide itself.
    """
    residual = (counts - expected) ** 2 - expected
    order = np.argsort(residual / np.maximum(expected, 1e-9))
    kept = order[: max(1, math.ceil(_FITTING * len(order)))]
    freedom = max(1.0, 1.0 - parameters / max(len(counts), 1))
    return max(0.0, float(residual[kept].sum() / max((expected[kept] ** 2).sum(), 1e-9)) / freedom)
