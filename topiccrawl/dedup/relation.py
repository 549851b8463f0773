"""The relation of two pages: copies, parts, the same template, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from topiccrawl import details
from topiccrawl.dedup.compared import ComparedPage, Relation, RelationKind
from topiccrawl.dedup.prepared import PreparedPage, prepared
from topiccrawl.dedup.shingles import overlap

#: Texts with fewer shingles are judged by their titles, too: such texts are often a template only.
SHORT: Final = 60
#: Share of shared shingles from which a text is unchanged.
UNCHANGED: Final = 0.97
#: Share of a text that must be in the other, for a part of it.
PART: Final = 0.8
#: Size of a part, relative to the whole, at most.
PART_SIZE: Final = 0.5


def relate(
    first: ComparedPage | PreparedPage,
    second: ComparedPage | PreparedPage,
    others: Mapping[int, int] | None = None,
) -> Relation:
    """Return what *first* is to *second*.

    Parameters
    ----------
    first, second
        The pages.  One that is compared with many should be :func:`prepared` once.
    others
        For sampled shingles of both pages: how many other texts contain each, the copies of one text
        counted as one.  What many texts contain counts less.  Shingles that are missing are ignored.

    Returns
    -------
    Relation
        The kind, its probability, and reasons.  Exchanging the pages exchanges ``excerpt`` and
        ``gathers`` and leaves everything else as it is.
    """
    a = first if isinstance(first, PreparedPage) else prepared(first)
    b = second if isinstance(second, PreparedPage) else prepared(second)
    shares = overlap(a.shingles, b.shingles)
    title = _title_similarity(a, b)
    numbers_differ = a.title_identifiers != b.title_identifiers
    reasons = [
        details.SHARED_TEXT(first=_percent(shares.of_first), second=_percent(shares.of_second)),
        details.TITLES_SIMILAR(similarity=f"{title:.2f}"),
    ]
    if a.size and np.array_equal(a.sequence, b.sequence):
        if a.size >= SHORT or title >= 0.8:
            same_page = title == 1.0 and a.page.site == b.page.site != ""
            return Relation("same-page" if same_page else "copy", 0.99, tuple(reasons))
        return Relation("different", 0.6, tuple(reasons))
    if numbers_differ and title >= 0.5:
        reasons.insert(0, details.TITLE_NUMBERS())
        kind: RelationKind = "template" if shares.jaccard >= 0.3 else "different"
        return Relation(kind, 0.95, tuple(reasons))
    smaller, larger = sorted((shares.of_first, shares.of_second), reverse=True)
    if min(a.size, b.size) < SHORT:
        copy = title >= 0.8 and (larger >= 0.4 or not a.size or not b.size)
        return Relation("edited" if copy else "different", 0.7, tuple(reasons))
    ratio = min(a.size, b.size) / max(a.size, b.size)
    if smaller >= PART and ratio < PART_SIZE and title < 1.0:
        return Relation("excerpt" if a.size < b.size else "gathers", 0.8, tuple(reasons))
    z = 8 * larger + 4 * smaller + 3 * title - 7
    p = 1 / (1 + math.exp(-z))
    if p >= 0.5:
        return Relation("copy" if larger >= UNCHANGED else "edited", p, tuple(reasons))
    template = a.page.site == b.page.site != "" and shares.jaccard >= 0.1
    return Relation("template" if template else "different", 1 - p, tuple(reasons))


def _title_similarity(a: PreparedPage, b: PreparedPage) -> float:
    """Return the Dice coefficient of the pairs of neighboring units of two titles."""
    if a.title == b.title:
        return 1.0 if a.title else 0.0
    first, second = _pairs(a.title), _pairs(b.title)
    if not first or not second:
        return 0.0
    return 2 * len(first & second) / (len(first) + len(second))


def _pairs(title: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {title[i : i + 2] for i in range(max(1, len(title) - 1))} if title else set()


def _percent(share: float) -> str:
    return f"{math.floor(100 * share)}%"
