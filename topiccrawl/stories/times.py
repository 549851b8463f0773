"""Resolve Chinese time expressions against the time of publication.

昨日, 今天上午, 本月5日, 上周三, 3日, 去年底, 11月2日至5日, 二〇二四年三月 become spans of time in China, with the
precision of the expression.  Without a year or month the nearest date counts, the past being nearer than
the future, as news reports what has happened: in January 12月28日 is of the last year, in March 5月1日 of
this one.  将 and the like before it make it the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories import time_words as words
from topiccrawl.stories.lunar import lunar_date
from topiccrawl.stories.time_dates import resolve_date, stated_year
from topiccrawl.stories.time_spans import (
    DAY,
    Precision,
    TimeSpan,
    add_months,
    distance,
    in_year,
    is_ahead,
    nearest_day,
    number_of,
    whole_day,
    with_clock,
)
from topiccrawl.text.normalize import normalize

#: Days of 日前 and 近日 (a guess).
_VAGUE_DAYS: Final = 7
_FINE: Final = frozenset({"minute", "hour", "part", "day"})
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
#: Months of a unit of the calendar, and the length of any other by its first character.
_MONTHS: Final = {"年": 12, "月": 1, "季度": 3}
_LENGTHS: Final = {
    "秒": timedelta(seconds=1), "分": _MINUTE, "小": _HOUR, "钟": _HOUR,
    "天": DAY, "日": DAY, "周": 7 * DAY, "星": 7 * DAY, "礼": 7 * DAY,
}  # fmt: skip


def find_times(text: str, published: datetime) -> list[TimeSpan]:
    """Return the time expressions of *text* in order, resolved against *published* (aware).

    Both ends of a range (11月2日至5日) are one span.
    """
    now = published.astimezone(CHINA_TIME)
    text = prepared(text)
    found: list[TimeSpan] = []
    for span in _scan(text, now):
        if found:
            last = found[-1]
            between = text[last.place + len(last.text) : span.place]
            joined = words.RANGE.match(between) and between.strip() not in {"和", "、"}
            if joined:
                last, span = _in_order(last, span)
            if joined and last.first <= span.first and last.precision != "vague":
                whole = text[last.place : span.place + len(span.text)]
                found[-1] = replace(last, text=whole, end=max(span.end, last.end))
                continue
        found.append(span)
    return found


def _in_order(first: TimeSpan, last: TimeSpan) -> tuple[TimeSpan, TimeSpan]:
    """Return both ends of a range with the later one after the other, where its years are open.

    Each has been taken for the nearest one by itself: in November, March of the next year and May of
    this one.  A year that the first one states counts for the last one, too.
    """
    if "年" in first.text:
        year = first.first.year
        found = in_year(last, year)
        if found is not None and found.first < first.first:
            found = in_year(last, year + 1)
        return first, found or last
    if first.first > last.first:
        return in_year(first, first.first.year - 1) or first, last
    return first, last


def prepared(text: str) -> str:
    """Return *text* as positions of :func:`find_times` count it: normalized, dates in one form."""
    text = words.NUMERIC.sub(r"\1年\2月\3日", normalize(text))
    return words.BETWEEN.sub(_expand, text)


def _expand(match: re.Match[str]) -> str:
    """Repeat the unit of 2—5日 and 2019-2022年."""
    first, between, second, unit = match.groups()
    if unit == "年" and (len(first) != 4 or len(second) != 4):
        return match.group()
    if unit != "年" and (len(first) > 2 or len(second) > 2):
        return match.group()
    return f"{first}{unit}{'至' if between != '到' else '到'}{second}{unit}"


def _scan(text: str, now: datetime) -> Iterator[TimeSpan]:
    at = 0
    context = now
    while at < len(text):
        span = _at(text, at, now, context)
        if span is None:
            at += 1
            continue
        yield span
        if span.precision in _FINE or "month" in span.precision:
            context = span.first
        at += max(len(span.text), 1)


def _at(text: str, at: int, now: datetime, context: datetime) -> TimeSpan | None:
    """Return the longest expression at a position."""
    best: TimeSpan | None = None
    for pattern, resolver in _RESOLVERS:
        match = pattern.match(text, at)
        if match is None or not match.group():
            continue
        resolved = resolver(match, now, context)
        if resolved is None or (best is not None and len(resolved.text) <= len(best.text)):
            continue
        best = resolved
    return best


def _night(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 今晚, 昨夜, 今晨."""
    shift = {"今": 0, "昨": -1, "明": 1, "前": -2}[match.group("rday")]
    span = replace(whole_day(now + shift * DAY), text=match.group(), place=match.start())
    return with_clock(span, match.groupdict())


