"""Formats in which Chinese pages write a date and time."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from topiccrawl.text.numerals import han_number

if TYPE_CHECKING:
    from collections.abc import Iterator

#: No page is older: the year China's first web pages appeared.
EARLIEST_YEAR = 1994


def china_time() -> tzinfo:
    """Return China's time zone, a fixed +08:00 if no zone data is installed."""
    try:
        return ZoneInfo("Asia/Shanghai")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no time zone data on this machine
        return timezone(timedelta(hours=8), "CST")


#: Zone of times without zone: Asia/Shanghai, or +08:00 where no zone data is installed.
CHINA_TIME: tzinfo = china_time()
# A page's date may be so far in the future, because of wrong clocks and time zones.
_LEEWAY = timedelta(days=1)
# Years of the Republic of China count from 1912.
_ROC_OFFSET = 1911

_CLOCK = (
    r"(?:[\sT,，|]{0,3}(?:\(?(?:星期|周|週|礼拜)[一二三四五六日天]\)?|\([一二三四五六日月火水木金土]\))?[\sT,，|·-]{0,3}(?:HKT\s)?"
    r"(?P<half>上午|下午|晚上|凌晨|中午|早上|早晨|清晨|傍晚|晚[间間]|AM|PM)?\s{0,2}"
    r"(?P<hour>[01]?\d|2[0-3])(?:[:：]|点|點|时|時)(?P<minute>[0-5]\d)?(?:分)?"
    r"(?:[:：]?(?P<second>[0-5]\d)秒?)?(?:\.\d+)?(?:\s?(?P<after>[AaPp]\.?[Mm]\b))?"
    # 14:00-16:00 is a period: an hour behind a minus is a zone only where seconds or a T are before it.
    r"\s?(?P<zone>Z|UTC|GMT|\+[01]\d:[0-5]\d|[+\-][01]\d[0-5]\d"
    r"|-(?(second)|(?<=T\d\d:\d\d-))[01]\d:[0-5]\d(?!:\d))?)?"
)
# A clock before the day, as papers of Malaysia write it: 9:10pm 17/03/2024.
_CLOCK_BEFORE = re.compile(
    r"(?<![\d:：])(?P<hour>[01]?\d|2[0-3])[:：](?P<minute>[0-5]\d)(?:[:：](?P<second>[0-5]\d))?"
    r"(?P<half>)(?:\s?(?P<after>[AaPp]\.?[Mm])\b\.?)?(?P<zone>)[\s,，|]{1,3}$"
)
# Characters before a day that may be a clock.
_MOST_CLOCK = 16
# What may follow a day of two digits: no digit, or the time of the next element without a space.
_DAY_END = r"(?!\d(?!\d:[0-5]\d))"
# It begins with a digit, not with what may not be before, so that a search looks for one.
_FULL = re.compile(
    r"(?P<year>(?:1(?<![\d.]1)9|2(?<![\d.]2)0)\d\d)\s?(?P<by>[\-/.年])\s?(?P<month>0?[1-9]|1[0-2])\s?[\-/.月]\s?"
    rf"(?P<day>[12]\d|3[01]|0?[1-9]){_DAY_END}\s?[日号號]?{_CLOCK}"
)
# Servers with American locale: 7/5/2005 9:23:57 PM.
_AMERICAN = re.compile(
    r"(?<![\d./])(?P<month>1[0-2]|0?[1-9])/(?P<day>[12]\d|3[01]|0?[1-9])/(?P<year>(?:19|20)\d\d)"
    rf"(?!\d){_CLOCK}"
)
#: The beginnings of the English names of months.
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
# WordPress with Chinese month names and the order of English: 五月 1st, 2016.
_HAN_MONTH = r"(?:(?P<han>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月)"
#: A pattern of an English name of a month, whole or cut, as the group ``name``.
NAMED_MONTH = rf"(?P<name>{'|'.join(MONTHS)})[a-z]{{0,6}}\.?"
_MONTH = rf"(?:{NAMED_MONTH}|{_HAN_MONTH})"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_ENGLISH = tuple(
    re.compile(
        rf"{form}[\s,，]{{1,3}}(?P<year>(?:19|20)\d\d)(?!\d)(?:\s(?:at|@|-))?{_CLOCK}",
        re.I,
    )
    # The day may follow a name without a space: Senior Reporter9 Feb 2024, Jane DoeMarch 9, 2024.
    for form in (
        rf"(?:(?<![A-Za-z\d年])|(?-i:(?<=[a-z])(?=[A-Z]))){_MONTH}\s{_DAY}",
        rf"(?<![\d年]){_DAY}[\s\-]{_MONTH}",
    )
)
# Order of C and Java: Mon May 01 10:05:00 CST 2016.
_CTIME = re.compile(
    rf"(?<![A-Za-z]){_MONTH}\s{{1,2}}{_DAY}\s(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)"
    r"(?P<half>)(?P<after>)(?:\s(?P<zone>Z|UTC|GMT)|\s[A-Z]{3,4})?\s(?P<year>(?:19|20)\d\d)(?!\d)",
    re.I,
)
# Day first: 24-11-2023, 24.11.2023; with slashes only where the day cannot be a month.
_DAY_FIRST = re.compile(
    r"(?<![\d./\-])(?P<day>0?[1-9]|[12]\d|3[01])(?P<by>[\-.])(?P<month>0?[1-9]|1[0-2])(?P=by)"
    rf"(?P<year>(?:19|20)\d\d)(?![\d.\-]){_CLOCK}"
)
_DAY_SLASHED = re.compile(
    rf"(?<![\d./])(?P<day>1[3-9]|2\d|3[01])/(?P<month>1[0-2]|0?[1-9])/(?P<year>(?:19|20)\d\d)(?!\d){_CLOCK}"
)
# Behind a label, the year of two digits: 发布时间：21-05-30 11:21, as Baijiahao writes it.
_SHORT_YEAR = re.compile(
    r"(?:时间|日期|時間|[发發][布佈表][于於]?)[:：]?\s{0,2}(?P<date>(?P<year>[0-3]\d)-(?P<month>0[1-9]|1[0-2])"
    rf"-(?P<day>0[1-9]|[12]\d|3[01]){_DAY_END}{_CLOCK})"
)
# At the beginning of a line or behind a label, the same with full stops: 23.06.05 阅读 318, 21.11.08 (月).
_DOTTED_YEAR = re.compile(
    r"(?:^[\s\[【（(]{0,3}|(?:时间|日期|時間|[发發][布佈表][于於]?)[:：]?\s{0,2})(?P<date>(?P<year>[0-3]\d)\.(?P<month>0[1-9]|1[0-2])"
    rf"\.(?P<day>0[1-9]|[12]\d|3[01])(?![\d.]|\s?[A-Za-z版%]){_CLOCK})"
)
# The year of an issue before the day on which it appeared: 2021年第9期（3月5日出版）.
_OF_ISSUE = re.compile(
    r"(?P<year>(?:19|20)\d\d)\s?年\s?(?:总|總)?第?\s?\d{1,4}\s?[期號号卷]\D{0,6}$"
)
#: Characters before a day in which that may be.
_MOST_ISSUE = 24
# In each of them: the beginning of a month's name, 月 2, 2nd 五月. Days are looked for backward, as a search for
# numbers would stop at each of them.
_BEFORE_MONTH = "|".join(
    rf"(?<=\d{ordinal}\s{name}{space}月)"
    for ordinal in ("", "(?:st|nd|rd|th)")
    for name in (r"\S", r"\S\S")
    for space in ("", r"\s")
)
_ENGLISH_HINT = re.compile(
    r"[JFMASOND月](?:(?<=[JFMASOND])(?:an|eb|ar|pr|ay|un|ul|ug|ep|ct|ov|ec|[A-Z]{2})"
    rf"|(?<=月)(?:\s\d|{_BEFORE_MONTH}))"
)
# Without separators, as in machine-readable fields: 20230401, 20230401100533.
_COMPACT = re.compile(
    r"\s*(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-2]\d|3[01])"
    r"(?:[T\s]?(?P<hour>[01]\d|2[0-3]):?(?P<minute>[0-5]\d):?(?P<second>[0-5]\d)?)?\s*(?P<half>)"
    r"(?P<zone>Z|[+\-][01]\d:?[0-5]\d)?(?P<after>)$"
)
_SECONDS = re.compile(r"\s*(1\d{9})(?:\d{3})?\s*")  # Unix time or milliseconds: 2001 to 2033
_ROC = re.compile(
    r"(?:(?:中華)?民國|(?:中华)?民国)\s?(?P<year>\d{2,3})\s?年\s?(?P<month>1[0-2]|0?[1-9])\s?月\s?"
    rf"(?P<day>[12]\d|3[01]|0?[1-9])\s?[日號号]{_CLOCK}"
)
# Taiwan's offices leave out 民國 behind a label and at the beginning of a line: 發布日期：115-03-05.
_ROC_BARE = re.compile(
    r"(?:^|[时時][间間]\s?[:：]?|日期?\s?[:：]|日期)\s{0,2}(?P<date>(?P<year>1[0-4]\d)\s?(?P<by>[\-/.年])\s?(?P<month>0?[1-9]|1[0-2])"
    rf"\s?(?:(?P=by)|(?<=[\d\s])月)\s?(?P<day>[12]\d|3[01]|0?[1-9]){_DAY_END}(?![\-/.]\d)\s?[日號号]?{_CLOCK})"
)
# What makes two numbers a range: 12-18K, 12-16个月, 10-15万元.
_MEASURED = r"(?![KkWw%℃](?![A-Za-z])|[个個]月|万元)"
_NO_YEAR = re.compile(
    r"(?<![\d.\-/年])(?<!\d:)(?:(?P<month>1[0-2]|0?[1-9])\s?月\s?(?P<day>[12]\d|3[01]|0?[1-9])\s?[日号號]"
    r"|(?<!月)(?P<month2>1[0-2]|0[1-9])(?:-|/(?=\d\d\s[012]?\d:[0-5]\d))(?P<day2>[12]\d|3[01]|0[1-9])"
    rf"{_DAY_END}(?!-){_MEASURED})"
    rf"{_CLOCK}"
)
_AGO = re.compile(
    r"(?<![\d一二三四五六七八九十百千〇○零])(?P<count>\d{1,3}|[一二三四五六七八九十]{1,3}|[两兩半])\s?个?個?(?P<unit>秒|分钟|分鐘|小时|小時|天|日|周|週|星期|月|年)"
    r"[钟鐘]?[之以]?前"
)
_DAY_WORD = re.compile(rf"(?P<word>今天|今日|昨天|昨日|前天){_CLOCK}")
# In each of the next pattern, and in few dates.
_RELATIVE_HINT = re.compile("[前昨今刚剛]")
_RELATIVE = re.compile(
    "|".join(
        [*(f"{it}前" for it in "之以时時钟鐘天日周週期月年秒"), "昨[天日]|今[天日]|前[天日]|刚|剛"]
    )
)
_JUST_NOW = re.compile(r"刚刚|剛剛")
_HAN_DATE = re.compile(
    r"(?P<y>[一二][〇○零一二三四五六七八九]{3}|(?:19|20)\d\d)\s?年\s?"
    r"(?P<m>[一二三四五六七八九十]{1,2}|\d{1,2})\s?月\s?(?P<d>[一二三四五六七八九十]{1,3}|\d{1,2})\s?日"
)
_UNITS = {
    "秒": timedelta(seconds=1),
    "分": timedelta(minutes=1),
    "小": timedelta(hours=1),
    "天": timedelta(days=1),
    "日": timedelta(days=1),
    "周": timedelta(weeks=1),
    "週": timedelta(weeks=1),
    "星": timedelta(weeks=1),
    "月": timedelta(days=30),
    "年": timedelta(days=365),
}
_BEFORE_NOON = frozenset({"上午", "凌晨", "早上", "早晨", "清晨", "AM"})
_AFTER_NOON = frozenset({"下午", "晚上", "傍晚", "晚间", "晚間", "PM"})
# 中午1:30 is after noon, 中午11:30 before it (a guess: nobody calls four o'clock noon).
_LAST_OF_NOON = 4
_DAYS_BACK = {"今天": 0, "今日": 0, "昨天": 1, "昨日": 1, "前天": 2}


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text."""

    moment: datetime
    """With a time zone; midnight if only the day is known."""
    has_time: bool
    """Whether the text has a clock time."""
    start: int
    """Position in the text."""
    end: int
    relative: bool = False
    """Whether the format depends on the reference time (昨天, 11月20日)."""
    yearless: bool = False
    """Whether it is a day without its year (11月20日)."""


def normalize_digits(text: str) -> str:
    """Return a text with full-width digits and Chinese numerals of dates as ASCII digits."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        if "年" in text and "月" in text:
            text = _HAN_DATE.sub(_han_date, text)
    return text


