"""Spans of time, and the days, months and times of day nearest to a given moment."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories import time_words as words
from topiccrawl.text.numerals import han_number

#: From exact to unknown; ``vague`` is 日前 and the like.
Precision = Literal[
    "minute", "hour", "part", "day", "week", "part-month", "month", "part-year", "year", "vague"
]

#: One day.
DAY: Final = timedelta(days=1)
#: How much farther a date in the future is than one in the past (a guess: see :mod:`.times`).
_FUTURE_FACTOR: Final = 2
#: Characters before an expression in which 将 and the like are searched.
_BEFORE: Final = 12
#: Hours by which parts of a day are told apart: before the first one begin 凌晨 and 午夜, whose 12时 is midnight.
_MORNING: Final = 5
_NOON: Final = 11
_NIGHT: Final = 18
#: Expressions that name a month of the common calendar, and no year.
_OPEN_YEAR: Final = re.compile(r"\d{1,2}月|[一二三四五六七八九十]{1,2}月份?$")
#: Shorter spans are so many days, longer ones whole months.
_SHORTEST_MONTH: Final = timedelta(days=28)
#: Hour from which a number belongs to an evening and not to the small hours: 晚5时 (a guess).
_NIGHT_ENDS: Final = 5


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """What a time expression refers to: from *first* until before *end*, in China Standard Time."""

    text: str
    """The expression, normalized."""
    first: datetime
    end: datetime
    precision: Precision
    place: int = 0
    """Position in the normalized text."""
    local: bool = False
    """Whether it is in the local time of another place (当地时间): up to a day off."""

    @property
    def days(self) -> int:
        """Number of days that the span touches."""
        return (self.end - timedelta(microseconds=1)).toordinal() - self.first.toordinal() + 1

    @property
    def days_text(self) -> str:
        """The span as ``2026-11-02``, ``2026-11-02/2026-11-05`` or ``2026-11-02 09:30``."""
        if self.precision in {"minute", "hour"} and self.days == 1:
            return f"{self.first:%Y-%m-%d %H:%M}"
        last = (self.end - timedelta(microseconds=1)).date()
        return "/".join(sorted({f"{self.first:%Y-%m-%d}", f"{last:%Y-%m-%d}"}))


def number_of(word: str | None) -> int | None:
    """Return the number that *word* writes in digits or Han numerals, if it does."""
    return None if word is None else han_number(word)


def is_ahead(match: re.Match[str]) -> bool:
    """Whether 将 or the like stands before an expression."""
    return bool(words.FUTURE.search(match.string[max(0, match.start() - _BEFORE) : match.start()]))


def in_year(span: TimeSpan, year: int) -> TimeSpan | None:
    """Return *span* in another year, ``None`` if its expression does not leave the year open.

    3月, 3月5日 and 三月 leave it open; 2026年3月, 上月 and dates of the lunar calendar do not.
    """
    if _OPEN_YEAR.match(span.text) is None:
        return None
    try:
        first = span.first.replace(year=year)
        length = span.end - span.first
        months = 12 * (year - span.first.year)
        end = first + length if length < _SHORTEST_MONTH else add_months(span.end, months)
    except (ValueError, OverflowError):  # 29 February, the year 10000
        return None
    return replace(span, first=first, end=end)


def whole_day(moment: datetime) -> TimeSpan:
    """Return the day of *moment*."""
    first = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return TimeSpan("", first, first + DAY, "day")


def add_months(moment: datetime, months: int) -> datetime:
    """Return the first day of the month so many *months* after that of *moment*, at its time of day."""
    at = moment.year * 12 + moment.month - 1 + months
    return moment.replace(year=at // 12, month=at % 12 + 1, day=1)


def nearest_day(
    year: int | None,
    month: int | None,
    day: int,
    now: datetime,
    context: datetime,
    future: bool,
) -> TimeSpan | None:
    """Return the day; without year or month, the nearest one."""
    if year is not None:
        return whole_day(datetime(year, month or now.month, day, tzinfo=CHINA_TIME))
    choices = []
    if month is not None:
        # 29 February is up to eight years away.
        months = [(now.year + shift, month) for shift in (-8, -4, -3, -2, -1, 0, 1, 2, 3, 4)]
    else:
        # 11月2日至5日: the month before it counts, unless it is that of another year's report.
        base = context if context != now else now
        at = base.year * 12 + base.month - 1
        shifts = (-1, 0, 1)
        months = [((at + shift) // 12, (at + shift) % 12 + 1) for shift in shifts]
    for one_year, one_month in months:
        if day <= calendar.monthrange(one_year, one_month)[1]:
            choices.append(datetime(one_year, one_month, day, tzinfo=CHINA_TIME))
    if not choices:
        return None
    if month is None and context != now:
        same = [it for it in choices if (it.year, it.month) == (context.year, context.month)]
        if same and (abs(now - context).days > 45 or same[0] <= now or future):
            return whole_day(same[0])
    return whole_day(min(choices, key=lambda it: distance(it, it + DAY, now, future)))


def nearest_month(year: int | None, month: int, now: datetime, future: bool) -> datetime:
    """Return the first day of the month; without year, of the nearest one."""
    if year is not None:
        return datetime(year, month, 1, tzinfo=CHINA_TIME)
    choices = [datetime(now.year + shift, month, 1, tzinfo=CHINA_TIME) for shift in (-1, 0, 1)]
    return min(choices, key=lambda it: distance(it, add_months(it, 1), now, future))


def distance(first: datetime, end: datetime, now: datetime, future: bool) -> timedelta:
    """Return how far a span is from *now*: 0 inside it."""
    if end <= now:
        return (now - end) * (_FUTURE_FACTOR**4 if future else 1)
    if first > now:
        return (first - now) * (1 if future else _FUTURE_FACTOR)
    return timedelta(0)


def _hour_of_day(hour: int, part: tuple[int, int]) -> int:
    """Return the hour, 0 to 29, of a clock with twelve or 24 hours in a part of the day.

    A night ends with the small hours of the next day: 深夜1时 is 25.
    """
    first, _end = part
    if hour == 12 and first < _MORNING:
        return 0
    if first >= _NIGHT and hour in (*range(1, _NIGHT_ENDS), 12):
        return 24 if hour == 12 else 24 + hour
    if first >= _NOON and hour < 12 and not (first == _NOON and hour > 9):
        return hour + 12
    return hour


def with_clock(span: TimeSpan, parts: Mapping[str, str | None]) -> TimeSpan:
    """Narrow a day to the stated time of day."""
    if span.precision != "day":
        return span
    part = words.PARTS.get(parts["part"] or "")
    hour = number_of(parts["hour"])
    midnight = span.first
    if hour is not None and hour <= 24:
        if part:
            hour = _hour_of_day(hour, part)
        minute = 30 if parts["half"] else number_of(parts["m1"] or parts["m2"])
        start = midnight + timedelta(hours=hour, minutes=minute or 0)
        if minute is None:
            return replace(span, first=start, end=start + timedelta(hours=1), precision="hour")
        return replace(span, first=start, end=start + timedelta(minutes=1), precision="minute")
    if part:
        return replace(
            span,
            first=midnight + timedelta(hours=part[0]),
            end=midnight + timedelta(hours=part[1]),
            precision="part",
        )
    return span
