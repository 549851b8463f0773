"""The rhythm of the month: days on which many collections have more pages than on others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray

#: How many times the usual the same days of other months must have had to be no chance (a guess).
_MORE: Final = 1.25
#: Days at the end of a month that are the same days as those of months of other lengths (a guess).
_MONTH_END: Final = 3
#: Days of the same weekday with which a day is compared: those of the two weeks around it.
_NEAR_DAYS: Final = (-14, -7, 7, 14)
#: Months of which a day must be seen before it has a rhythm (a choice: two can be two bursts).
_LEAST_MONTHS: Final = 3
#: The latest months whose ends count, and how many must be seen (guesses).
_LATEST, _LEAST_LATEST = 3, 2


def month_rhythm(counts: FloatArray, first: int) -> FloatArray:
    """Return the factor of each day: above 1 for the days of the month of which three in four have clearly more.

    *counts* are those of consecutive days, NaN where nothing was observed; *first* is the number of the first
    day, since 1970-01-01.
    """
    places = _days_of_month(first, len(counts))
    return _factors(counts, places, np.unique(places), _of_most_months)


def month_ends(counts: FloatArray, first: int, ahead: int) -> FloatArray:
    """Return the factors of all days and of the *ahead* next ones, as far as they are the last of their months.

    Above 1 if each of the latest months had clearly more on that day; other parameters as in
    :func:`month_rhythm`.
    """
    places = _days_of_month(first, len(counts) + ahead)
    return _factors(counts, places, np.unique(places[places < 0]), _of_latest_months)


def _factors(
    counts: FloatArray,
    places: NDArray[np.int64],
    chosen: NDArray[np.int64],
    factor: Callable[[FloatArray], float],
) -> FloatArray:
    """Return for each of *places* what *factor* makes of the ratios of that day in all months; 1 where not *chosen*."""
    ratios = _ratios(counts)
    factors = np.ones(len(places))
    for place in chosen:
        same = places == place
        found = ratios[same[: len(counts)]]
        factors[same] = factor(found[~np.isnan(found)])
    return factors


def _of_most_months(ratios: FloatArray) -> float:
    regular = len(ratios) >= _LEAST_MONTHS and np.quantile(ratios, 0.25, method="lower") >= _MORE
    return float(np.median(ratios)) if regular else 1.0


def _of_latest_months(ratios: FloatArray) -> float:
    latest = ratios[-_LATEST:]
    regular = len(latest) >= _LEAST_LATEST and latest.min() >= _MORE
    return float(np.median(latest)) if regular else 1.0


def _days_of_month(first: int, count: int) -> NDArray[np.int64]:
    """Return the place in its month of each of *count* days: 0 for the 1st, -1, -2, -3 for the last three."""
    days = np.arange(first, first + count).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    following = (months + np.timedelta64(1, "M")).astype("datetime64[D]")
    before_next = (days - following).astype(np.int64)
    after_begin = (days - months.astype("datetime64[D]")).astype(np.int64)
    return np.asarray(np.where(before_next >= -_MONTH_END, before_next, after_begin))


def _ratios(counts: FloatArray) -> FloatArray:
    """Return how many times the count usual around it each day has; NaN for days that cannot be compared."""
    n, most = len(counts), max(_NEAR_DAYS)
    padded = np.pad(counts, most, constant_values=np.nan)
    near = np.stack([padded[most + it : most + it + n] for it in _NEAR_DAYS])
    near[:, np.isnan(near).all(axis=0)] = 0.0
    usual = np.nanmedian(near, axis=0)
    return np.where(usual >= 1, counts / np.maximum(usual, 1), np.nan)
