"""Resolve dates with or without a time of day: 11月2日, 今天上午, 去年底, 2024年第一季度."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping, Set
from dataclasses import replace
from datetime import datetime
from typing import Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories import time_words as words
from topiccrawl.stories.time_spans import (
    DAY,
    TimeSpan,
    add_months,
    is_ahead,
    nearest_day,
    nearest_month,
    number_of,
    whole_day,
    with_clock,
)

_DATE_PARTS: Final = (
    "year", "roc", "ryear", "ayear", "month", "rmonth", "amonth", "day", "third", "season", "quarter", "quarters",
)  # fmt: skip

#: Characters before and after a match that decide whether it is a date.
_AROUND: Final = 6
_CLOCK_PARTS: Final = frozenset(("part", "hour", "m1", "m2", "half", "local"))
#: Parts without which there is no date, and those that place a day, a season or a quarter.
_OF_YEAR_OR_MONTH: Final = frozenset(("year", "roc", "ryear", "month", "rmonth", "amonth", "ayear"))
_ANY_DATE: Final = _OF_YEAR_OR_MONTH | {
    "day",
    "rday",
    "aday",
    "season",
    "third",
    "quarter",
    "quarters",
}
#: Names of seasons that are no times by themselves.
_SEASONS: Final = frozenset(("春季", "夏季", "秋季", "冬季"))
_NOT_A_MONTH: Final = re.compile(r"(?:龄|球|亮|薪|饼|嫂|光|台)")
_NOT_BEFORE_A_MONTH: Final = re.compile(r"[第每个]\s?$")
_YEAR_BEFORE: Final = re.compile(r"[\d今去前明后]年的?\s?$")


def resolve_date(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve :data:`~topiccrawl.stories.time_words.DATE`."""
    parts = match.groupdict()
    if not _is_date(match, parts):
        return None
    year = stated_year(parts, now, context)
    month, month_known = _month(parts, now, context)
    if year is None and parts["rmonth"]:
        shifted = now.year * 12 + now.month - 1 + words.MONTHS[parts["rmonth"]]
        year, month = shifted // 12, shifted % 12 + 1
    elif year is None and parts["amonth"]:
        year = context.year
        if parts["amonth"] == "次月":
            year, month = (year + 1, 1) if context.month == 12 else (year, context.month + 1)
    future = is_ahead(match)
    try:
        span = _days(parts, year, month if month_known else None, now, context, future)
    except (ValueError, OverflowError):
        return None
    if span is None:
        return None
    span = with_clock(replace(span, text=match.group(), place=match.start()), parts)
    zone = parts["local"]
    return replace(span, local=True) if zone and not zone.startswith("北京") else span


def _is_date(match: re.Match[str], parts: Mapping[str, str | None]) -> bool:
    """Whether a match is a date and not a number or a part of another word."""
    has = {key for key, value in parts.items() if value}
    if {"part", "hour"} <= has <= _CLOCK_PARTS:
        return True  # 上午10时: of the day that was mentioned last
    if not has & _ANY_DATE:
        return False
    text, at, end = match.string, match.start(), match.end()
    before, after = text[max(0, at - _AROUND) : at], text[end : end + _AROUND]
    if before[-1:].isdigit() and text[at].isdigit():
        return False
    has_quarter = "quarter" in has
    if has_quarter and "季" not in match.group():
        return False
    if has & _OF_YEAR_OR_MONTH:
        return _is_in_month(has, before, after)
    if "third" in has:
        return len(parts["third"] or "") > 1
    if "season" in has:
        return len(parts["season"] or "") > 1 and parts["season"] not in _SEASONS
    return has_quarter or "day" not in has or _is_bare_day(has, parts, before, after)


def _is_bare_day(has: Set[str], parts: Mapping[str, str | None], before: str, after: str) -> bool:
    """Whether a day without month and year is one: 3日, but not 3日游."""
    clock = bool(has & {"part", "hour"})
    if parts["dayword"] == "号" and not clock:
        return False
    if words.NOT_BEFORE_A_DAY.search(before) or (not clock and words.NOT_A_DAY.match(after)):
        return False
    day = parts["day"] or ""
    return day.isdigit() or clock or len(day) > 1


def _is_in_month(has: Set[str], before: str, after: str) -> bool:
    """Whether a date with a year or a month is one: 5月, but not 第5月 and 5月龄."""
    if "month" not in has or has & {"year", "ryear", "roc", "ayear"}:
        return True
    if not has & {"day", "third"}:
        return not (_NOT_A_MONTH.match(after) or _NOT_BEFORE_A_MONTH.search(before))
    # With its year it was no date: 2025年2月29日.
    return _YEAR_BEFORE.search(before) is None


def stated_year(parts: Mapping[str, str | None], now: datetime, context: datetime) -> int | None:
    """Return the year that an expression states, ``None`` if it states none."""
    if parts.get("year"):
        return number_of(parts["year"])
    if parts.get("roc"):
        return 1911 + int(parts["roc"] or 0)
    if parts.get("ryear"):
        return now.year + words.YEARS[parts["ryear"] or ""]
    if parts.get("ayear"):
        return context.year + (1 if parts["ayear"] in {"次年", "翌年"} else 0)
    return None


def _month(
    parts: Mapping[str, str | None], now: datetime, context: datetime
) -> tuple[int | None, bool]:
    month = number_of(parts["month"])
    if month is not None:
        return month, True
    if parts["rmonth"]:
        return (now.month - 1 + words.MONTHS[parts["rmonth"]]) % 12 + 1, True
    if parts["amonth"]:
        return (context.month if parts["amonth"] != "次月" else context.month % 12 + 1), True
    return None, False


def _days(
    parts: Mapping[str, str | None],
    year: int | None,
    month: int | None,
    now: datetime,
    context: datetime,
    future: bool,
) -> TimeSpan | None:
    """Return the span of the date without the time of day."""
    if parts["rday"]:
        return whole_day(now + words.DAYS[parts["rday"]] * DAY)
    if parts["aday"]:
        later = parts["aday"] in {"次日", "翌日", "第二天"}
        return whole_day(context + (DAY if later else 0 * DAY))
    if parts["part"] and not any(parts[key] for key in _DATE_PARTS):
        return whole_day(context)
    day = number_of(parts["day"])
    if day is not None:
        return nearest_day(year, month, day, now, context, future)
    if parts["third"]:
        low, high = words.MONTH_PARTS[parts["third"]]
        start = nearest_month(year, month if month else now.month, now, future)
        last = calendar.monthrange(start.year, start.month)[1]
        return TimeSpan(
            "", start.replace(day=low), start.replace(day=min(high, last)) + DAY, "part-month"
        )
    if month is not None:
        start = nearest_month(year, month, now, future)
        return TimeSpan("", start, add_months(start, 1), "month")
    year = now.year if year is None else year
    january = datetime(year, 1, 1, tzinfo=CHINA_TIME)
    if parts["season"]:
        key = parts["season"].rstrip("季天")
        low, high = words.YEAR_PARTS[key]
        return TimeSpan("", add_months(january, low - 1), add_months(january, high), "part-year")
    if parts["quarter"]:
        quarter = number_of(parts["quarter"].removeprefix("第")) or 1
        first = add_months(january, 3 * quarter - 3)
        return TimeSpan("", first, add_months(first, 3), "part-year")
    if parts["quarters"]:
        count = 3 if parts["quarters"][1] in "三3" else 2
        return TimeSpan("", january, add_months(january, 3 * count), "part-year")
    return TimeSpan("", january, add_months(january, 12), "year")
