"""A page made ready for comparisons: shingled once, compared with many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    title: tuple[str, ...]
    """Units of the title."""
    title_identifiers: frozenset[str]
    """Numbers in the title that name an edition: issues, versions, dates."""
    numbers: Counter[str]
    """Numbers in the body."""

    @property
    def size(self) -> int:
        """Distinct shingles of the body."""
        return len(self.shingles)


def prepared(page: ComparedPage) -> PreparedPage:
    """Return *page*, ready for :func:`topiccrawl.dedup.relation.relate`."""
    sequence = shingle_sequence(page.body)
    return PreparedPage(
        page,
        sequence,
        np.unique(sequence),
        tuple(units(page.title)),
        identifiers(page.title),
        quantities(page.body),
    )


def shared_positions(first: PreparedPage, second: PreparedPage) -> NDArray[np.bool_]:
    """Return for each shingle of *first*, in order, whether *second* has it."""
    if not second.size:
        return np.zeros(len(first.sequence), np.bool_)
    at = np.searchsorted(second.shingles, first.sequence)
    at[at == second.size] = 0
    found: NDArray[np.bool_] = second.shingles[at] == first.sequence
    return found