def _week(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 上周三, 本周, 周三."""
    weeks, day = match.group("weeks"), match.group("weekday")
    before = match.string[max(0, match.start() - 4) : match.start()]
    if (weeks is None and day is None) or re.search(r"[第每一两二三四\d个]\s?$", before):
        return None
    monday = whole_day(now - now.weekday() * DAY).first
    if weeks is None:
        offset = words.WEEKDAYS[day]
        date = monday + offset * DAY
        if is_ahead(match):
            date += 7 * DAY if date + DAY <= now else 0 * DAY
        elif date > now:
            date -= 7 * DAY
    else:
        date = monday + 7 * words.WEEKS[weeks] * DAY
        if day is None:
            return TimeSpan(match.group(), date, date + 7 * DAY, "week", match.start())
        date += words.WEEKDAYS[day] * DAY
    span = replace(whole_day(date), text=match.group(), place=match.start())
    if day == "末":
        return replace(span, end=span.first + 2 * DAY)
    return with_clock(span, match.groupdict())


def _ago(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 3天前, 两周后, 近三年."""
    near, way, unit = match.group("near"), match.group("way") or "", match.group("unit")
    number = number_of(match.group("count"))
    if not number or not (near or way[-1:] in {"前", "后"}):
        return None
    if not near and match.string[: match.start()].endswith("第"):
        return None
    if unit in _MONTHS and not near and len(match.group("count")) == 4:
        return None
    forward = way.endswith("后") or near in {"未来", "今后"}
    number = number if forward else -number
    try:
        moment = (
            add_months(now, number * _MONTHS[unit])
            if unit in _MONTHS
            else now + number * _LENGTHS[unit[0]]
        )
    except (ValueError, OverflowError):
        return None
    if near:
        first, end = min(moment, now), max(moment, now)
        return TimeSpan(match.group(), first, end, "vague", match.start())
    return replace(_around(moment, unit), text=match.group(), place=match.start())


def _around(moment: datetime, unit: str) -> TimeSpan:
    """Return the year, month, week, day, hour or minute of *moment*, as exact as *unit*."""
    midnight = whole_day(moment)
    if unit == "年":
        first = midnight.first.replace(month=1, day=1)
        return TimeSpan("", first, add_months(first, 12), "year")
    if unit in _MONTHS:
        first = midnight.first.replace(day=1)
        return TimeSpan("", first, add_months(first, 1), "month")
    length = _LENGTHS[unit[0]]
    if length == DAY:
        return midnight
    if length > DAY:
        first = midnight.first - moment.weekday() * DAY
        return TimeSpan("", first, first + length, "week")
    first = moment.replace(second=0, microsecond=0)
    precision: Precision = "hour" if length == _HOUR else "minute"
    return TimeSpan("", first, first + max(length, _MINUTE), precision)


def _holiday(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve 国庆 and other holidays of the solar calendar."""
    month, day, days = words.HOLIDAYS[match.group("holiday")]
    year = stated_year(match.groupdict(), now, context)
    future = is_ahead(match)
    span = nearest_day(year, month, day, now, now, future)
    if span is None:
        return None
    return replace(span, text=match.group(), place=match.start(), end=span.first + days * DAY)


def _lunar(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve 春节 and other holidays of the lunar calendar, and 农历正月初一."""
    parts = match.groupdict()
    if parts["lunar_day"]:
        month = {"正": 1, "冬": 11, "腊": 12}.get(parts["lunar_month"]) or number_of(
            parts["lunar_month"]
        )
        day = number_of(parts["lunar_day"].removeprefix("初"))
        days = 1
    else:
        month, day, days = words.LUNAR_HOLIDAYS[parts["festival"]]
    year = stated_year(parts, now, context)
    future = is_ahead(match)
    choices = []
    for one in [year] if year is not None else [now.year - 1, now.year, now.year + 1]:
        first = lunar_date(one, month or 0, day or 0)
        if first is not None:
            choices.append(first)
    if not choices:
        return None
    first = min(choices, key=lambda it: distance(it, it + days * DAY, now, future))
    return replace(
        whole_day(first),
        text=match.group(),
        place=match.start(),
        end=whole_day(first).first + days * DAY,
    )


def _decade(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 上世纪90年代."""
    century = match.group("century")
    number = now.year // 100 + {"上": 0, "本": 1}.get(century, 0)
    if century not in {"上", "本"}:
        number = number_of(century) or number
    first = (number - 1) * 100 + (number_of(match.group("decade")) or 0)
    if not 1 <= first <= 9_000:
        return None
    start = datetime(first, 1, 1, tzinfo=CHINA_TIME)
    return TimeSpan(match.group(), start, start.replace(year=first + 10), "year", match.start())


def _vague(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 日前, 近日."""
    return TimeSpan(match.group(), now - _VAGUE_DAYS * DAY, now, "vague", match.start())


_RESOLVERS: Final = (
    (words.DATE, resolve_date),
    (words.WEEK, _week),
    (words.NIGHT, _night),
    (words.AGO, _ago),
    (words.HOLIDAY, _holiday),
    (words.LUNAR, _lunar),
    (words.DECADE, _decade),
    (words.VAGUE, _vague),
)
