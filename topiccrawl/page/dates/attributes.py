"""Times in the tooltips of dates: ``<span title="2012-10-11 13:22:08">3 天前</span>`` of Discuz and phpwind."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.formats import parse_field
from topiccrawl.page.dates.stated import has_clock_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from topiccrawl.page.dates.visible_lines import LineDate

_HINT: Final = 'title="20'
_TOOLTIP: Final = re.compile(
    r'title="(20\d\d-\d{1,2}-\d{1,2}\s\d{1,2}:\d\d(?::\d\d)?)"[^<>]{0,80}>([^<>]{1,30})<'
)
#: Tooltips that are read (a guess: a page of a thread has some 20 posts).
_MOST: Final = 60
_DATED: Final = re.compile(r"[\d前昨今刚剛]")
_RELATIVE: Final = re.compile("[前昨今刚剛]")


def with_tooltips(visible: Sequence[LineDate], html: str, now: datetime) -> list[LineDate]:
    """Return the dates of lines, those without a clock time with that of their tooltips.

    Parameters
    ----------
    visible : sequence of LineDate
        Dates of visible lines, in their order.
    html : str
        The HTML of the page, empty if unknown.
    now : datetime
        Time of the fetch, with a time zone.
    """
    # The search in the whole page is the expensive part.
    if all(map(_is_exact, visible)) or _HINT not in html:
        return list(visible)
    tooltips = list(_tooltips(html, now))
    found = []
    for it in visible:
        exact = None if _is_exact(it) else _of(it, tooltips)
        if exact is not None:
            tooltips.remove(exact)
            clock = replace(it.found, moment=exact[0], has_time=True, relative=False)
            it = replace(it, found=clock)
        found.append(it)
    return found


def _is_exact(line: LineDate) -> bool:
    return has_clock_time(line.found) and not line.found.relative


def _tooltips(html: str, now: datetime) -> Iterator[tuple[datetime, bool]]:
    for number, match in enumerate(_TOOLTIP.finditer(html)):
        if number == _MOST:
            return
        found = parse_field(match[1], now)
        # The text of the element is a date, too: 3 天前, 2012-10-11.
        if found is not None and _DATED.search(match[2]):
            yield found.moment, _RELATIVE.search(match[2]) is not None


def _of(line: LineDate, tooltips: Sequence[tuple[datetime, bool]]) -> tuple[datetime, bool] | None:
    """Return the first tooltip that may be that of a line: of its day, or of another relative date."""
    found = line.found
    is_relative = found.relative and not found.yearless
    for moment, relative in tooltips:
        if relative if is_relative else moment.date() == found.moment.date():
            return moment, relative
    return None
