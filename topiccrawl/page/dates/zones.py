"""Fields that state a moment in another time zone than that of the line that a reader sees.

A site abroad writes ``datetime="2024-03-17T01:30:00Z"`` beside 2024年3月16日 21:30, and some write the time of
their own clock as that of another zone. What a reader sees is the date of the page.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.stated import StatedDate, has_clock_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from topiccrawl.page.dates.visible_lines import LineDate

#: Clocks of the world less that of China: from 12 hours behind Greenwich to 14 hours before it.
_EARLIEST, _LATEST = timedelta(hours=-20), timedelta(hours=6)
#: By what the clocks of zones differ (a few by a quarter of an hour).
_STEP: Final = timedelta(minutes=30)
#: Lines below the title among which a day is the page's own (a guess: a by-line, counters).
_NEAR: Final = 6


def as_seen(stated: Sequence[StatedDate], visible: Sequence[LineDate]) -> list[StatedDate]:
    """Return the dates of fields, those of other zones as the line near the title has them, if there is one.

    Parameters
    ----------
    stated : sequence of StatedDate
        Dates of fields, in China's time.
    visible : sequence of LineDate
        Dates of visible lines.
    """
    if not any(it.elsewhere for it in stated):
        return list(stated)
    near = [
        it
        for it in visible
        if not it.in_others and it.score > 0 and it.after is not None and it.after <= _NEAR
    ]
    return [_seen(it, near) if it.elsewhere else it for it in stated]


def _seen(stated: StatedDate, near: Sequence[LineDate]) -> StatedDate:
    clocks = [it.found.moment for it in near if has_clock_time(it.found)]
    moment = _minute(stated.moment)
    if any(_minute(it) == moment for it in clocks):
        return stated
    for other in clocks:
        away = _minute(other) - moment
        if _EARLIEST <= away <= _LATEST and not away % _STEP:
            return replace(stated, moment=other)
    days = [it.found.moment for it in near if not it.found.has_time]
    if clocks or any(it.date() == moment.date() for it in days):
        return stated
    for day in days:
        if (moment + _EARLIEST).date() <= day.date() <= (moment + _LATEST).date():
            return replace(stated, moment=day, has_time=False)
    return stated


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
