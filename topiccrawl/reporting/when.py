"""Moments as users write them: a date, a date and a time, so long ago, or words such as 上周 and last month."""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Final

from topiccrawl.errors import OptionError
from topiccrawl.language import _
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.time_spans import add_months, in_year
from topiccrawl.stories.times import find_times, prepared
from topiccrawl.text.numerals import han_number

#: Length of a unit by its names: a time, or months of the calendar.
_UNITS: Final[dict[str, timedelta | int]] = {
    **dict.fromkeys(
        ("min", "mins", "minute", "minutes", "分", "分钟", "分鐘"), timedelta(minutes=1)
    ),
    **dict.fromkeys(("h", "hour", "hours", "小时", "小時", "时", "時"), timedelta(hours=1)),
    **dict.fromkeys(("d", "day", "days", "天", "日"), timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks", "周", "週", "星期"), timedelta(weeks=1)),
    **dict.fromkeys(("month", "months", "个月"), 1),
    **dict.fromkeys(("year", "years", "年"), 12),
}
#: Half a month.
_FORTNIGHT: Final = timedelta(days=15)
#: From so many years on, 24年 is a year and not a time.
_MOST_YEARS: Final = 20

_AGO: Final = re.compile(
    r"(?:近|最近|过去|過去|(?:last|past)\s)?\s*(\d{1,6}|半|[一二两兩三四五六七八九十]{1,3})\s*(?:个(?!月))?"
    r"([a-z]+|[\u4e00-\u9fff]+?)(?:\s*ago|[以之]?前|[以之]?内|以?来)?"
)
_DAY: Final = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?")
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_YEAR: Final = re.compile(r"^(\d{4})$")
_MONTH: Final = re.compile(r"^(\d{4})\s*[-/.]\s*(\d{1,2})$")
#: 这个星期, 上一个月: the same as 本星期, 上月.
_THIS_OR_LAST: Final = re.compile(r"([本这這上])一?个?(?=[周週月年]|星期|季度)")
_ENGLISH: Final = {
    **{"today": "今天", "yesterday": "昨天", "this ": "本", "last ": "上"},
    **{"week": "周", "month": "月", "quarter": "季度", "year": "年"},
}
_SMALLEST: Final = timedelta(microseconds=1)


def parse_when(
    option: str, text: str, now: datetime, *, end: bool = False, future: bool = False
) -> datetime:
    """Return the moment that *text* means at the time *now*, in UTC.

    ``2024-05-01``, ``2024-05-01 08:00``, ``2024年5月1日`` and ISO 8601 with an offset; ``2024-05``, ``2024``;
    ``24h``, ``7d``, ``近三天``, ``半年``; ``yesterday``, ``昨天``, ``last month``, ``上月``, ``上周三``.  Times without
    an offset are those of China.  A day, a week, a month or a year means its beginning, with *end* its end.  Only an
    end may be later than *now*, unless *future* allows it: nothing is newer than that.  Raises
    ``OptionError`` if it is none of these, or in the future where it must not be; the message names
    *option*.
    """
    plain = unicodedata.normalize("NFKC", text).strip().lower().replace("個", "个")
    try:
        first, last = _parsed(plain, now, end=end or future)
        moment = (last if end else first).astimezone(UTC)
    except (ValueError, OverflowError):
        raise OptionError(
            _(
                "{option} must be a date such as 2024-05-01 (or 2024-05-01T08:00), a time ago such as "
                "24h, 7d or 近三天, or a word such as yesterday, last week or 上月; got {text!r}"
            ).format(option=option, text=text)
        ) from None
    if moment > now and not (end or future):
        raise OptionError(
            _("{option} must not be in the future, got {text!r}; in China it is {now} now").format(
                option=option, text=text, now=f"{now.astimezone(CHINA_TIME):%Y-%m-%d %H:%M}"
            )
        )
    return moment


def _parsed(text: str, now: datetime, *, end: bool) -> tuple[datetime, datetime]:
    """Return the first and the last moment; raise ValueError if *text* is no time.

    A month without a year is the last one that has begun, with *end* one of this year at the latest.
    """
    if (ago := _AGO.fullmatch(text)) and (moment := _before(now, ago[1], ago[2])):
        return moment, moment
    if found := _DAY.match(text):
        year, month, number = map(int, found.groups())
        day = datetime(year, month, number, tzinfo=CHINA_TIME)
        rest = text[found.end() :].strip().removeprefix("t").strip()
        if not rest or _CLOCK.fullmatch(rest):
            return _at(day, rest)
    if (words := _in_words(text, now, end=end)) is not None:
        return words
    moment = datetime.fromisoformat(text.upper())
    moment = moment if moment.tzinfo else moment.replace(tzinfo=CHINA_TIME)
    return _at(moment, "") if len(text) <= 10 else (moment, moment)


def _before(now: datetime, count: str, unit: str) -> datetime | None:
    """Return the moment so many units ago, ``None`` if *unit* is none."""
    length = _UNITS.get(unit)
    number = 0.5 if count == "半" else han_number(count)
    if length is None or number is None:
        return None
    if isinstance(length, timedelta):
        return now - number * length
    months = int(number * length)
    if months > _MOST_YEARS * 12:
        return None
    local = now.astimezone(CHINA_TIME)
    if not months:
        return local - _FORTNIGHT * (number > 0)
    first = add_months(local, -months)
    return first.replace(day=min(local.day, calendar.monthrange(first.year, first.month)[1]))


def _in_words(text: str, now: datetime, *, end: bool) -> tuple[datetime, datetime] | None:
    """Return the span that *text* names in words: 昨天 8:00, 上周三, 本季度, last year."""
    for english, chinese in _ENGLISH.items():
        text = text.replace(english, chinese)
    text = _THIS_OR_LAST.sub(lambda found: "上" if found[1] == "上" else "本", text)
    if text in ("本季度", "上季度"):
        midnight = now.astimezone(CHINA_TIME).replace(hour=0, minute=0, second=0, microsecond=0)
        first = add_months(midnight, -((midnight.month - 1) % 3) - 3 * (text[0] == "上"))
        return first, add_months(first, 3) - _SMALLEST
    text = _MONTH.sub(r"\1年\2月", _YEAR.sub(r"\1年", text))
    spans = find_times(text, now)
    if len(spans) != 1 or spans[0].text != prepared(text) or spans[0].precision == "vague":
        return None
    span = spans[0]
    today = now.astimezone(CHINA_TIME)
    if span.first.year > today.year or (span.first > today and not end):
        span = in_year(span, span.first.year - 1) or span
    is_moment = span.precision in ("minute", "hour")
    return span.first, span.first if is_moment else span.end - _SMALLEST


def _at(day: datetime, clock: str) -> tuple[datetime, datetime]:
    """Return the day, or the time of it that *clock* states."""
    if not clock:
        return day, day + timedelta(days=1) - _SMALLEST
    found = _CLOCK.fullmatch(clock)
    if found is None:
        raise ValueError(clock)
    hour, minute, second = (int(it or 0) for it in found.groups())
    moment = day.replace(hour=hour, minute=minute, second=second)
    return moment, moment
