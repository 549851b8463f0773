"""Trends of a topic in a period: volume, bursts, terms and sites."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.bursts.terms import TermBurst, term_bursts
from topiccrawl.insight.bursts.volume import Burst, volume
from topiccrawl.insight.comparison import previous
from topiccrawl.insight.contrast_terms import ContrastTerm, contrast_terms, sourced_terms
from topiccrawl.insight.counts import (
    MOST_DAYS,
    Series,
    daily,
    daily_by,
    largest,
    story_days,
    term_counts,
    term_days,
)
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Clock, Mask, Selection, days_by, select, span
from topiccrawl.insight.sources import Origins, Sources
from topiccrawl.scoring.arrays import FloatArray

#: Days of the period when none is asked for.
DEFAULT_DAYS: Final = 90

#: Days before the end from which the baseline is fitted at most, if the period is not longer: three years.
_HISTORY_DAYS: Final = 1_096

#: Rows of each list.
_LISTED: Final = 30

#: Terms that explain a burst.
_BURST_TERMS: Final = 6


@dataclass(frozen=True, slots=True)
class Named:
    """The counts of one site or term."""

    name: str
    total: int
    series: Series


@dataclass(frozen=True, slots=True)
class VolumeBurst:
    """A burst of the volume, and the terms that set its days apart."""

    first_day: int
    last_day: int
    burst: Burst
    terms: tuple[ContrastTerm, ...]
    sources: Sources


@dataclass(frozen=True, slots=True)
class Trends:
    """What is shown of a period."""

    selection: Selection
    """With the period that was chosen."""
    pages: Series
    stories: Series
    """Stories by the day of their first page in the selection."""
    expected: FloatArray
    """Ordinary number of pages of each day of the period."""
    bursts: tuple[VolumeBurst, ...]
    """Bursts of the volume that touch the period."""
    term_bursts: tuple[TermBurst, ...]
    """The most certain first, one-sided ones last."""
    terms: tuple[Named, ...]
    """The most frequent terms."""
    contrast: tuple[ContrastTerm, ...]
    """Terms that set the period apart from the one before, one-sided ones last."""
    before: tuple[int, int]
    """Days of the period before."""
    pages_before: int
    sites: tuple[Named, ...]


def period_of(overview: Overview, selection: Selection) -> tuple[int, int]:
    """Return the first and last day of *selection*: where it states none, the last 90 days with pages.

    Of a period that begins after the newest page, that is its first day.  Of a period of more than
    :data:`MOST_DAYS` days, those remain that end with the newest page.
    """
    first_of_all, last_of_all = span(overview, selection.clock) or (0, 0)
    last = last_of_all if selection.last_day is None else selection.last_day
    first = selection.first_day
    if first is None:
        first = max(min(first_of_all, last), last - DEFAULT_DAYS + 1)
    elif selection.last_day is None:
        last = max(first, last)
    first = min(first, last)
    if last - first >= MOST_DAYS:
        last = min(last, max(last_of_all, first))
        first = max(first, last - MOST_DAYS + 1)
    return first, last


def trends(overview: Overview, selection: Selection) -> Trends:
    """Return the trends of the pages of *selection*.

    The baseline of the volume uses up to three years before the end of the period; terms and their
    bursts are counted without copies.
    """
    first, last = period_of(overview, selection)
    selection = replace(selection, first_day=first, last_day=last)
    anytime = select(overview, replace(selection, first_day=None, last_day=last))
    day = days_by(overview, selection.clock)
    inside = anytime & (day >= first)
    before = previous(first, last)
    earlier = anytime & (day >= before[0]) & (day <= before[1])
    pages = daily(day[inside], first, last)
    last = first + len(pages.counts) - 1
    expected, bursts = _volume(overview, anytime, selection.clock, first, last)
    originals = inside & ~overview.is_copy
    return Trends(
        selection=selection,
        pages=pages,
        stories=daily(story_days(overview, inside, selection.clock), first, last),
        expected=expected,
        bursts=bursts,
        term_bursts=tuple(_burst_terms(overview, anytime, selection, first, last)),
        terms=_terms(overview, originals, selection, first, last),
        contrast=tuple(sourced_terms(overview, originals, earlier & ~overview.is_copy, _LISTED)),
        before=before,
        pages_before=int(earlier.sum()),
        sites=_sites(overview, inside, selection, first, last),
    )


def _volume(
    overview: Overview, anytime: Mask, clock: Clock, first: int, last: int
) -> tuple[FloatArray, tuple[VolumeBurst, ...]]:
    """Return the ordinary volume of the days from *first* to *last*, and the bursts that touch them.

    It is 0 before the first page.
    """
    day = days_by(overview, clock)
    begin = int(day[anytime].min()) if anytime.any() else first
    start = max(begin, min(first, last - _HISTORY_DAYS + 1))
    history = daily(day[anytime], start, last)
    found = volume(history.counts, start)
    origins = Origins(overview, anytime)
    bursts = tuple(
        _explained(overview, anytime, day, start, it, origins)
        for it in found.bursts
        if start + it.last >= first
    )
    shown = found.expected[max(0, first - start) :]
    return np.concatenate((np.zeros(last - first + 1 - len(shown)), shown)), bursts


def _explained(
    overview: Overview,
    anytime: Mask,
    day: NDArray[np.int32],
    start: int,
    burst: Burst,
    origins: Origins,
) -> VolumeBurst:
    """Return the burst with its sources and the terms of its days, against all other days."""
    first, last = start + burst.first, start + burst.last
    originals = anytime & ~overview.is_copy
    there = originals & (day >= first) & (day <= last)
    terms = contrast_terms(overview, there, originals & ~there, _BURST_TERMS)
    rows = np.flatnonzero(anytime & (day >= first) & (day <= last))
    return VolumeBurst(first, last, burst, tuple(terms), origins.of(rows, burst.expected))


def _burst_terms(
    overview: Overview, anytime: Mask, selection: Selection, first: int, last: int
) -> list[TermBurst]:
    """Return the bursts of terms that touch the period, against the history before it."""
    originals = anytime & ~overview.is_copy
    day = days_by(overview, selection.clock)
    begin = int(day[originals].min()) if originals.any() else first
    start = max(begin, min(first, last - _HISTORY_DAYS + 1))
    found = term_bursts(overview, originals, start, last, clock=selection.clock, since=first)
    return [it for it in found if it.last_day >= first][:_LISTED]


def _terms(
    overview: Overview, mask: Mask, selection: Selection, first: int, last: int
) -> tuple[Named, ...]:
    counts, names = term_counts(overview, mask), overview.books.term.names
    wanted = largest(counts, _LISTED, names)
    days, codes = term_days(overview, mask, selection.clock)
    table = daily_by(days, codes, wanted, first, last)
    return tuple(
        Named(names[code], int(counts[code]), Series(first, table[row]))
        for row, code in enumerate(wanted.tolist())
    )


def _sites(
    overview: Overview, mask: Mask, selection: Selection, first: int, last: int
) -> tuple[Named, ...]:
    sites, names = overview.columns.site, overview.books.site.names
    counts = overview.books.site.counts(sites[mask])
    wanted = largest(counts, _LISTED, names)
    day = days_by(overview, selection.clock)
    table = daily_by(day[mask], sites[mask], wanted, first, last)
    return tuple(
        Named(names[code], int(counts[code]), Series(first, table[row]))
        for row, code in enumerate(wanted.tolist())
    )
