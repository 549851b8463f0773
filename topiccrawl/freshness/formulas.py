"""Age, freshness and the age index of pages that change at random (Poisson) times.

Rates are changes a day, times are days.  A copy's *age* is the time since the page's first change after
the last visit, 0 while there is none; its *freshness* is the probability that there is none.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.types import FloatArray

#: Below this number of expected changes the exact expressions cancel; the first terms of their series are
#: used (relative error under 1e-4).
_SMALL = 1e-3
#: Grid of ``z = λτ`` for the inverse in :func:`index_at_age`: 8 decades, error of the interpolation 1e-5.
_Z = np.logspace(-5, 3, 1025)


def expected_age(rate: FloatArray, days: FloatArray) -> FloatArray:
    """Return the expected age of a copy ``days`` after the visit.

    ``Age(λ, t) = ∫₀ᵗ λ e^{-λx} (t - x) dx = t - (1 - e^{-λt}) / λ`` [slides].

    Parameters
    ----------
    rate : array of float
        λ, changes a day, >= 0.
    days : array of float
        t, days since the visit, >= 0.

    Examples
    --------
    >>> round(float(expected_age(np.array(1 / 7), np.array(7.0))), 1)
    2.6
    """
    days = np.asarray(days, dtype=float)
    return days * mean_lag(np.asarray(rate, dtype=float) * days)


def mean_age(rate: FloatArray, interval: FloatArray) -> FloatArray:
    """Return the age of a copy averaged over the time between two visits ``interval`` days apart.

    ``I·(1/2 - 1/r + (1 - e^{-r}) / r²)`` with ``r = λI`` [Cho & Garcia-Molina 2003].
    """
    interval = np.asarray(interval, dtype=float)
    r = np.asarray(rate, dtype=float) * interval
    safe = np.maximum(r, _SMALL)
    exact = 0.5 - 1 / safe - np.expm1(-safe) / safe**2
    return interval * np.where(r < _SMALL, r / 6, exact)


def age_index(rate: FloatArray, days: FloatArray) -> FloatArray:
    """Return the index of a page for age: what one visit now is worth, in days².

    ``W(τ) = τ·c(τ) - ∫₀^τ c`` with ``c`` = :func:`expected_age`: the price of a visit at which the interval τ
    is the best.  Visiting the pages with the highest index needs no central optimization and keeps the
    rate of requests constant.
    """
    days = np.asarray(days, dtype=float)
    return days * expected_age(rate, days) - days * mean_age(rate, days)


def index_at_age(rate: FloatArray, age: FloatArray) -> FloatArray:
    """Return :func:`age_index` at the time τ at which the expected age is ``age``.

    For pages of which more is known than the time since the visit: a sibling changed, a sitemap states a
    later date.  Whether to wait depends on the expected age now; the price is that of the ordinary cycle
    with this age at its end.
    """
    rate = np.maximum(rate, 1e-9)
    lag = np.log(np.maximum(rate * age, 1e-30))
    return np.exp(np.interp(lag, _LOG_LAG, _LOG_INDEX) + _beyond(lag)) / rate**2


def mean_lag(r: FloatArray) -> FloatArray:
    """Return ``1 - (1 - e^{-r}) / r``."""
    safe = np.maximum(r, _SMALL)
    return np.where(r < _SMALL, r / 2, 1 + np.expm1(-safe) / safe)


def _tables() -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of ``λc`` and ``λ²W`` on the grid of ``λτ``."""
    one = np.ones_like(_Z)
    index = np.where(_Z < 1e-2, _Z**3 / 3 - _Z**4 / 8, age_index(one, _Z))
    return np.log(expected_age(one, _Z)), np.log(index)


_LOG_LAG, _LOG_INDEX = _tables()


def _beyond(lag: FloatArray) -> FloatArray:
    """Return the linear continuation of the table: the index grows as c^1.5 for small, as c² for large c."""
    return np.asarray(
        1.5 * np.minimum(lag - _LOG_LAG[0], 0.0) + 2.0 * np.maximum(lag - _LOG_LAG[-1], 0.0)
    )
