"""What speaks for and against one text being a copy of another, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from topiccrawl.dedup.prepared import PreparedPage


@dataclass(frozen=True, slots=True)
class Evidence:
    """The comparison of two pages; exchanging the pages exchanges *first* and *second*."""

    of_first: float
    """Share of the first text that is in the second, in [0, 1]: its containment."""
    of_second: float
    jaccard: float
    rare_of_first: float
    """The same as ``of_first``, shingles weighted by how few other texts have them."""
    rare_of_second: float
    title: float
    """Similarity of the titles, in [0, 1]: Dice coefficient of their terms; 1 for equal titles."""
    identifiers_differ: bool
    """Whether the titles have different numbers."""
    own: float
    """Share of the terms that only one of the titles has which are in its own text and not in the
    other one, in [0, 1]: the name of another thing."""
    common: float
    """Share of those terms that are in both texts, in [0, 1]: another title for one text."""
    replaced: int
    """How often a word occurs for which the other text has another one, in both texts."""
    numbers: float
    """Numbers that the texts share, of all their numbers, in [0, 1]; 1 without numbers."""
    number_count: int
    """Numbers of the text with more of them."""


def compare(
    a: PreparedPage, b: PreparedPage, others: Mapping[int, int] | None = None
) -> Evidence:
    """Return the evidence of two pages; *others* as for :func:`topiccrawl.dedup.relation.relate`."""
    both = np.intersect1d(a.shingles, b.shingles, assume_unique=True)
    of_first = len(both) / a.size if a.size else 0.0
    of_second = len(both) / b.size if b.size else 0.0
    rare = _rare(a, b, others or {})
    only = [(a, b, t) for t in a.title_terms - b.title_terms]
    only += [(b, a, t) for t in b.title_terms - a.title_terms]
    inside = [(t in own.text, t in other.text) for own, other, t in only]
    numbers = max(a.numbers.total(), b.numbers.total())
    return Evidence(
        of_first=of_first,
        of_second=of_second,
        jaccard=len(both) / max(1, a.size + b.size - len(both)),
        rare_of_first=of_first if rare is None else rare[0],
        rare_of_second=of_second if rare is None else rare[1],
        title=_title(a, b),
        identifiers_differ=a.title_identifiers != b.title_identifiers,
        own=inside.count((True, False)) / max(1, len(inside)),
        common=inside.count((True, True)) / max(1, len(inside)),
        replaced=min(_most_missing(a.counts, b.counts), _most_missing(b.counts, a.counts)),
        numbers=(a.numbers & b.numbers).total() / numbers if numbers else 1.0,
        number_count=numbers,
    )


def _title(a: PreparedPage, b: PreparedPage) -> float:
    if a.title == b.title:
        return 1.0 if a.title else 0.0
    terms = len(a.title_terms) + len(b.title_terms)
    return 2 * len(a.title_terms & b.title_terms) / terms if terms else 0.0


def _most_missing(counts: Counter[str], others: Counter[str]) -> int:
    """Return how often the most frequent unit occurs that the other text lacks."""
    return max((n for unit, n in counts.items() if unit not in others), default=0)


def _rare(
    a: PreparedPage, b: PreparedPage, others: Mapping[int, int]
) -> tuple[float, float] | None:
    """Return the weighted shares, ``w = 1 / (1 + others)``; None if too few shingles are known."""
    known = [{h: others[h] for h in page.shingles.tolist() if h in others} for page in (a, b)]
    first, second = ({h: 1 / (1 + n) for h, n in page.items()} for page in known)
    if min(len(first), len(second)) < LEAST_SAMPLE:
        return None
    both = sum(first[h] for h in sorted(first.keys() & second.keys()))
    return both / sum(first.values()), both / sum(second.values())


#: Fewer sampled shingles say nothing (a choice).
LEAST_SAMPLE = 8
