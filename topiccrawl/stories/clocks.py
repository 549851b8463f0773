"""Publish times of a story's members as spans, and which of them can be trusted."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, TypeGuard

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.stories.members import StoryPage

#: Stands for an unknown time where pages are ordered by time.
LAST: Final = datetime.max.replace(tzinfo=UTC)
_DAY: Final = timedelta(days=1)
#: A time so far after the fetch is a wrong clock (as in ``page.dates``).
_LEEWAY: Final = _DAY
#: A year before it is a fault, too, and too near to the first one to count days from (a choice).
_EARLIEST_YEAR: Final = 1000
#: A publish time so long before that of all others, of which those of at least :data:`_OTHERS` registered
#: domains lie within :data:`_TOGETHER`, is a fault (the date of a template, of a column, of 1970).  Guesses: reposts
#: come within days.
_ALONE: Final = timedelta(days=60)
_TOGETHER: Final = timedelta(days=14)
_OTHERS: Final = 3
#: 新华社北京11月2日电 at the beginning of a text: no publication is earlier than that day.
_DATELINE: Final = re.compile(
    r"(?:社|网|報|报|台|讯|訊)[^\s，。\d]{0,10}(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日\s*(?:电|電|讯|訊|\(|（)"
)
_HEAD: Final = 200


@dataclass(frozen=True, slots=True)
class Span:
    """When a page was published: at or after *first*, before *end*."""

    first: datetime
    end: datetime

    @property
    def middle(self) -> datetime:
        """The expected time."""
        return self.first + (self.end - self.first) / 2


def dated(published_at: datetime | None, fetched_at: datetime) -> datetime:
    """Return when a page was published, or fetched if it states no time or one that cannot be right.

    Imported pages can state any time, also one at the end of the calendar.
    """
    return published_at if _is_possible(published_at, fetched_at) else fetched_at


def _is_possible(published_at: datetime | None, fetched_at: datetime | None) -> TypeGuard[datetime]:
    if published_at is None or not _EARLIEST_YEAR <= published_at.year < MAXYEAR:
        return False
    return fetched_at is None or published_at <= fetched_at.astimezone(UTC) + _LEEWAY


def published_span(page: StoryPage) -> Span | None:
    """Return when *page* states that it was published: a whole day if it names no time of day.

    ``None`` for no time and one that cannot be right.
    """
    if not _is_possible(page.published_at, page.fetched_at):
        return None
    here = page.published_at.astimezone(CHINA_TIME)
    length = _DAY if here.timetz().replace(tzinfo=None) == time(0) else timedelta(minutes=1)
    return Span(page.published_at, page.published_at + length)


def trusted_spans(members: Sequence[StoryPage]) -> Mapping[str, Span]:
    """Return the publish times by URL, without those that cannot be right.

    A time is not trusted if it is after the fetch, before the day of the text's dateline, or alone
    long before the others.
    """
    spans: dict[str, Span] = {}
    for page in members:
        span = published_span(page)
        if span is not None and _is_after_dateline(page, span):
            spans[page.url] = span
    order = sorted(spans, key=lambda url: (spans[url].first, url))
    starts = [spans[url].first for url in order]
    domains = {page.url: registered_domain(page.site) for page in members}
    for at, url in enumerate(order):
        later = starts[at + 1 :]
        if not later or later[0] - starts[at] <= _ALONE:
            break
        together = bisect.bisect_right(starts, later[0] + _TOGETHER)
        # One owner can have any number of pages.
        if len({domains[it] for it in order[at + 1 : together]} - {domains[url]}) >= _OTHERS:
            del spans[url]
    return spans


def _is_after_dateline(page: StoryPage, span: Span) -> bool:
    day = _dateline_day(page.body[:_HEAD], span.first)
    return day is None or span.end + _LEEWAY > day


def _dateline_day(head: str, near: datetime) -> datetime | None:
    """Return the day of the dateline; without a year, that nearest to *near*."""
    match = _DATELINE.search(head)
    if match is None:
        return None
    month, day = int(match.group(2)), int(match.group(3))
    years = [int(match.group(1))] if match.group(1) else [near.year - 1, near.year, near.year + 1]
    days = []
    for year in years:
        try:
            days.append(datetime(year, month, day, tzinfo=CHINA_TIME))
        except (ValueError, OverflowError):
            continue
    return min(days, key=lambda moment: abs(moment - near), default=None)
