"""Terms that set one set of pages apart from another: those of a period, a site, a topic.

Weighted log-odds with an informative prior (Monroe, Colaresi and Quinn 2008, equations 15 to 22), as in
:mod:`topiccrawl.vocabulary.contrast`, with pages in the place of occurrences.  A term that is frequent in
both sets is not listed, however frequent it is; nor is one that differs by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.counts import Counts, term_counts, term_rows
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Mask
from topiccrawl.insight.sources import Origins, Sources
from topiccrawl.scoring.arrays import FloatArray

#: Pages that the prior is worth, as in ``vocabulary.contrast``.
_PRIOR_PAGES: Final = 50.0

#: Terms with a smaller z are not listed: 0.1 % of a normal distribution are larger by chance.
LEAST_Z: Final = 3.09

#: A term is left out beside one that contains it, or that it contains, and that occurs in nearly as many
#: pages (a guess).
_SAME_SHARE: Final = 0.8

#: Candidates looked at for each term listed.
_CANDIDATES: Final = 4


@dataclass(frozen=True, slots=True)
class ContrastTerm:
    """A term, and how much more often the first set has it."""

    term: str
    inside: int
    """Pages of the first set that have it."""
    outside: int
    """Pages of the second set that have it."""
    ratio: float
    """Its share in the first set by that in the second; infinite when the second set has none."""
    z: float
    """Certainty of the difference, in standard deviations."""
    sources: Sources | None = None
    """Of the pages of the first set that have it; ``None`` where they were not looked up."""


def contrast_terms(
    overview: Overview, inside: Mask, outside: Mask, most: int = 40
) -> list[ContrastTerm]:
    """Return the terms that pages of *inside* have more often than pages of *outside*, best first."""
    return contrast(
        overview.books.term.names,
        term_counts(overview, inside),
        int(inside.sum()),
        term_counts(overview, outside),
        int(outside.sum()),
        most,
    )


def sourced_terms(overview: Overview, inside: Mask, outside: Mask, most: int) -> list[ContrastTerm]:
    """Return :func:`contrast_terms` with their sources, best first, one-sided ones last."""
    found = contrast_terms(overview, inside, outside, _CANDIDATES * most)
    codes = np.array([overview.books.term.code(it.term) for it in found], dtype=np.int64)
    origins = Origins(overview, inside)
    scale = float(inside.sum() / max(outside.sum(), 1))
    sourced = [
        replace(it, sources=origins.of(rows, scale * it.outside))
        for it, rows in zip(found, term_rows(overview, inside, codes), strict=True)
    ]
    one_sided = [it for it in sourced if it.sources is not None and it.sources.one_sided]
    others = [it for it in sourced if it not in one_sided]
    return [*others, *one_sided][:most]


def contrast(
    names: Sequence[str], inside: Counts, pages: int, outside: Counts, others: int, most: int = 40
) -> list[ContrastTerm]:
    """Return the terms that set *pages* pages apart from *others*.

    Parameters
    ----------
    names
        Terms.
    inside, outside : arrays of shape (len(names),)
        In how many pages of each set each term occurs.
    pages, others
        Numbers of pages of the sets.
    most
        Most terms returned.
    """
    if not pages or not others:
        return []
    # Terms may have been added to the book between the two counts.
    known = min(len(inside), len(outside))
    inside, outside = inside[:known], outside[:known]
    _delta, z = term_log_odds(inside, pages, outside, others)
    candidates = np.flatnonzero(z >= LEAST_Z)
    candidates = candidates[np.argsort(-z[candidates], kind="stable")]
    found: list[ContrastTerm] = []
    for code in candidates[: most * _CANDIDATES].tolist():
        share, other = inside[code] / pages, outside[code] / others
        term = ContrastTerm(
            names[code],
            int(inside[code]),
            int(outside[code]),
            float(share / other) if other else float("inf"),
            float(z[code]),
        )
        if not any(_is_same(term, listed) for listed in found):
            found.append(term)
        if len(found) == most:
            break
    return found


def term_log_odds(
    inside: NDArray[np.int64], pages: int, outside: NDArray[np.int64], others: int
) -> tuple[FloatArray, FloatArray]:
    """Return δ and z of each term.

    δ = ln (y+α)/(n+a-y-α) - ln (y'+α)/(n'+a-y'-α) and z = δ / sqrt(1/(y+α) + 1/(y'+α)), with y of n
    pages inside, y' of n' outside, and the prior α = a · (y + y') / (n + n') with a = 50.
    """
    prior = _PRIOR_PAGES * np.maximum(inside + outside, 0.5) / (pages + others)
    first, second = inside + prior, outside + prior
    rest = np.maximum(pages + _PRIOR_PAGES - first, 0.5)
    other_rest = np.maximum(others + _PRIOR_PAGES - second, 0.5)
    delta = np.log(first / rest) - np.log(second / other_rest)
    return delta, delta / np.sqrt(1.0 / first + 1.0 / second)


def _is_same(term: ContrastTerm, other: ContrastTerm) -> bool:
    """Return whether one of two terms is part of the other and both occur in nearly the same pages."""
    if term.term not in other.term and other.term not in term.term:
        return False
    few, many = sorted((term.inside, other.inside))
    return few >= _SAME_SHARE * many
