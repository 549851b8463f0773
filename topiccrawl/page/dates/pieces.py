"""Dates in pieces: month, day and year in elements of their own, as blogs and calendars beside titles write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.formats import MONTHS, NAMED_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Lines before and behind a copy of the title among which such a date is, most lines of one, most characters of a line
#: and of all (guesses).
_BEFORE, _BEHIND, _MOST_LINES, _LINE_LENGTH, _LENGTH = 4, 6, 4, 24, 32

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?:\s?年)?"
_MONTH: Final = rf"(?:{NAMED_MONTH}|(?P<month>1[0-2]|0?[1-9])(?:\s?月)?)"
_WORDED: Final = rf"(?:{NAMED_MONTH}|(?P<month>1[0-2]|0?[1-9])\s?月)"
_DAY: Final = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:\s?[日号號])?"
_WEEKDAY: Final = (
    r"(?:\s?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
    r"|(?:星期|周|週)[一二三四五六日天]))?"
)
_TIME: Final = r"(?:\s?(?P<time>[012]?\d:[0-5]\d(?::[0-5]\d)?))?"
_FORMS: Final = tuple(
    re.compile(form + _TIME, re.IGNORECASE)
    for form in (
        rf"{_WORDED}\s?[/,，]?\s?{_DAY}{_WEEKDAY}\s?[/,，]?\s?{_YEAR}",  # Nov 17 Fri 2017 21:35
        rf"{_DAY}\s?[/,，]?\s?{_WORDED}\s?[/,，]?\s?{_YEAR}",  # 08 6月 2019
        rf"{_DAY}\s?{_YEAR}\s?[-/.]?\s?{_MONTH}",  # 15 2023-11, 152023-11 without a space between the elements
        rf"{_YEAR}\s?(?P<month>1[0-2]|0[1-9])\s?[-/.月]\s?{_DAY}",  # 2022 05/18 08:31
        rf"(?P<month>1[0-2]|0?[1-9])\s?[-/.月]\s?{_DAY}\s{_YEAR}",  # 09-13 2021
    )
)


#: How a line of pieces begins.
_BEGINS: Final = re.compile(rf"(?=.{{1,{_LINE_LENGTH}}}$)(?:\d|{'|'.join(MONTHS)})", re.IGNORECASE)


def joined_pieces(lines: Sequence[str], titles: Iterable[int]) -> Sequence[str]:
    """Return lines in which a date in pieces near a copy of the title is one line, its other lines empty.

    >>> joined_pieces(["Nov 17 Fri 2017 21:35", "Title", "Text."], [1])[0]
    '2017-11-17 21:35'
    >>> joined_pieces(["Title", "15", "2023-11"], [0])
    ['Title', '2023-11-15', '']
    """
    near = sorted(
        {
            number
            for title in titles
            for number in range(title - _BEFORE, title + _BEHIND + 1)
            if 0 <= number < len(lines)
        }
    )
    for first in near:
        if not _BEGINS.match(lines[first]):
            continue
        # The longest one: a day may be the end of a line before.
        for count in range(_MOST_LINES, 0, -1):
            some = lines[first : first + count]
            if len(some) < count or any(len(line) > _LINE_LENGTH for line in some):
                continue
            whole = _iso(" ".join(some))
            if whole:
                return [*lines[:first], whole, *[""] * (count - 1), *lines[first + count :]]
    return lines


def _iso(text: str) -> str:
    """Return the date that a text of pieces is, empty if it is none."""
    if len(text) > _LENGTH or not any(char.isdigit() for char in text):
        return ""
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            parts = match.groupdict()
            name = parts.get("name")
            month = MONTHS.index(name.lower()) + 1 if name else int(parts["month"] or 0)
            time = f" {parts['time']}" if parts["time"] else ""
            return f"{parts['year']}-{month:02}-{int(parts['day']):02}{time}"
    return ""
