"""Moments as users write them: a date, a date and a time, so long ago, or a word for a day."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.page.dates import CHINA_TIME

#: Days before today, by word.
_WORDS: Final = {
    **dict.fromkeys(("today", "今天", "今日"), 0),
    **dict.fromkeys(("yesterday", "昨天", "昨日"), 1),
    **dict.fromkeys(("前天", "前日"), 2),
}

#: Length of a unit by its names.  Months and years have none that everybody expects.
_UNITS: Final = {
    **dict.fromkeys(
        ("min", "mins", "minute", "minutes", "分", "分钟", "分鐘"), timedelta(minutes=1)
    ),
    **dict.fromkeys(("h", "hour", "hours", "小时", "小時", "时", "時"), timedelta(hours=1)),
    **dict.fromkeys(("d", "day", "days", "天", "日"), timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks", "周", "週", "星期"), timedelta(weeks=1)),
}

_AGO: Final = re.compile(r"(\d{1,6})\s*([a-z]+|[\u4e00-\u9fff]+?)(?:\s*ago|以?前|以?内)?")
_DAY: Final = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?")
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


def parse_when(
    option: str, text: str, now: datetime, *, end: bool = False, future: bool = False
) -> datetime:
    """Return the moment that *text* means at the time *now*, in UTC.

    ``2024-05-01``, ``2024-05-01 08:00``, ``2024年5月1日`` and ISO 8601 with an offset; ``24h``, ``7d``,
    ``2w``, ``7天``; ``yesterday``, ``昨天``.  Times without an offset are those of China.  A day means its
    beginning, with *end* its end.  Only an end may be later than *now*, unless
    *future* allows it: nothing is newer than that.

    Raises
    ------
    ConfigurationError
        It is none of these, or in the future where it must not be; the message names *option*.
    """
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    try:
        moment, whole_day = _parsed(plain, now)
        if end and whole_day:
            moment += timedelta(days=1) - timedelta(microseconds=1)
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ConfigurationError(
            _(
                "{option} must be a date such as 2024-05-01 (or 2024-05-01T08:00), a time ago such as "
                "24h, 7d or 7天, today, yesterday or 昨天; got {text!r}"
            ).format(option=option, text=text)
        ) from None
    if moment > now and not (end or future):
        raise ConfigurationError(
            _("{option} must not be in the future, got {text!r}; in China it is {now} now").format(
                option=option, text=text, now=f"{now.astimezone(CHINA_TIME):%Y-%m-%d %H:%M}"
            )
        )
    return moment


def _parsed(text: str, now: datetime) -> tuple[datetime, bool]:
    """Return the moment, and whether it is a whole day; raise ValueError if it is neither."""
    today = now.astimezone(CHINA_TIME).replace(hour=0, minute=0, second=0, microsecond=0)
    word, _, rest = text.partition(" ")
    if word in _WORDS:
        day = today - timedelta(days=_WORDS[word])
        return _at(day, rest)
    if (ago := _AGO.fullmatch(text)) and ago[2] in _UNITS:
        return now - int(ago[1]) * _UNITS[ago[2]], False
    if found := _DAY.match(text):
        year, month, number = map(int, found.groups())
        day = datetime(year, month, number, tzinfo=CHINA_TIME)
        rest = text[found.end() :].strip().removeprefix("t").strip()
        if not rest or _CLOCK.fullmatch(rest):
            return _at(day, rest)
    moment = datetime.fromisoformat(text.upper())
    return moment if moment.tzinfo else moment.replace(tzinfo=CHINA_TIME), len(text) <= 10


def _at(day: datetime, clock: str) -> tuple[datetime, bool]:
    if not clock.strip():
        return day, True
    found = _CLOCK.fullmatch(clock.strip())
    if found is None:
        raise ValueError(clock)
    hour, minute, second = (int(it or 0) for it in found.groups())
    return day.replace(hour=hour, minute=minute, second=second), False
