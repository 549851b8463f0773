"""A page made ready for comparisons: shingled once, compared with many."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.numbers import TitleNumbers, quantities, title_numbers
from topiccrawl.dedup.shingles import (
    Shingles,
    ShingleSequence,
    distinct,
    normalized_sequence,
    units,
)
from topiccrawl.text.normalize import normalize


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPage:
    """A page and what comparisons need of it."""

    page: ComparedPage
    sequence: ShingleSequence
    """Hashes of the shingles of the body, in order."""
    shingles: Shingles
    """The same, distinct and sorted."""
    text: str
    """The body, normalized."""
    title: tuple[str, ...]
    """Units of the title."""
    title_terms: frozenset[str]
    """Words of the title, and pairs of its neighboring Han characters."""
    title_numbers: TitleNumbers
    numbers: Counter[str]
    """Numbers in the body."""

    @property
    def size(self) -> int:
        """Distinct shingles of the body."""
        return len(self.shingles)

    def has(self, term: str) -> bool:
        """Return whether a term of a title is in the body."""
        if term not in self.text:
            return False
        return not term.isascii() or bool(
            re.search(rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])", self.text)
        )


def prepared(page: ComparedPage) -> PreparedPage:
    """Return *page*, ready for :func:`topiccrawl.dedup.relation.relate`."""
    text, title = normalize(page.body), units(page.title)
    sequence = normalized_sequence(text)
    return PreparedPage(
        page,
        sequence,
        distinct(sequence),
        text,
        tuple(title),
        frozenset(_terms(title)),
        title_numbers(page.title),
        quantities(text),
    )


def _terms(title: list[str]) -> list[str]:
    """Return the words of a title, and the pairs of neighboring Han characters."""
    words = [unit for unit in title if len(unit) > 1 or unit.isascii()]
    pairs = [
        first + second
        for first, second in pairwise(title)
        if len(first) == len(second) == 1 and not first.isascii() and not second.isascii()
    ]
    return words + pairs
