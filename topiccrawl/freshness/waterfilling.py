"""The visits a day that maximize mean freshness when the change rates are known [slides; Cho & Garcia-Molina 2003]."""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.types import FloatArray

#: Halvings of the bracket of μ and of r: the answer is exact to 1e-9.
_STEPS = 60
#: Rates under one change in three million years count as 0.
_LEAST = 1e-9


def optimal_frequencies(rates: FloatArray, visits: float) -> FloatArray:
    """Return the visits a day of each page that maximize the mean freshness.

    Water-filling: ``∂F/∂f = (1 - (1 + r) e^{-r}) / λ = μ`` with ``r = λ/f``, and ``f = 0`` where ``λ >= 1/μ``: pages
    that change too often to be caught are given up.

    Parameters
    ----------
    rates : array of float, shape (n,)
        λ, changes a day, >= 0; pages that never change need no visit.
    visits : float
        Sum of the result, visits a day.

    Examples
    --------
    >>> optimal_frequencies(np.array([1.0, 2, 3, 4, 5]), 5).round(2)
    array([1.15, 1.36, 1.35, 1.14, 0.  ])
    """
    rates = np.asarray(rates, dtype=float)
    result = np.zeros_like(rates)
    alive = rates > _LEAST
    if not alive.any() or visits <= 0:
        return result
    # Equal rates are solved once.
    values, inverse, counts = np.unique(rates[alive], return_inverse=True, return_counts=True)
    low, high = 0.0, float(1 / values[0])
    for _ in range(_STEPS):
        price = (low + high) / 2
        if float((_frequencies(values, price) * counts).sum()) > visits:
            low = price
        else:
            high = price
    # Just below the price at which the fastest pages are given up, the lower price spends too much.
    filled = _frequencies(values, low)
    total = float((filled * counts).sum())
    result[alive] = filled[inverse] * (visits / total if total > 0 else 0.0)
    return result


def _frequencies(rates: FloatArray, price: float) -> FloatArray:
    """Return the frequencies at which one more visit adds ``price`` to the freshness."""
    gain = rates * price
    low, high = np.zeros_like(rates), np.full_like(rates, 60.0)
    for _ in range(_STEPS):
        r = (low + high) / 2
        enough = -np.expm1(-r) - r * np.exp(-r) > gain
        high = np.where(enough, r, high)
        low = np.where(enough, low, r)
    return np.where(gain >= 1.0, 0.0, rates / np.maximum((low + high) / 2, 1e-12))
