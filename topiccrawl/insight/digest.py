"""A topic at a glance: what is new, how much there is, which stories are the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.insight.counts import Series, daily, largest
from topiccrawl.insight.days import day_of_moment
from topiccrawl.store.values import to_milliseconds

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from topiccrawl.insight.overview import Overview

#: Days of the bars.
_DAYS: Final = 30
#: Days in which a story must have a page to be a recent one; without such stories all count (a choice).
_RECENT_DAYS: Final = 30
#: Newest pages and largest stories that are listed, and terms (choices: half a screen each).
_LISTED: Final = 8
_TERMS: Final = 16


@dataclass(frozen=True, slots=True)
class LargeStory:
    """A story with several pages."""

    story: str
    row: int
    """Row of its representative, or of its first page."""
    size: int
    recent: int
    """Pages that were first seen in the last days."""


@dataclass(frozen=True, slots=True)
class Digest:
    """Figures of one topic; without copies where nothing else is stated."""

    pages: int
    copies: int
    sites: int
    today: int
    """Pages first seen today, in China."""
    week: int
    """In the last seven days, today included."""
    week_before: int
    """In the seven days before."""
    changed: int
    """Pages that changed in the last seven days, copies included."""
    gone: int
    """Pages that went from their sites in the last seven days, copies included."""
    days: Series
    """Pages first seen on each of the last 30 days."""
    newest: Sequence[int]
    """Rows of the pages with the latest times."""
    stories: Sequence[LargeStory]
    is_recent: bool
    """Whether the stories are those of the last days."""
    terms: Sequence[tuple[str, int]]
    """The most frequent terms of the last seven days, of all days if there was nothing new."""


def digest(overview: Overview, now: datetime) -> Digest:
    """Return the figures of *overview* at the time *now*."""
    today = day_of_moment(now)
    listed = ~overview.is_copy
    seen = overview.seen_day
    days = daily(seen[listed], today - _DAYS + 1, today)
    before = daily(seen[listed], today - 13, today - 7)
    columns = overview.columns
    week_began = to_milliseconds(now) - 7 * 86_400_000
    stories, is_recent = _stories(overview, today)
    return Digest(
        pages=int(listed.sum()),
        copies=int((~listed).sum()),
        sites=len(np.unique(columns.site)),
        today=int(days.counts[-1]) if len(days.counts) else 0,
        week=int(days.counts[-7:].sum()),
        week_before=before.total,
        changed=int((columns.changed >= week_began).sum()),
        gone=int((columns.gone >= week_began).sum()),
        days=days,
        newest=_newest(overview, listed, to_milliseconds(now)),
        stories=stories,
        is_recent=is_recent,
        terms=_terms(overview, listed, listed & (seen > today - 7)),
    )


def _newest(overview: Overview, listed: NDArray[np.bool_], now: int) -> list[int]:
    """Return the rows of the newest pages; those that claim to be of the future come last."""
    order = overview.newest
    order = order[listed[order]]
    known = overview.time[order] <= now
    head = order[known][:_LISTED]
    return [int(row) for row in (head if len(head) else order[:_LISTED])]


def _stories(overview: Overview, today: int) -> tuple[list[LargeStory], bool]:
    """Return the largest recent stories, else the largest of all."""
    codes = overview.columns.story
    sizes = overview.story_sizes
    recent = np.bincount(codes[overview.seen_day > today - _RECENT_DAYS], minlength=len(sizes))
    eligible = (sizes > 1) & (recent > 0)
    is_recent = bool(eligible.any())
    if not is_recent:
        eligible = sizes > 1
    found = np.flatnonzero(eligible)
    last = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(last, codes, overview.time)
    # Equal ones as in the list of stories: the newest first.
    keys = (-sizes[found], -recent[found], -last[found])
    chosen = found[np.lexsort((found, *reversed(keys)))][:_LISTED]
    names = overview.books.story.names
    return [
        LargeStory(names[code], _row(overview, int(code)), int(sizes[code]), int(recent[code]))
        for code in chosen
    ], is_recent


def _row(overview: Overview, code: int) -> int:
    """Return the row of the page that represents a story."""
    rows = np.flatnonzero(overview.columns.story == code)
    own = rows[~overview.is_copy[rows]]
    return int((own if len(own) else rows)[0])


def _terms(
    overview: Overview, listed: NDArray[np.bool_], new: NDArray[np.bool_]
) -> list[tuple[str, int]]:
    """Return the terms that most of the *new* pages have, of all *listed* pages if none is new."""
    terms = overview.columns.terms.take(new if new.any() else listed).terms
    if not len(terms):
        return []
    counts, names = overview.books.term.counts(terms), overview.books.term.names
    return [(names[code], int(counts[code])) for code in largest(counts, _TERMS, names).tolist()]
