"""Resolve Chinese time expressions against the time of publication.

昨日, 今天上午, 本月5日, 上周三, 3日, 去年底, 11月2日至5日, 二〇二四年三月 become spans of time in China, with the
precision of the expression.  Without a year or month the nearest date counts, the past being nearer than
the future, as news reports what has happened: in January 12月28日 is of the last year, in March 5月1日 of
this one.  将 and the like before it make it the next one.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories import time_words as words
from topiccrawl.stories.lunar import lunar_date
from topiccrawl.text.normalize import normalize
from topiccrawl.text.numerals import han_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: From exact to unknown; ``vague`` is 日前 and the like.
Precision = Literal[
    "minute", "hour", "part", "day", "week", "part-month", "month", "part-year", "year", "vague"
]

#: How much farther a date in the future is than one in the past (a guess: see the module).
_FUTURE_FACTOR: Final = 2
#: Days of 日前 and 近日 (a guess).
_VAGUE_DAYS: Final = 7
#: Characters before an expression in which 将 and the like are searched.
_BEFORE: Final = 12
_DAY: Final = timedelta(days=1)
_DATE_PARTS: Final = (
    "year", "roc", "ryear", "ayear", "month", "rmonth", "amonth", "day", "third", "season", "quarter", "quarters",
)  # fmt: skip
_FINE: Final = frozenset({"minute", "hour", "part", "day"})


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


def resolve(expression: str, published: datetime) -> TimeSpan | None:
    """Return the span of the first time expression in *expression*, ``None`` if there is none."""
    return next(iter(find_times(expression, published)), None)


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
            if joined and last.first <= span.first and last.precision != "vague":
                whole = text[last.place : span.place + len(span.text)]
                found[-1] = replace(last, text=whole, end=max(span.end, last.end))
                continue
        found.append(span)
    return found


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


def _number(word: str | None) -> int | None:
    return None if word is None else han_number(word)


def _date(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve :data:`~topiccrawl.stories.time_words.DATE`."""
    parts = match.groupdict()
    if not _is_date(match, parts):
        return None
    year = _year(parts, now, context)
    month, month_known = _month(parts, now, context)
    if year is None and parts["rmonth"]:
        shifted = now.year * 12 + now.month - 1 + words.MONTHS[parts["rmonth"]]
        year, month = shifted // 12, shifted % 12 + 1
    elif year is None and parts["amonth"]:
        year = context.year
        if parts["amonth"] == "次月":
            year, month = (year + 1, 1) if context.month == 12 else (year, context.month + 1)
    future = _is_ahead(match)
    try:
        span = _days(parts, year, month if month_known else None, now, context, future)
    except (ValueError, OverflowError):
        return None
    if span is None:
        return None
    span = _clock(replace(span, text=match.group(), place=match.start()), parts)
    zone = parts["local"]
    return replace(span, local=True) if zone and not zone.startswith("北京") else span


def _is_date(match: re.Match[str], parts: Mapping[str, str | None]) -> bool:
    """Whether a match is a date and not a number or a part of another word."""
    has = {key for key, value in parts.items() if value}
    if {"part", "hour"} <= has and not has - {"part", "hour", "m1", "m2", "half", "local"}:
        return True  # 上午10时: of the day that was mentioned last
    if not has & {"year", "roc", "ryear", "month", "rmonth", "day", "rday", "aday", "amonth", "season", "third",
                  "quarter", "quarters", "ayear"}:  # fmt: skip
        return False
    before, after = (
        match.string[max(0, match.start() - 6) : match.start()],
        match.string[match.end() :][:6],
    )
    if before[-1:].isdigit() and match.group()[:1].isdigit():
        return False
    bare = not has & {"year", "roc", "ryear", "month", "rmonth", "amonth", "ayear"}
    if "third" in has and bare:
        return parts["third"] in words.MONTH_PARTS and len(parts["third"] or "") > 1
    if "season" in has and bare:
        return len(parts["season"] or "") > 1 and parts["season"] not in {
            "春季",
            "夏季",
            "秋季",
            "冬季",
        }
    if "quarter" in has and bare:
        return "季" in match.group()
    if has & {"quarter"} and "季" not in match.group():
        return False
    if "day" in has and bare:
        clock = bool(has & {"part", "hour"})
        if parts["dayword"] == "号" and not clock:
            return False
        if words.NOT_BEFORE_A_DAY.search(before) or (not clock and words.NOT_A_DAY.match(after)):
            return False
        return bool((parts["day"] or "").isdigit() or clock or len(parts["day"] or "") > 1)
    if "month" in has and not has & {"day", "third", "year", "ryear", "roc", "ayear"}:
        return not re.match(r"^(?:龄|球|亮|薪|饼|嫂|光|台)", after) and not re.search(
            r"[第每个]\s?$", before
        )
    return True


def _is_ahead(match: re.Match[str]) -> bool:
    """Whether 将 or the like stands before an expression."""
    return bool(words.FUTURE.search(match.string[max(0, match.start() - _BEFORE) : match.start()]))


