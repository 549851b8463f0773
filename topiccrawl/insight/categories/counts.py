"""How many pages of a period belong to each category, beside the period before."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from topiccrawl.insight.categories.division import Categories
from topiccrawl.insight.comparison import previous
from topiccrawl.insight.contrast_terms import ContrastTerm, contrast_terms
from topiccrawl.insight.counts import Series, daily
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection, days_by, select


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category and its pages of a period."""

    name: str
    """Empty for the pages of no category."""
    pages: int
    before: int
    """Pages of the period of the same length before."""
    share: float
    """Of the pages of the period; the shares add up to more than 1 where pages belong to several."""
    series: Series
    terms: tuple[ContrastTerm, ...]
    """Terms that set its pages apart from the others of the period."""


def category_rows(
    overview: Overview, categories: Categories, selection: Selection
) -> list[CategoryRow]:
    """Return the categories with their pages of *selection*, which states its period, largest first.

    The last row is that of the pages of no category.
    """
    first, last = selection.first_day, selection.last_day
    assert first is not None
    assert last is not None
    start, end = previous(first, last)
    inside = select(overview, selection)
    earlier = select(overview, replace(selection, first_day=start, last_day=end))
    day = days_by(overview, selection.clock)
    rows = []
    for name in (*categories.names, ""):
        mask = categories.mask(name)
        there = inside & mask
        rows.append(
            CategoryRow(
                name,
                int(there.sum()),
                int((earlier & mask).sum()),
                float(np.mean(mask[inside])) if inside.any() else 0.0,
                daily(day[there], first, last),
                tuple(contrast_terms(overview, there, inside & ~mask, 6)) if name else (),
            )
        )
    return sorted(rows, key=lambda row: (not row.name, -row.pages, row.name))
