"""The rhythm of the month: days on which many collections have more pages than on others."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray

#: How many times the usual the same days of other months must have had to be no chance (a guess).
MORE: Final = 1.25
#: Days at the end of a month that are the same days as those of months of other lengths (a guess).
_MONTH_END: Final = 3
#: Days of the same weekday with which a day is compared: those of the two weeks around it.
_NEAR_DAYS: Final = (-14, -7, 7, 14)


def days_of_month(first: int, count: int) -> NDArray[np.int64]:
    """Return the place in its month of each of *count* days: 0 for the 1st, -1, -2, -3 for the last three.

    *first* is the number of the first day, since 1970-01-01.
    """
    days = np.arange(first, first + count).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    following = (months + np.timedelta64(1, "M")).astype("datetime64[D]")
    before_next = (days - following).astype(np.int64)
    after_begin = (days - months.astype("datetime64[D]")).astype(np.int64)
    return np.asarray(np.where(before_next >= -_MONTH_END, before_next, after_begin))


def month_ratios(counts: FloatArray) -> FloatArray:
    """Return how many times the count usual around it each day has; NaN for days that cannot be compared.

    *counts* are those of consecutive days, NaN where nothing was observed.
    """
    n, most = len(counts), max(_NEAR_DAYS)
    padded = np.pad(counts, most, constant_values=np.nan)
    near = np.stack([padded[most + it : most + it + n] for it in _NEAR_DAYS])
    near[:, np.isnan(near).all(axis=0)] = 0.0
    usual = np.nanmedian(near, axis=0)
    return np.where(usual >= 1, counts / np.maximum(usual, 1), np.nan)