def _year(parts: Mapping[str, str | None], now: datetime, context: datetime) -> int | None:
    if parts.get("year"):
        return _number(parts["year"])
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
    month = _number(parts["month"])
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
        return _day(now + words.DAYS[parts["rday"]] * _DAY)
    if parts["aday"]:
        later = parts["aday"] in {"次日", "翌日", "第二天"}
        return _day(context + (_DAY if later else 0 * _DAY))
    if parts["part"] and not any(parts[key] for key in _DATE_PARTS):
        return _day(context)
    day = _number(parts["day"])
    if day is not None:
        return _nearest_day(year, month, day, now, context, future)
    if parts["third"]:
        low, high = words.MONTH_PARTS[parts["third"]]
        start = _nearest_month(year, month if month else now.month, now, future)
        last = calendar.monthrange(start.year, start.month)[1]
        return TimeSpan(
            "", start.replace(day=low), start.replace(day=min(high, last)) + _DAY, "part-month"
        )
    if month is not None:
        start = _nearest_month(year, month, now, future)
        return TimeSpan("", start, _add_months(start, 1), "month")
    year = now.year if year is None else year
    january = datetime(year, 1, 1, tzinfo=CHINA_TIME)
    if parts["season"]:
        key = parts["season"].rstrip("季天")
        low, high = words.YEAR_PARTS[key]
        return TimeSpan("", _add_months(january, low - 1), _add_months(january, high), "part-year")
    if parts["quarter"]:
        quarter = _number(parts["quarter"].removeprefix("第")) or 1
        first = _add_months(january, 3 * quarter - 3)
        return TimeSpan("", first, _add_months(first, 3), "part-year")
    if parts["quarters"]:
        count = 3 if parts["quarters"][1] in "三3" else 2
        return TimeSpan("", january, _add_months(january, 3 * count), "part-year")
    return TimeSpan("", january, _add_months(january, 12), "year")


def _day(moment: datetime) -> TimeSpan:
    first = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return TimeSpan("", first, first + _DAY, "day")


