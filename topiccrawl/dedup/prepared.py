"""A page made ready for comparisons: shingled once, compared with many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.numbers import identifiers, quantities
from topiccrawl.dedup.shingles import Shingles, shingle_sequence, units


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPage:
    """A page and what comparisons need of it."""

    page: ComparedPage
    sequence: Shingles
    """Hashes of the shingles of the body, in order."""
    shingles: Shingles
    """The same, distinct and sorted."""
    counts: Counter[str]
    """Units of the body, with their counts."""
    text: str
    """Units of the body between spaces, in which terms are searched."""
    title: tuple[str, ...]
    """Units of the title."""
    title_terms: frozenset[str]
    """Terms of the title, written as in :attr:`text`."""
    title_identifiers: frozenset[str]
    """Numbers in the title: issues, versions, dates, quantities."""
    numbers: Counter[str]
    """Numbers in the body."""

    @property
    def size(self) -> int:
        """Distinct shingles of the body."""
        return len(self.shingles)


def prepared(page: ComparedPage) -> PreparedPage:
    """Return *page*, ready for :func:`topiccrawl.dedup.relation.relate`."""
    body, title = units(page.body), units(page.title)
    sequence = shingle_sequence(body)
    return PreparedPage(
        page,
        sequence,
        np.unique(sequence),
        Counter(body),
        f" {' '.join(body)} ",
        tuple(title),
        frozenset(_terms(title)),
        identifiers(page.title),
        quantities(page.body),
    )


def _terms(title: list[str]) -> list[str]:
    """Return the words of a title, and the pairs of neighboring Han characters."""
    words = [f" {unit} " for unit in title if len(unit) > 1 or unit.isascii()]
    pairs = [
        f" {first} {second} "
        for first, second in zip(title, title[1:], strict=False)
        if len(first) == len(second) == 1 and not first.isascii() and not second.isascii()
    ]
    return words + pairs
