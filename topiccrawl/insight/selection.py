"""Which pages of an overview a question is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.overview import Overview

#: A mask of rows.
Mask = NDArray[np.bool_]

#: By which time a page belongs to a day: when it was published (or else first seen), or first seen.
Clock = Literal["published", "seen"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that a page must all fulfill; empty ones are none."""

    first_day: int | None = None
    """First day in China: days since 1970-01-01."""
    last_day: int | None = None
    """Last day, included."""
    clock: Clock = "published"
    site: str = ""
    kind: str = ""
    language: str = ""
    author: str = ""
    term: str = ""
    copies: bool = True
    """Whether copies count."""


def select(overview: Overview, selection: Selection) -> Mask:
    """Return the mask of the rows that fulfill *selection*."""
    columns, books = overview.columns, overview.books
    day = days_by(overview, selection.clock)
    mask = np.ones(len(overview), dtype=np.bool_)
    if selection.first_day is not None:
        mask &= day >= selection.first_day
    if selection.last_day is not None:
        mask &= day <= selection.last_day
    for name in ("site", "kind", "language", "author"):
        if wanted := getattr(selection, name):
            mask &= getattr(columns, name) == getattr(books, name).code(wanted)
    if selection.term:
        mask &= has_term(overview, selection.term)
    if not selection.copies:
        mask &= ~overview.is_copy
    return mask


def days_by(overview: Overview, clock: Clock) -> NDArray[np.int32]:
    """Return the day of each page by *clock*."""
    return overview.day if clock == "published" else overview.seen_day


def has_term(overview: Overview, term: str) -> Mask:
    """Return the mask of the rows that have *term*."""
    lists = overview.columns.terms
    at = np.flatnonzero(lists.terms == overview.books.term.code(term))
    mask = np.zeros(len(overview), dtype=np.bool_)
    mask[np.searchsorted(lists.starts, at, side="right") - 1] = True
    return mask


def span(overview: Overview, clock: Clock = "published") -> tuple[int, int] | None:
    """Return the first and last day of all pages, ``None`` without pages."""
    day = days_by(overview, clock)
    return (int(day.min()), int(day.max())) if len(day) else None