def _add_months(moment: datetime, months: int) -> datetime:
    at = moment.year * 12 + moment.month - 1 + months
    return moment.replace(year=at // 12, month=at % 12 + 1, day=1)


def _nearest_day(
    year: int | None,
    month: int | None,
    day: int,
    now: datetime,
    context: datetime,
    future: bool,
) -> TimeSpan | None:
    """Return the day; without year or month, the nearest one."""
    if year is not None:
        return _day(datetime(year, month or now.month, day, tzinfo=CHINA_TIME))
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
            return _day(same[0])
    return _day(min(choices, key=lambda it: _distance(it, it + _DAY, now, future)))


def _nearest_month(year: int | None, month: int, now: datetime, future: bool) -> datetime:
    if year is not None:
        return datetime(year, month, 1, tzinfo=CHINA_TIME)
    choices = [datetime(now.year + shift, month, 1, tzinfo=CHINA_TIME) for shift in (-1, 0, 1)]
    return min(choices, key=lambda it: _distance(it, _add_months(it, 1), now, future))


def _distance(first: datetime, end: datetime, now: datetime, future: bool) -> timedelta:
    """Return how far a span is from *now*: 0 inside it."""
    if end <= now:
        return (now - end) * (_FUTURE_FACTOR**4 if future else 1)
    if first > now:
        return (first - now) * (1 if future else _FUTURE_FACTOR)
    return timedelta(0)


def _clock(span: TimeSpan, parts: Mapping[str, str | None]) -> TimeSpan:
    """Narrow a day to the stated time of day."""
    if span.precision != "day":
        return span
    part = words.PARTS.get(parts["part"] or "")
    hour = _number(parts["hour"])
    midnight = span.first
    if hour is not None and hour <= 24:
        if part and part[0] >= 11 and hour < 12 and not (part[0] == 11 and hour > 9):
            hour += 12
        minute = 30 if parts["half"] else _number(parts["m1"] or parts["m2"])
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


def _night(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 今晚, 昨夜, 今晨."""
    shift = {"今": 0, "昨": -1, "明": 1, "前": -2}[match.group("rday")]
    span = replace(_day(now + shift * _DAY), text=match.group(), place=match.start())
    return _clock(span, match.groupdict())


def _week(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 上周三, 本周, 周三."""
    weeks, day = match.group("weeks"), match.group("weekday")
    before = match.string[max(0, match.start() - 4) : match.start()]
    if (weeks is None and day is None) or re.search(r"[第每一两二三四\d个]\s?$", before):
        return None
    monday = _day(now - now.weekday() * _DAY).first
    if weeks is None:
        offset = words.WEEKDAYS[day]
        date = monday + offset * _DAY
        if date > now and not _is_ahead(match):
            date -= 7 * _DAY
    else:
        date = monday + 7 * words.WEEKS[weeks] * _DAY
        if day is None:
            return TimeSpan(match.group(), date, date + 7 * _DAY, "week", match.start())
        date += words.WEEKDAYS[day] * _DAY
    span = replace(_day(date), text=match.group(), place=match.start())
    if day == "末":
        return replace(span, end=span.first + 2 * _DAY)
    return _clock(span, match.groupdict())


def _ago(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 3天前, 两周后, 近三年."""
    near, way, unit = match.group("near"), match.group("way") or "", match.group("unit")
    number = _number(match.group("count"))
    if not number or not (near or way[-1:] in {"前", "后"}):
        return None
    if not near and match.string[: match.start()].endswith("第"):
        return None
    if unit in {"年", "月", "季度"} and not near and len(match.group("count")) == 4:
        return None
    if unit == "日" and not near and way in {"前", "后"}:
        way = f"以{way}"
    forward = way.endswith("后") or near in {"未来", "今后"}
    sign = 1 if forward else -1
    if unit in {"年", "月", "季度"}:
        months = number * {"年": 12, "月": 1, "季度": 3}[unit]
        try:
            moment = _add_months(now, sign * months)
        except ValueError:
            return None
        if near:
            return TimeSpan(
                match.group(), min(moment, now), max(moment, now), "vague", match.start()
            )
        if unit == "年":
            first = moment.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
            return TimeSpan(match.group(), first, _add_months(first, 12), "year", match.start())
        first = _day(moment).first.replace(day=1)
        return TimeSpan(match.group(), first, _add_months(first, 1), "month", match.start())
    step = {"秒": timedelta(seconds=1), "分": timedelta(minutes=1), "小": timedelta(hours=1), "钟": timedelta(hours=1),
            "天": _DAY, "日": _DAY, "周": 7 * _DAY, "星": 7 * _DAY, "礼": 7 * _DAY}[unit[0]]  # fmt: skip
    try:
        moment = now + sign * number * step
    except OverflowError:
        return None
    if near:
        return TimeSpan(match.group(), min(moment, now), max(moment, now), "vague", match.start())
    if step < _DAY:
        precision: Precision = "hour" if step == timedelta(hours=1) else "minute"
        first = moment.replace(second=0, microsecond=0)
        return TimeSpan(
            match.group(), first, first + max(step, timedelta(minutes=1)), precision, match.start()
        )
    if step > _DAY:
        monday = _day(moment - moment.weekday() * _DAY).first
        return TimeSpan(match.group(), monday, monday + step, "week", match.start())
    return replace(_day(moment), text=match.group(), place=match.start())


def _holiday(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve 国庆 and other holidays of the solar calendar."""
    month, day, days = words.HOLIDAYS[match.group("holiday")]
    year = _year(match.groupdict(), now, context)
    future = _is_ahead(match)
    span = _nearest_day(year, month, day, now, now, future)
    if span is None:
        return None
    return replace(span, text=match.group(), place=match.start(), end=span.first + days * _DAY)


def _lunar(match: re.Match[str], now: datetime, context: datetime) -> TimeSpan | None:
    """Resolve 春节 and other holidays of the lunar calendar, and 农历正月初一."""
    parts = match.groupdict()
    if parts["lunar_day"]:
        month = {"正": 1, "冬": 11, "腊": 12}.get(parts["lunar_month"]) or _number(
            parts["lunar_month"]
        )
        day = _number(parts["lunar_day"].removeprefix("初"))
        days = 1
    else:
        month, day, days = words.LUNAR_HOLIDAYS[parts["festival"]]
    year = _year(parts, now, context)
    future = _is_ahead(match)
    choices = []
    for one in [year] if year is not None else [now.year - 1, now.year, now.year + 1]:
        first = lunar_date(one, month or 0, day or 0)
        if first is not None:
            choices.append(first)
    if not choices:
        return None
    first = min(choices, key=lambda it: _distance(it, it + days * _DAY, now, future))
    return replace(
        _day(first), text=match.group(), place=match.start(), end=_day(first).first + days * _DAY
    )


def _decade(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 上世纪90年代."""
    century = match.group("century")
    number = now.year // 100 + {"上": 0, "本": 1}.get(century, 0)
    if century not in {"上", "本"}:
        number = _number(century) or number
    first = (number - 1) * 100 + (_number(match.group("decade")) or 0)
    if not 1 <= first <= 9_000:
        return None
    start = datetime(first, 1, 1, tzinfo=CHINA_TIME)
    return TimeSpan(match.group(), start, start.replace(year=first + 10), "year", match.start())


def _vague(match: re.Match[str], now: datetime, _context: datetime) -> TimeSpan | None:
    """Resolve 日前, 近日."""
    return TimeSpan(match.group(), now - _VAGUE_DAYS * _DAY, now, "vague", match.start())


_RESOLVERS: Final = (
    (words.DATE, _date),
    (words.WEEK, _week),
    (words.NIGHT, _night),
    (words.AGO, _ago),
    (words.HOLIDAY, _holiday),
    (words.LUNAR, _lunar),
    (words.DECADE, _decade),
    (words.VAGUE, _vague),
)