def _han_date(match: re.Match[str]) -> str:
    year, month, day = (han_number(match.group(part)) for part in "ymd")
    return f"{year}年{month}月{day}日"


def is_plausible(moment: datetime, now: datetime) -> bool:
    """Return whether a page fetched at ``now`` can have been published at ``moment``."""
    return moment.year >= EARLIEST_YEAR and moment <= now + _LEEWAY


def find_dates(text: str, now: datetime, year_by: datetime | None = None) -> Iterator[FoundDate]:
    """Yield all plausible dates in a short text, format by format.

    Parameters
    ----------
    text : str
        A result of :func:`normalize_digits`.
    now : datetime
        Time of the fetch, with a time zone.
    year_by : datetime, optional
        A date without a year is the last one before this moment (default: ``now``).
    """
    absolute = [(match, 0) for match in _FULL.finditer(text)]
    if "/" in text:
        absolute += [(match, 0) for match in _AMERICAN.finditer(text)]
        absolute += [(match, 0) for match in _DAY_SLASHED.finditer(text)]
    if "-" in text or "." in text:
        absolute += [(match, 0) for match in _DAY_FIRST.finditer(text)]
    if _ENGLISH_HINT.search(text):
        absolute += [(match, 0) for form in (*_ENGLISH, _CTIME) for match in form.finditer(text)]
    if "国" in text or "國" in text:
        absolute += [(match, _ROC_OFFSET) for match in _ROC.finditer(text)]
    if "-" in text:
        absolute += [(match, 2_000) for match in _SHORT_YEAR.finditer(text)]
    if "." in text:
        absolute += [(match, 2_000) for match in _DOTTED_YEAR.finditer(text)]
    absolute += [(match, _ROC_OFFSET) for match in _ROC_BARE.finditer(text)]
    for match, offset in absolute:
        found = _from_match(match, int(match.group("year")) + offset)
        if found is not None and not found.has_time and found.start:
            found = _with_clock_before(found, text)
        if found is not None and is_plausible(found.moment, now):
            yield found
    for match in _NO_YEAR.finditer(text) if "月" in text or "-" in text or "/" in text else ():
        issue = _OF_ISSUE.search(text, max(0, match.start() - _MOST_ISSUE), match.start())
        if issue is not None:
            found = _from_match(match, int(issue["year"]))
            if found is not None and is_plausible(found.moment, now):
                yield found
            continue
        latest = (now if year_by is None else min(now, year_by)).astimezone(CHINA_TIME)
        for year in (latest.year, latest.year - 1):
            found = _from_match(match, year, relative=True)
            if found is not None and is_plausible(found.moment, latest):
                yield replace(found, yearless=True)
                break
    if _RELATIVE_HINT.search(text) and _RELATIVE.search(text):
        yield from _relative(text, now.astimezone(CHINA_TIME))


