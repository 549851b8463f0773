"""How many pages, stories and terms there are on each day, by site, kind or term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.codebook import Codes
from topiccrawl.insight.days import day_of, number_of
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Clock, Mask, days_by

#: Whole numbers, one for each day.
Counts = NDArray[np.int64]

#: Length of a step of a series.
Step = Literal["day", "week", "month"]

#: Most days of a series: 50 years; times beyond are errors of pages.
MOST_DAYS: Final = 18_300


@dataclass(frozen=True, slots=True)
class Series:
    """A count for each of consecutive days."""

    first_day: int
    """Days since 1970-01-01."""
    counts: Counts

    @property
    def total(self) -> int:
        """Sum of the counts."""
        return int(self.counts.sum())

    @property
    def days(self) -> range:
        """Numbers of the days."""
        return range(self.first_day, self.first_day + len(self.counts))


def daily(days: NDArray[np.int32], first: int, last: int) -> Series:
    """Return how many of *days* are each of the days from *first* to *last*, at most :data:`MOST_DAYS`."""
    last = min(last, first + MOST_DAYS - 1)
    inside = days[(days >= first) & (days <= last)] - first
    return Series(first, np.bincount(inside, minlength=max(0, last - first + 1)))


def story_days(overview: Overview, mask: Mask, clock: Clock = "published") -> NDArray[np.int32]:
    """Return the day of the first page of each story with a page in *mask*."""
    codes, days = overview.columns.story[mask], days_by(overview, clock)[mask]
    order = np.lexsort((days, codes))
    codes, days = codes[order], days[order]
    is_first = np.ones(len(codes), dtype=np.bool_)
    is_first[1:] = codes[1:] != codes[:-1]
    return days[is_first]


def daily_by(
    days: NDArray[np.int32], codes: Codes, wanted: NDArray[np.int64], first: int, last: int
) -> NDArray[np.int64]:
    """Return the counts of each day for each *wanted* code.

    Parameters
    ----------
    days, codes : arrays of one shape
        Day and code (such as a site's) of each occurrence.
    wanted
        Codes, the rows of the result.
    first, last
        Days, the columns of the result.

    Returns
    -------
    array of shape (len(wanted), last - first + 1)
    """
    width = last - first + 1
    if not len(wanted) or width < 1:
        return np.zeros((len(wanted), max(width, 0)), dtype=np.int64)
    top = max(int(wanted.max()), int(codes.max(initial=0))) + 1
    row_of = np.full(top + 1, -1, dtype=np.int64)
    row_of[wanted] = np.arange(len(wanted))
    rows = row_of[codes]
    inside = (rows >= 0) & (days >= first) & (days <= last)
    cells = rows[inside] * width + (days[inside] - first)
    return np.bincount(cells, minlength=len(wanted) * width).reshape(len(wanted), width)


def term_days(
    overview: Overview, mask: Mask, clock: Clock = "published"
) -> tuple[NDArray[np.int32], Codes]:
    """Return day and term of each occurrence of a term in the pages of *mask*."""
    lists = overview.columns.terms
    lengths = lists.lengths
    return np.repeat(days_by(overview, clock)[mask], lengths[mask]), lists.terms[
        np.repeat(mask, lengths)
    ]


def term_rows(overview: Overview, mask: Mask, wanted: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the rows of the pages of *mask* that have each of the *wanted* terms."""
    lists = overview.columns.terms
    rows = np.repeat(np.flatnonzero(mask), lists.lengths[mask])
    codes = lists.terms[np.repeat(mask, lists.lengths)]
    position = np.full(max(int(wanted.max(initial=0)), int(codes.max(initial=0))) + 1, -1)
    position[wanted] = np.arange(len(wanted))
    places = position[codes]
    rows, places = rows[places >= 0], places[places >= 0]
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=len(wanted)))
    return np.split(rows[order], ends[:-1]) if len(wanted) else []


def term_counts(overview: Overview, mask: Mask) -> Counts:
    """Return in how many pages of *mask* each term occurs, by its code."""
    lists = overview.columns.terms
    return overview.books.term.counts(lists.terms[np.repeat(mask, lists.lengths)])


def largest(counts: Counts, most: int, names: Sequence[str]) -> NDArray[np.int64]:
    """Return the codes of the *most* largest counts above 0, largest first, equal ones in the order of *names*.

    Codes themselves depend on the order in which a store returns its pages.
    """
    codes = np.flatnonzero(counts)
    if len(codes) > most:
        codes = codes[counts[codes] >= np.partition(counts[codes], -most)[-most]]
    ranked = sorted(codes.tolist(), key=lambda code: (-counts[code], names[code]))
    return np.array(ranked[:most], dtype=np.int64)


def grouped(series: Series, step: Step) -> list[tuple[int, int]]:
    """Return the sum of each step as (first day of the step in the series, count).

    Weeks begin on Monday.
    """
    if step == "day":
        return list(zip(series.days, series.counts.tolist(), strict=True))
    sums: dict[int, int] = {}
    for number, count in zip(series.days, series.counts.tolist(), strict=True):
        day = day_of(number)
        start = number - day.weekday() if step == "week" else number_of(day.replace(day=1))
        sums[start] = sums.get(start, 0) + count
    return list(sums.items())
