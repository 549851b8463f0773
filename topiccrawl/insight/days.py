"""Days in China as whole numbers, for arrays of times."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.store.values import to_milliseconds

#: Milliseconds of a day.
DAY_MS: Final = 86_400_000

#: Offset of China's time from UTC in milliseconds; the whole country has one.
_CHINA_MS: Final = 8 * 3_600_000

_EPOCH_DAY: Final = date(1970, 1, 1)


def days_of(milliseconds: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the day in China of each time: days since 1970-01-01."""
    return ((milliseconds + _CHINA_MS) // DAY_MS).astype(np.int32)


def day_of_moment(moment: datetime) -> int:
    """Return the day in China of a time: days since 1970-01-01."""
    return (to_milliseconds(moment) + _CHINA_MS) // DAY_MS


def day_of(number: int) -> date:
    """Return the date of a day's number; the last or first one there is for numbers beyond."""
    try:
        return _EPOCH_DAY + timedelta(days=int(number))
    except OverflowError:
        return date.max if number > 0 else date.min


def number_of(day: date) -> int:
    """Return the number of a day."""
    return (day - _EPOCH_DAY).days
