"""Titles as TF-IDF vectors with a fixed table of idf, and the terms of which similar titles share one.

With a fixed table the similarity of two titles does not depend on what was collected between them, and
any two workers agree on it.  The terms of each vector are ordered by idf, rarest first; its *prefix* is
the shortest beginning behind which the rest is shorter than the threshold.  Two vectors whose cosine
reaches the threshold share a term of both prefixes: let t be the first term, in this order, that both
have.  If t were behind the prefix of one of them, everything that they share would be in that rest, and
the cosine at most its length, which is below the threshold.  So only prefixes are indexed, and only
prefixes are looked up: one to four rare terms of a title (prefix filtering; Bayardo, Ma and Srikant
2007).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from topiccrawl.dedup.titles import MIN_TERMS, THRESHOLD
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable

#: Error of a sum of products in double precision, amply: a prefix that is a little too long finds no less.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class TitleVector:
    """A title as a vector of length 1."""

    weights: dict[str, float]
    """Weight of each term, rarest term first; empty for a title that names no page."""
    prefix: tuple[str, ...]
    """Terms of which a similar title has one in its own prefix."""


#: Of a title that is similar to no other.
NO_TITLE: Final = TitleVector({}, ())


def title_vector(
    terms: Iterable[str], idf: Callable[[str], float], threshold: float = THRESHOLD
) -> TitleVector:
    """Return the vector of a title: ``w(t) = tf(t) · idf(t) / |w|``.

    Parameters
    ----------
    terms
        Terms of the title, with repetitions.
    idf
        Inverse document frequency of a term, > 0, always the same.
    threshold
        Cosine for which the prefix is cut, in (0, 1].
    """
    counts = Counter(terms)
    order = sorted(counts, key=lambda t: (-idf(t), t))
    raw = [counts[t] * idf(t) for t in order]
    norm = math.sqrt(math.fsum(w * w for w in raw))
    if norm == 0.0:
        return NO_TITLE
    weights = [w / norm for w in raw]
    rest, prefix = 0.0, len(weights)
    while prefix and math.sqrt(rest + weights[prefix - 1] ** 2) < threshold - _ROUNDING:
        prefix -= 1
        rest += weights[prefix] ** 2
    return TitleVector(dict(zip(order, weights, strict=True)), tuple(order[:prefix]))


def cosine(a: TitleVector, b: TitleVector) -> float:
    """Return the cosine of two vectors, in [0, 1]; the same in both directions, to the last bit."""
    if len(a.weights) > len(b.weights):
        a, b = b, a
    other = b.weights
    return min(1.0, math.fsum(w * other[t] for t, w in a.weights.items() if t in other))


class TitleVectors:
    """Vectors of titles, with the segmentation and the idf of general language.

    The words of a topic make no difference: they change, and the tokens of stored pages must not.
    """

    def __init__(self) -> None:
        self._analyzer = TextAnalyzer()
        self._idf = IdfTable().idf

    def vector(self, title: str) -> TitleVector:
        """Return the vector of a title without the name of its site.

        Titles with fewer than :data:`~topiccrawl.dedup.titles.MIN_TERMS` different terms ("通知",
        "2020年1月1日") name sorts of pages, not pages: :data:`NO_TITLE`.
        """
        terms = self._analyzer.terms(title)
        return title_vector(terms, self._idf) if len(set(terms)) >= MIN_TERMS else NO_TITLE
