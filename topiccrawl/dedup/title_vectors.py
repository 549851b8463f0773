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
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Final, TypeAlias

from topiccrawl.dedup.titles import MIN_TERMS, THRESHOLD
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable

#: Error of a sum of products in double precision, amply: a key too many finds no less.
_ROUNDING: Final = 1e-9

#: Terms of a title, from its beginning, that are compared: headlines have 5 to 15, and the number of pairs
#: grows with the square (a choice).
_MOST_TERMS: Final = 32


#: A title as a vector of length 1: the weight of each term, rarest term first; empty for a title that names
#: no page.
TitleVector: TypeAlias = Mapping[str, float]


def title_vector(terms: Iterable[str], idf: Callable[[str], float]) -> TitleVector:
    """Return the vector of a title: ``w(t) = tf(t) · idf(t) / |w|``.

    Parameters
    ----------
    terms
        Terms of the title, with repetitions.
    idf
        Inverse document frequency of a term, > 0, always the same.
    """
    ordered = sorted([(-idf(t), t, n) for t, n in Counter(terms).items()])
    norm = math.sqrt(math.fsum([(n * weight) ** 2 for weight, _, n in ordered]))
    return {t: -n * weight / norm for weight, t, n in ordered}


def title_keys(title: TitleVector) -> list[str]:
    """Return terms and pairs of terms; a similar title has one of them among its own."""
    terms = list(title)
    squares = [weight * weight for weight in title.values()]
    rests = list(accumulate(reversed(squares)))[::-1]  # of each term and all after it
    least = (THRESHOLD - _ROUNDING) ** 2
    keys = []
    for i, first in enumerate(terms):
        if rests[i] < least:
            break  # as for all after it
        if squares[i] >= least:
            keys.append(first)
        for j in range(i + 1, len(terms)):
            if squares[i] + rests[j] < least:
                break
            keys.append(f"{first} {terms[j]}")
    return keys


def cosine(a: TitleVector, b: TitleVector) -> float:
    """Return the cosine of two vectors, in [0, 1]; the same in both directions, to the last bit."""
    # The sum is exact, so that the order of the terms makes no difference.
    return min(1.0, math.fsum([weight * b[t] for t, weight in a.items() if t in b]))


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
        "2020年1月1日") name sorts of pages, not pages: their vectors are empty.
        """
        terms = self._analyzer.terms(title)[:_MOST_TERMS]
        return title_vector(terms, self._idf) if len(set(terms)) >= MIN_TERMS else {}
