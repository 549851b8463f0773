"""Comparison of two sets of pages: two periods of a topic, or two topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from topiccrawl.insight.codebook import Codebook
from topiccrawl.insight.contrast_terms import ContrastTerm, contrast
from topiccrawl.insight.counts import Counts, term_counts
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Mask

#: Sites, kinds and languages listed at most.
_LISTED: Final = 15
#: Terms listed of each set at most (a choice).
_TERMS: Final = 30


@dataclass(frozen=True, slots=True)
class Pair:
    """One figure of both sets."""

    name: str
    first: int
    second: int
    change: float
    """Share by which the second is more than the first, relative to the first: 0.5 is half as many again.
    For parts of a set, shares of the sets are compared.  NaN without anything in the first."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets of pages side by side."""

    totals: tuple[Pair, ...]
    """``pages``, ``stories``, ``copies``, ``sites``, ``authors``."""
    sites: tuple[Pair, ...]
    """Pages of the sites that changed most, in pages beyond what the totals would explain."""
    kinds: tuple[Pair, ...]
    languages: tuple[Pair, ...]
    terms_of_first: tuple[ContrastTerm, ...]
    """Terms that set the first apart."""
    terms_of_second: tuple[ContrastTerm, ...]
    new_sites: tuple[str, ...]
    """Sites with pages in the second set only, those with most first."""
    lost_sites: tuple[str, ...]
    common_stories: int
    """Stories with pages in both sets."""


def compare(first: Overview, first_mask: Mask, second: Overview, second_mask: Mask) -> Comparison:
    """Compare the pages of *first_mask* with those of *second_mask*.

    The overviews may be one (two periods) or those of two topics.
    """
    sites = _shared(first, first_mask, second, second_mask, "site")
    names, one, other = _shared_terms(first, first_mask, second, second_mask)
    pages, others = int(first_mask.sum()), int(second_mask.sum())
    return Comparison(
        totals=_totals(first, first_mask, second, second_mask),
        sites=_most_changed(sites, pages, others),
        kinds=_largest(_shared(first, first_mask, second, second_mask, "kind"), pages, others),
        languages=_largest(
            _shared(first, first_mask, second, second_mask, "language"), pages, others
        ),
        terms_of_first=tuple(contrast(names, one, pages, other, others, _TERMS)),
        terms_of_second=tuple(contrast(names, other, others, one, pages, _TERMS)),
        new_sites=_only(sites, at=1),
        lost_sites=_only(sites, at=0),
        common_stories=_common_stories(first, first_mask, second, second_mask),
    )


def previous(first_day: int, last_day: int) -> tuple[int, int]:
    """Return the period of the same length that ends before this one begins."""
    return first_day - (last_day - first_day + 1), first_day - 1


def _totals(
    first: Overview, first_mask: Mask, second: Overview, second_mask: Mask
) -> tuple[Pair, ...]:
    pairs = []
    for name, one, other in zip(
        ("pages", "stories", "copies", "sites", "authors"),
        _figures(first, first_mask),
        _figures(second, second_mask),
        strict=True,
    ):
        pairs.append(Pair(name, one, other, _change(one, other)))
    return tuple(pairs)


def _figures(overview: Overview, mask: Mask) -> tuple[int, ...]:
    """Return the numbers of pages, stories, copies, sites and authors."""
    columns = overview.columns
    authors = np.unique(columns.author[mask])
    no_author = overview.books.author.code("")
    return (
        int(mask.sum()),
        len(np.unique(columns.story[mask])),
        int((mask & overview.is_copy).sum()),
        len(np.unique(columns.site[mask])),
        int((authors != no_author).sum()),
    )


def _change(one: float, other: float) -> float:
    return (other - one) / one if one else float("nan")


def _shared(
    first: Overview, first_mask: Mask, second: Overview, second_mask: Mask, name: str
) -> dict[str, tuple[int, int]]:
    """Return the pages of both sets by site, kind or language."""
    one, other = _by_name(first, first_mask, name), _by_name(second, second_mask, name)
    return {key: (one.get(key, 0), other.get(key, 0)) for key in sorted(one | other)}


def _by_name(overview: Overview, mask: Mask, name: str) -> dict[str, int]:
    book: Codebook = getattr(overview.books, name)
    counts = book.counts(getattr(overview.columns, name)[mask])
    return {book.names[code]: int(counts[code]) for code in np.flatnonzero(counts)}


def _pair(name: str, one: int, other: int, pages: int, others: int) -> Pair:
    return Pair(name, one, other, _change(one / max(pages, 1), other / max(others, 1)))


def _largest(found: dict[str, tuple[int, int]], pages: int, others: int) -> tuple[Pair, ...]:
    ranked = sorted(found.items(), key=lambda it: (-sum(it[1]), it[0]))[:_LISTED]
    return tuple(_pair(name, one, other, pages, others) for name, (one, other) in ranked)


def _most_changed(found: dict[str, tuple[int, int]], pages: int, others: int) -> tuple[Pair, ...]:
    """Return the sites whose share changed most, by the standardized difference of their shares."""

    def certainty(item: tuple[str, tuple[int, int]]) -> tuple[float, str]:
        name, (one, other) = item
        share = (one + other) / max(pages + others, 1)
        deviation = (share * (1 - share) * (1 / max(pages, 1) + 1 / max(others, 1))) ** 0.5
        difference = abs(other / max(others, 1) - one / max(pages, 1))
        return -difference / max(deviation, 1e-12), name

    ranked = sorted(found.items(), key=certainty)[:_LISTED]
    return tuple(_pair(name, one, other, pages, others) for name, (one, other) in ranked)


def _only(found: dict[str, tuple[int, int]], *, at: int) -> tuple[str, ...]:
    """Return the names with pages in the set *at* (0 or 1) and none in the other."""
    names = [name for name, pair in found.items() if pair[at] and not pair[1 - at]]
    return tuple(sorted(names, key=lambda name: (-found[name][at], name))[:_LISTED])


def _common_stories(first: Overview, one: Mask, second: Overview, other: Mask) -> int:
    codes, others = first.columns.story[one], second.columns.story[other]
    if first.books is second.books:
        return len(np.intersect1d(codes, others))
    found = {second.books.story.code(first.books.story.names[code]) for code in np.unique(codes)}
    return len(found.intersection(np.unique(others).tolist()))


def _shared_terms(
    first: Overview, first_mask: Mask, second: Overview, second_mask: Mask
) -> tuple[list[str], Counts, Counts]:
    """Return the terms of both overviews, and in how many pages of each set they occur."""
    one = term_counts(first, first_mask)
    if first.books is second.books:
        return first.books.term.names, one, term_counts(second, second_mask)
    other = term_counts(second, second_mask)
    book = Codebook(first.books.term.names)
    places = book.encode(second.books.term.names)
    moved = np.zeros(len(book), dtype=np.int64)
    # Terms may have been added to the other book since they were counted.
    moved[places[: len(other)]] = other
    return book.names, np.concatenate((one, np.zeros(len(book) - len(one), dtype=np.int64))), moved
