"""Titles as TF-IDF vectors with a fixed table of idf, and the terms of which similar titles share some.

With a fixed table the similarity of two titles does not depend on what was collected between them, and
any two workers agree on it.

Similar titles are found by pairs of terms.  Let a and b be vectors of length 1 whose cosine is at least
t, with their terms in one order, rarest first.  If they share one term s only, then a_s · b_s >= t, and
thus a_s >= t.  Otherwise let i and j be the first two terms that they share.  What they share is a_i · b_i
and, at most, the product of what both have from j on; with Cauchy and Schwarz, and because b has the length
1, t² <= a_i² + a_j² + a_(j+1)² + ...  Both conditions look at one vector alone.  So each title is indexed
under the terms and the pairs of terms that meet them, and any two similar titles have one in common.  This
is prefix filtering [Bayardo 2007] for two terms: of the titles of a crawl about one topic, many have the
same rare term, few the same two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from topiccrawl.dedup.titles import MIN_TERMS, THRESHOLD
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable

#: Error of a sum of products in double precision, amply: a key too many finds no less.
_ROUNDING: Final = 1e-9

#: Terms of a title, from its beginning, that are compared: headlines have 5 to 15, and the number of pairs
#: grows with the square (a choice).
_MOST_TERMS: Final = 32


@dataclass(frozen=True, slots=True)
class TitleVector:
    """A title as a vector of length 1."""

    weights: dict[str, float]
    """Weight of each term, rarest term first; empty for a title that names no page."""
    keys: tuple[tuple[str, ...], ...]
    """Terms and pairs of terms; a similar title has one of them among its own."""


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
        Cosine from which titles must be found, in (0, 1].
    """
    counts = Counter(terms)
    table = {t: idf(t) for t in counts}
    order = sorted(table, key=lambda t: (-table[t], t))
    raw = [counts[t] * table[t] for t in order]
    norm = math.sqrt(math.fsum(w * w for w in raw))
    if norm == 0.0:
        return NO_TITLE
    weights = [w / norm for w in raw]
    return TitleVector(
        dict(zip(order, weights, strict=True)), tuple(_keys(order, weights, threshold))
    )


def _keys(
    order: Sequence[str], weights: Sequence[float], threshold: float
) -> Iterator[tuple[str, ...]]:
    squares = [w * w for w in weights]
    rests = list(accumulate(reversed(squares)))[::-1]  # of each term and all after it
    least = (threshold - _ROUNDING) ** 2
    for i, first in enumerate(order):
        if squares[i] >= least:
            yield (first,)
        for j in range(i + 1, len(order)):
            if squares[i] + rests[j] < least:
                break
            yield first, order[j]


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
        terms = self._analyzer.terms(title)[:_MOST_TERMS]
        return title_vector(terms, self._idf) if len(set(terms)) >= MIN_TERMS else NO_TITLE
