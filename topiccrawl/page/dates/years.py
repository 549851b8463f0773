"""The year of a day that a page shows without it (03-20 07:15), from data of scripts or pictures in its HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from topiccrawl.page.dates.visible_lines import LineDate


def with_years(visible: Sequence[LineDate], html: str, now: datetime) -> list[LineDate]:
    """Return the dates of lines, those without a year in the only year with which the HTML names their day.

    Parameters
    ----------
    visible : sequence of LineDate
        Dates of visible lines.
    html : str
        The HTML of the page, empty if unknown.
    now : datetime
        Time of the fetch, with a time zone: no date is later.
    """
    return [
        replace(it, found=replace(it.found, moment=_in_year(it.found.moment, html, now)))
        if html and it.found.yearless
        else it
        for it in visible
    ]


def _in_year(moment: datetime, html: str, now: datetime) -> datetime:
    month, day = moment.month, moment.day
    named = re.compile(
        rf"(?<!\d)((?:19|20)\d\d)(?:[-/.年]0?{month}[-/.月]0?{day}|{month:02}{day:02})(?!\d)"
    )
    years = {int(match[1]) for match in named.finditer(html)}
    if len(years) != 1:
        return moment
    year = years.pop()
    try:
        stated = moment.replace(year=year)
    except ValueError:  # the 29th of February
        return moment
    return stated if stated <= now else moment