def parse_field(value: str, now: datetime) -> FoundDate | None:
    """Return the date of a machine-readable field: any absolute format or Unix time."""
    text = normalize_digits(value[:60])
    for found in find_dates(text, now):
        if not found.relative:
            return found
    match = _COMPACT.match(text)
    if match is not None:
        compact = _from_match(match, int(match.group("year")))
        return compact if compact is not None and is_plausible(compact.moment, now) else None
    seconds = _SECONDS.fullmatch(text)
    if seconds is not None:
        moment = datetime.fromtimestamp(int(seconds.group(1)), CHINA_TIME)
        return FoundDate(moment, True, 0, len(text)) if is_plausible(moment, now) else None
    return None


def _from_match(match: re.Match[str], year: int, relative: bool = False) -> FoundDate | None:
    parts = match.groupdict()
    name = parts.get("name")
    number = parts.get("han") or parts.get("month") or parts.get("month2")
    month = MONTHS.index(name.lower()) + 1 if name else han_number(number or "") or 0
    day = int(parts["day"] or parts["day2"] or 0)
    try:
        date = datetime(year, month, day, tzinfo=CHINA_TIME)
    except ValueError:
        return None
    moment = _at_clock(date, parts)
    start = match.start("date") if "date" in parts else match.start()
    return FoundDate(moment, parts["hour"] is not None, start, match.end(), relative)


