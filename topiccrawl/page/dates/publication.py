"""Find the publication date of a page: the best of the days that it names, by a learned model.

The clock time comes from the dates of that day: first a visible one of at least
:data:`topiccrawl.page.dates.visible_lines.NEAR` points (meta tags often contain the time at which the page
was generated), then machine-readable ones, then the rest. 00:00:00 means that only the day is known. A
date without a year (10-08 12:00) is the last one before the newest date in the metadata or URL, so that a
page saved long ago is not dated to this year.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.dates.attributes import with_tooltips
from topiccrawl.page.dates.candidates import Day, days_of, features_of
from topiccrawl.page.dates.formats import CHINA_TIME
from topiccrawl.page.dates.stated import WEIGHTS, has_clock_time, stated_dates
from topiccrawl.page.dates.visible_lines import NEAR, visible_dates
from topiccrawl.page.dates.years import with_years
from topiccrawl.page.dates.zones import as_seen
from topiccrawl.page.learned import Choice, choice_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

#: Log odds below which a page has no date: on altered pages of sites left out, -2 finds .949 of the days and leaves
#: .62 of the pages without a date, -3 .954 and .47, -1 .937 and .77; pages as they are do not differ (2026-11).
LEAST: Final = -2.0
#: Points by which the first line of a day may be behind the best one: that of a reply may be as close to the title.
TIED: Final = 0.2
#: Most characters beside a day alone on its line: brackets, a day of the week (a guess).
BARE: Final = 4


@dataclass(frozen=True, slots=True)
class _Clock:
    """A moment with a clock time on the chosen day."""

    moment: datetime
    weight: float
    kind: str


@dataclass(frozen=True, slots=True)
class DateCandidates:
    """The days that a page names, with their features."""

    days: dict[date, Day]
    matrix: NDArray[np.float64]
    """Shape (days, features)."""


def date_candidates(
    *,
    now: datetime,
    lines: Sequence[str] = (),
    title: str = "",
    meta: Mapping[str, str] | None = None,
    times: Sequence[str] = (),
    json_ld: Sequence[str] = (),
    url: str = "",
    html: str = "",
) -> DateCandidates:
    """Return the days that a page names; parameters as in :func:`find_published`."""
    if now.tzinfo is None:
        now = now.replace(tzinfo=CHINA_TIME)
    stated = list(stated_dates(meta or {}, json_ld, times, url, now))
    year_by = max((one.moment for one in stated), default=None)
    visible = with_tooltips(visible_dates(lines, title, now, year_by), html, now)
    if year_by is None:
        visible = with_years(visible, html, now)
    days = days_of(as_seen(stated, visible), visible)
    return DateCandidates(days, features_of(days, lines, now.astimezone(CHINA_TIME).date()))


def find_published(
    *,
    now: datetime,
    lines: Sequence[str] = (),
    title: str = "",
    meta: Mapping[str, str] | None = None,
    times: Sequence[str] = (),
    json_ld: Sequence[str] = (),
    url: str = "",
    html: str = "",
) -> datetime | None:
    """Return the time of publication of a page.

    Parameters
    ----------
    now : datetime
        Time of the fetch, to which 昨天 and dates without a year refer; without a time zone it is
        taken to be in China's.
    lines : sequence of str
        Visible lines of the page.
    title : str
        Title of the page, near which a by-line is expected.
    meta : mapping of str to str, optional
        Meta tags by name or property in lower case.
    times : sequence of str
        The ``datetime`` attributes of ``<time>`` elements.
    json_ld : sequence of str
        Texts of the page's JSON-LD scripts.
    url : str
        URL of the page.
    html : str
        Its HTML, which may have the year of a day that is visible without it.

    Returns
    -------
    datetime or None
        In China's time, midnight if only the day is known. Never later than a day after ``now``.
    """
    found = date_candidates(
        now=now,
        lines=lines,
        title=title,
        meta=meta,
        times=times,
        json_ld=json_ld,
        url=url,
        html=html,
    )
    return choose_moment(found, choice_of("topiccrawl.page.dates", "date.json"))


def choose_moment(found: DateCandidates, model: Choice) -> datetime | None:
    """Return the moment of the best of the days that a page names, None if none is likely."""
    if not found.days:
        return None
    odds = model.odds(found.matrix)
    best = int(np.argmax(odds))
    if odds[best] < LEAST:
        return None
    when = list(found.days)[best]
    when = _beside_title(found.days, when) or when
    return _moment_of(when, found.days[when])


def _beside_title(days: Mapping[date, Day], chosen: date) -> date | None:
    """Return the day alone on a line beside the title if the chosen one is that of comments alone, which come later."""
    if days[chosen].stated or not all(it.in_others for it in days[chosen].lines):
        return None
    beside = (
        when
        for when, day in days.items()
        if when <= chosen
        for it in day.lines
        if it.rest <= BARE and not it.in_others and (it.before == 1 or it.after in (1, 2))
    )
    return max(beside, default=None)


def _moment_of(when: date, day: Day) -> datetime:
    """Return the best clock time of a day, or its midnight."""
    exact = [_Clock(it.moment, WEIGHTS[it.kind], it.kind) for it in day.stated if it.has_time]
    lines = [
        _Clock(it.found.moment, it.score, "line") for it in day.lines if has_clock_time(it.found)
    ]
    exact += lines
    most = max((one.weight for one in lines), default=0.0)
    best = next((one for one in lines if one.weight >= most - TIED), None)
    if best is None or most < NEAR:
        best = max(
            (one for one in exact if one.kind != "changed" or len(exact) == 1),
            key=lambda one: one.weight,
            default=None,
        )
    if best is None:
        return datetime(when.year, when.month, when.day, tzinfo=CHINA_TIME)
    if best.moment.second == 0:
        # The same minute with its seconds, if any source has them.
        same = (one.moment for one in exact if one.moment.second and _minute(one) == _minute(best))
        return next(same, best.moment)
    return best.moment


def _minute(one: _Clock) -> datetime:
    return one.moment.replace(second=0, microsecond=0)
