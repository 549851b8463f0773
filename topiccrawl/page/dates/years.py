"""The year of a day that a page shows without it (03-20 07:15), from data of scripts or pictures in its HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from topiccrawl.page.dates.visible_lines import LineDate

#: Days with a year: 2021-03-20, /2021/0320/, 20210320, 2021年3月20日.
_DAY: Final = re.compile(
    r"(?:1(?<!\d1)9|2(?<!\d2)0)\d\d"
    r"(?:[-/.年](?:\d{1,2}[-/.月]\d{1,2}|(?:0\d|1[0-2])[0-3]\d)|(?:0\d|1[0-2])[0-3]\d)(?!\d)"
)


def with_years(visible: Sequence[LineDate], html: str, now: datetime) -> list[LineDate]:
    """Return the dates of lines, those without a year in the only year with which the HTML names their day.

    A page that shows another day with its year is left alone.

    Parameters
    ----------
    visible : sequence of LineDate
        Dates of visible lines.
    html : str
        The HTML of the page, empty if unknown.
    now : datetime
        Time of the fetch, with a time zone: no date is later.
    """
    good = [it.found for it in visible if it.score > 0]
    if not any(it.yearless for it in good) or not all(it.relative for it in good):
        return list(visible)
    years: dict[str, set[int]] = {}
    for match in _DAY.finditer(html):
        years.setdefault(_month_and_day(match.group()[4:]), set()).add(int(match.group()[:4]))
    return [
        replace(it, found=replace(it.found, moment=_in_year(it.found.moment, years, now)))
        if it.found.yearless
        else it
        for it in visible
    ]


def _month_and_day(text: str) -> str:
    """Return the month and the day behind a year, as four digits."""
    parts = re.findall(r"\d+", text)
    return "".join(part.zfill(2) for part in parts)


def _in_year(moment: datetime, years: dict[str, set[int]], now: datetime) -> datetime:
    named = years.get(f"{moment:%m%d}", set())
    if len(named) != 1:
        return moment
    try:
        stated = moment.replace(year=next(iter(named)))
    except ValueError:  # the 29th of February
        return moment
    return stated if stated <= now else moment