def _with_clock_before(found: FoundDate, text: str) -> FoundDate:
    start = max(0, found.start - _MOST_CLOCK)
    clock = _CLOCK_BEFORE.search(text[start : found.start])
    if clock is None:
        return found
    moment = _at_clock(found.moment, clock.groupdict())
    return replace(found, moment=moment, has_time=True, start=start + clock.start())


def _at_clock(date: datetime, parts: dict[str, str | None]) -> datetime:
    if parts["hour"] is None:
        return date
    hour = int(parts["hour"])
    half = parts["half"] or (parts["after"] or "").upper().replace(".", "")
    if (half in _AFTER_NOON and hour < 12) or (half == "中午" and hour < _LAST_OF_NOON):
        hour += 12
    elif half in _BEFORE_NOON and hour == 12:
        hour = 0
    moment = date.replace(
        hour=hour, minute=int(parts["minute"] or 0), second=int(parts["second"] or 0)
    )
    offset = parts["zone"]
    if offset:
        moment = moment.replace(tzinfo=_fixed(offset)).astimezone(CHINA_TIME)
    return moment


def _fixed(offset: str) -> timezone:
    if offset[0] not in "+-":
        return UTC
    digits = offset[1:].replace(":", "")
    delta = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(delta if offset[0] == "+" else -delta)


def _relative(text: str, here: datetime) -> Iterator[FoundDate]:
    for match in _AGO.finditer(text):
        word, unit = match.group("count"), match.group("unit")
        count = 0.5 if word == "半" else han_number(word)
        if count is None:
            continue
        moment = here - count * _UNITS[unit[0]]
        exact = unit[0] in "秒分小"
        if not exact:
            moment = moment.replace(hour=0, minute=0, second=0, microsecond=0)
        if moment.year >= EARLIEST_YEAR:
            yield FoundDate(moment, exact, match.start(), match.end(), relative=True)
    for match in _DAY_WORD.finditer(text):
        day = here.replace(hour=0, minute=0, second=0, microsecond=0)
        day -= timedelta(days=_DAYS_BACK[match.group("word")])
        moment = _at_clock(day, match.groupdict())
        yield FoundDate(moment, match.group("hour") is not None, match.start(), match.end(), True)
    for match in _JUST_NOW.finditer(text):
        yield FoundDate(here, True, match.start(), match.end(), relative=True)
