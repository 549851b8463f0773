"""Numeric evidence for and against one text being a copy of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.shingles import SHINGLE, Shingles, ShingleSequence, among, overlap


@dataclass(frozen=True, slots=True)
class Evidence:
    """The comparison of two pages; exchanging the pages exchanges ``of_first`` and ``of_second``."""

    of_first: float
    """Share of the first text that is in the second, in [0, 1]: its containment."""
    of_second: float
    jaccard: float
    title: float
    """Similarity of the titles, in [0, 1]: Dice coefficient of their terms; 1 for equal titles."""
    title_terms: int
    """Terms of the title with fewer of them."""
    other_edition: bool
    """Whether the titles name different issues, versions or dates."""
    other_amount: bool
    """Whether the titles state different amounts."""
    other_thing: bool
    """Whether each title is the name of a thing (``SUMIF``, ``SUMIFS 函数``), and the names differ."""
    other_name: float
    """Share of the terms that only one title has which are in its own text and not in the other one,
    in [0, 1], of the title with the lower share: each page is about a thing of another name."""
    numbers: float
    """Share of the numbers of the text with fewer of them that the other one has, in [0, 1]."""
    number_count: int
    """Numbers of the text with fewer of them."""

    @property
    def of_smaller(self) -> float:
        """Containment of the smaller text."""
        return max(self.of_first, self.of_second)

    @property
    def of_larger(self) -> float:
        """Containment of the larger text."""
        return min(self.of_first, self.of_second)


def compare(a: PreparedPage, b: PreparedPage) -> Evidence:
    """Return the evidence of two pages."""
    shared = overlap(a.shingles, b.shingles)
    numbers = min(a.numbers.total(), b.numbers.total())
    return Evidence(
        of_first=shared.of_first,
        of_second=shared.of_second,
        jaccard=shared.jaccard,
        title=title_similarity(a, b),
        title_terms=min(len(a.title_terms), len(b.title_terms)),
        other_edition=a.title_numbers.other_edition(b.title_numbers),
        other_amount=a.title_numbers.other_amount(b.title_numbers),
        other_thing="" != a.title_name != b.title_name != "",
        other_name=min(_own(a, b), _own(b, a)),
        numbers=(a.numbers & b.numbers).total() / numbers if numbers else 1.0,
        number_count=numbers,
    )


def fields(a: PreparedPage, b: PreparedPage) -> int:
    """Return the number of places at which the texts have other words between the same ones.

    Such are the fields of a form, and the words that an editor replaced; what was cut or added is none.
    """
    return len(_gaps(a.sequence, b.shingles) & _gaps(b.sequence, a.shingles))


def title_similarity(a: PreparedPage, b: PreparedPage) -> float:
    """Return the Dice coefficient of the terms of the titles, 1 for equal titles."""
    if _equal_titles(a, b):
        return 1.0
    terms = len(a.title_terms & b.title_terms)
    return 2 * terms / max(1, len(a.title_terms) + len(b.title_terms))


def _equal_titles(a: PreparedPage, b: PreparedPage) -> bool:
    return bool(a.title) and a.title == b.title


def _own(a: PreparedPage, b: PreparedPage) -> float:
    """Return the share of the terms that only the title of *a* has which only the body of *a* has."""
    only = a.title_terms - b.title_terms
    return sum(a.has(term) and not b.has(term) for term in only) / max(1, len(only))


def _gaps(sequence: ShingleSequence, other: Shingles) -> set[tuple[int, int]]:
    """Return the shingles before and after each run of shingles of words that *other* has not."""
    shared = among(sequence, other)
    edges = np.flatnonzero(np.diff(shared, prepend=True, append=True)).tolist()
    around = [0, *sequence.tolist(), 0]
    return {
        (around[start], around[end + 1])
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        # Where something was left out, the shingles across the place are other ones, too.
        if end - start >= SHINGLE
    }
