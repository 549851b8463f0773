"""A page made ready for comparisons: shingled once, compared with many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Final

import numpy as np

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.names import title_name
from topiccrawl.dedup.numbers import TitleNumbers, quantities, title_numbers
from topiccrawl.dedup.offices import signatures
from topiccrawl.dedup.shingles import (
    Shingles,
    ShingleSequence,
    distinct,
    normalized_sequence,
    units,
)
from topiccrawl.text.normalize import normalize_text

#: The shingles with a lower hash are sampled: one of eight (a choice: most comparisons end with them).
SAMPLE_BELOW: Final = np.uint64(1 << 61)


class PreparedPage:
    """A page and what comparisons need of it, each computed when it is first needed.

    Most comparisons need the shingles and the title only.
    """

    def __init__(self, page: ComparedPage) -> None:
        self.page = page

    def of(self, page: ComparedPage) -> PreparedPage | None:
        """Return *page* with what was computed of this one, ``None`` if title or text differ."""
        if (page.title, page.body) != (self.page.title, self.page.body):
            return None
        same = copy(self)
        same.page = page
        return same

    @cached_property
    def text(self) -> str:
        """The body, normalized."""
        return normalize_text(self.page.body)

    @cached_property
    def sequence(self) -> ShingleSequence:
        """Hashes of the shingles of the body, in order."""
        return normalized_sequence(self.text)

    @cached_property
    def shingles(self) -> Shingles:
        """The same, distinct and sorted."""
        return distinct(self.sequence)

    @cached_property
    def size(self) -> int:
        """Distinct shingles of the body."""
        return len(self.shingles)

    @cached_property
    def sample(self) -> frozenset[int]:
        """One of eight shingles: those whose hash is small, the same ones of any text."""
        return frozenset(self.shingles[: np.searchsorted(self.shingles, SAMPLE_BELOW)].tolist())

    @cached_property
    def title(self) -> tuple[str, ...]:
        """Units of the title."""
        return tuple(units(self.page.title))

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """Words of the title, and pairs of its neighboring Han characters."""
        return frozenset(_terms(self.title))

    @cached_property
    def title_numbers(self) -> TitleNumbers:
        """Numbers in the title."""
        return title_numbers(self.page.title)

    @cached_property
    def title_name(self) -> str:
        """The name of the thing that the title is, see :func:`~topiccrawl.dedup.names.title_name`."""
        return title_name(self.page.title)

    @cached_property
    def numbers(self) -> Counter[str]:
        """Numbers in the body."""
        return quantities(self.text)

    @cached_property
    def signatures(self) -> list[str]:
        """Names of the offices that sign the body, see :func:`~topiccrawl.dedup.offices.signatures`."""
        return signatures(self.text)

    def has(self, term: str) -> bool:
        """Return whether a term of a title is in the body."""
        if term not in self.text:
            return False
        return not term.isascii() or bool(
            re.search(rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])", self.text)
        )


def _terms(title: Sequence[str]) -> list[str]:
    """Return the words of a title, and the pairs of neighboring Han characters."""
    words, pairs, before = [], [], ""
    for unit in title:
        if len(unit) > 1 or unit.isascii():
            words.append(unit)
            before = ""
        else:
            if before:
                pairs.append(before + unit)
            before = unit
    return words + pairs
