"""Dates of the Chinese lunar calendar, by the library lunar_python (MIT)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from topiccrawl.page.dates import CHINA_TIME


@lru_cache(maxsize=1_000)
def lunar_date(year: int, month: int, day: int) -> datetime | None:
    """Return the beginning of a day of the lunar calendar, ``None`` if there is no such day.

    Day 0 is the last day before the month: 除夕 is ``(year, 1, 0)``.

    >>> lunar_date(2026, 1, 1).isoformat()
    '2026-02-17T00:00:00+08:00'
    """
    from lunar_python import Lunar  # .1 s, only for the few texts that need it

    try:
        solar = Lunar.fromYmd(year, month, day or 1).getSolar().next(0 if day else -1)
        return datetime(solar.getYear(), solar.getMonth(), solar.getDay(), tzinfo=CHINA_TIME)
    except Exception:  # the library raises Exception itself
        return None
