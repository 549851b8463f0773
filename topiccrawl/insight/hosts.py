"""Hosts and their productivity: how much each contributed, how early, and whether it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.columns import NO_TIME
from topiccrawl.insight.counts import daily_by
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Clock, Mask, days_by

#: Orders of the table, all largest first.
HostOrder = Literal["pages", "originals", "reposted", "relevance", "newest", "host"]

#: Steps of the small chart of a host.
_STEPS: Final = 24


@dataclass(frozen=True, slots=True)
class HostRow:
    """One host and its pages in a selection."""

    host: str
    pages: int
    originals: int
    """Pages that are not copies of others."""
    reposted: int
    """Pages elsewhere that are copies of this host's: how often it was taken over."""
    relevance: float
    """Mean relevance of its pages."""
    first_day: int
    last_day: int
    is_new: bool
    """Whether its first page of all is in the selection and not on the first day of the collection."""
    gone: int
    """Pages that have disappeared."""
    steps: tuple[int, ...]
    """Pages in equal steps of the selection's days, for a small chart."""


def host_rows(
    overview: Overview, mask: Mask, *, clock: Clock = "published", order: HostOrder = "pages"
) -> list[HostRow]:
    """Return the hosts that have pages in *mask*."""
    columns, book = overview.columns, overview.books.site
    if not mask.any():
        return []
    days, sites = days_by(overview, clock), columns.site
    number = len(book)
    pages = np.bincount(sites[mask], minlength=number)
    originals = np.bincount(sites[mask & ~overview.is_copy], minlength=number)
    gone = np.bincount(sites[mask & (columns.gone != NO_TIME)], minlength=number)
    reposted = _reposted(overview, mask)
    relevance = np.bincount(sites[mask], weights=columns.relevance[mask], minlength=number)
    first = _edge(sites[mask], days[mask], number, first=True)
    last = _edge(sites[mask], days[mask], number, first=False)
    first_of_all = _edge(sites, days, number, first=True)
    start, end = int(days[mask].min()), int(days[mask].max())
    beginning = int(days.min())
    codes = np.flatnonzero(pages)
    steps = _stepped(days[mask], sites[mask], codes, start, end)
    rows = [
        HostRow(
            host=book.names[code],
            pages=int(pages[code]),
            originals=int(originals[code]),
            reposted=int(reposted[code]),
            relevance=float(relevance[code] / pages[code]),
            first_day=int(first[code]),
            last_day=int(last[code]),
            is_new=bool(first_of_all[code] == first[code] > beginning),
            gone=int(gone[code]),
            steps=tuple(steps[at].tolist()),
        )
        for at, code in enumerate(codes.tolist())
    ]
    return _ordered(rows, order)


def _ordered(rows: list[HostRow], order: HostOrder) -> list[HostRow]:
    if order == "host":
        return sorted(rows, key=lambda row: row.host)
    name = "last_day" if order == "newest" else order
    return sorted(rows, key=lambda row: (-getattr(row, name), -row.pages, row.host))


def _reposted(overview: Overview, mask: Mask) -> NDArray[np.int64]:
    """Return, for each host, how many pages of *mask* on other registered domains are copies of its pages."""
    columns = overview.columns
    rows = np.flatnonzero(mask & overview.is_copy)
    found = np.array(
        [overview.row_of.get(url, -1) for url in columns.copy_of[rows]], dtype=np.int64
    )
    rows, found = rows[found >= 0], found[found >= 0]
    elsewhere = overview.domain[rows] != overview.domain[found]
    return np.bincount(columns.site[found[elsewhere]], minlength=len(overview.books.site))


def _edge(
    sites: NDArray[np.int32], days: NDArray[np.int32], number: int, *, first: bool
) -> NDArray[np.int64]:
    """Return the first or last day of each site."""
    edge = np.full(
        number, np.iinfo(np.int32).max if first else np.iinfo(np.int32).min, dtype=np.int64
    )
    (np.minimum if first else np.maximum).at(edge, sites, days)
    return edge


def _stepped(
    days: NDArray[np.int32],
    sites: NDArray[np.int32],
    codes: NDArray[np.int64],
    start: int,
    end: int,
) -> NDArray[np.int64]:
    """Return the pages of each site in equal steps of the days; shape (len(codes), steps)."""
    length = -(-(end - start + 1) // _STEPS)
    steps = (days - start) // length
    return daily_by(steps.astype(np.int32), sites, codes, 0, (end - start) // length)
