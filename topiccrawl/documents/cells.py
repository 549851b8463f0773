"""What the cells of spreadsheets show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Final

from topiccrawl.documents.text import MAX_CHARACTERS

#: Built-in formats of dates (ECMA-376, 18.8.30), with those of East Asian versions.
_DATES: Final = frozenset([*range(14, 18), 22, *range(27, 37), *range(50, 59)])
_TIMES: Final = frozenset([18, 19, 20, 21, 45, 47])
#: The built-in format of hours beyond 24 (the same).
_ELAPSED: Final = {"46": "[h]:mm:ss"}
#: Parts of a format that are not its letters: texts, escapes, colors and conditions; [h] are hours beyond 24.
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|_.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE)
#: Longest code of a format in Excel, in characters.
_LONGEST_FORMAT: Final = 255


def format_kind(number: str, codes: Mapping[str, str]) -> str:
    """Return what a format shows: ``date``, ``time``, ``both``, ``elapsed`` time, or a number (empty).

    *codes* are the formats of the file by their numbers.
    """
    code = codes.get(number, _ELAPSED.get(number))
    if code is None:
        known = int(number) if number.isdecimal() else 0
        if known in _TIMES:
            return "time"
        return ("both" if known == 22 else "date") if known in _DATES else ""
    plain = _QUOTED.sub("", code[:_LONGEST_FORMAT]).lower().partition(";")[0]
    has_time = "h" in plain or "s" in plain
    has_date = "y" in plain or "d" in plain or ("m" in plain and not has_time)
    if "general" in plain or not (has_date or has_time):
        return ""
    if plain.startswith("["):
        return "elapsed"
    return "both" if has_date and has_time else ("date" if has_date else "time")


def moment_text(day_zero: datetime, number: float, kind: str) -> str:
    """Return the time that a number of days shows in a format of *kind*; empty if there is none."""
    try:
        if kind == "elapsed":
            seconds = round(number * 86_400)
            return f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        found = day_zero + timedelta(days=number)
        if found.microsecond >= 500_000:
            found += timedelta(seconds=1)
    except (OverflowError, ValueError):  # beyond the calendar; not a number
        return ""
    found = found.replace(microsecond=0)
    if kind == "date" and number == int(number):
        return found.date().isoformat()
    return found.time().isoformat() if kind == "time" and number < 1 else cell_text(found)


def cell_text(value: object) -> str:
    """Return the text of a value."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)[:MAX_CHARACTERS]


def number_text(number: float) -> str:
    """Return a number as Excel shows it with the format “General”: at most 15 digits.

    Programs also write infinity, and what is not a number, of which there is no whole number.
    """
    whole = abs(number) < 1e15 and number == int(number)
    return f"{number:.0f}" if whole else f"{number:.15g}"
