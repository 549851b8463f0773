"""Titles within a span of days, and an exact search for similar ones whose cost does not grow.

Titles are TF-IDF vectors of length 1 with a fixed table of idf, so that the result for two titles does
not depend on what was indexed between them.  The terms of each vector are ordered by idf, rarest first;
its *prefix* is the shortest beginning behind which the rest is shorter than the threshold.  Two vectors
whose cosine reaches the threshold share a term of both prefixes: let t be the first term, in this order,
that both have.  If t were behind the prefix of one of them, everything that they share would be in that
rest, and the cosine at most its length, which is below the threshold.  So only prefixes are indexed, and
only prefixes are looked up: one to three rare terms of a title (prefix filtering; Bayardo, Ma and
Srikant 2007).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.dedup.titles import THRESHOLD, TitleMatch

#: Days before and after a title in which similar ones are looked for.  A story lives for weeks; of pairs of
#: real headlines at a cosine of .8, those farther apart were mostly forms (a choice).
WINDOW_DAYS: Final = 30

#: Error of a sum of products in double precision, amply: a prefix that is a little too long finds no less.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class TitleVector:
    """A title as a vector of length 1."""

    weights: dict[str, float]
    """Weight of each term, rarest term first; empty for a title without terms."""
    prefix: int
    """Number of terms of which a similar title must share one."""


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
    norm = math.sqrt(sum(w * w for w in raw))
    if norm == 0.0:
        return TitleVector({}, 0)
    weights = [w / norm for w in raw]
    rest, prefix = 0.0, len(weights)
    while prefix and math.sqrt(rest + weights[prefix - 1] ** 2) < threshold - _ROUNDING:
        prefix -= 1
        rest += weights[prefix] ** 2
    return TitleVector(dict(zip(order, weights, strict=True)), prefix)


def cosine(a: TitleVector, b: TitleVector) -> float:
    """Return the cosine of two vectors, in [0, 1]."""
    if len(a.weights) > len(b.weights):
        a, b = b, a
    other = b.weights
    return min(1.0, sum(w * other[t] for t, w in a.weights.items() if t in other))


@dataclass(slots=True)
class _Bucket:
    """The titles of some days."""

    vectors: dict[str, tuple[int, TitleVector]] = field(default_factory=dict)
    postings: dict[str, list[str]] = field(default_factory=dict)


class TitleWindow:
    """Index of titles by day.

    Parameters
    ----------
    idf
        As for :func:`title_vector`.
    threshold
        Least cosine of similar titles, in (0, 1].
    days
        Largest difference of days between similar titles, >= 0.
    """

    def __init__(
        self,
        idf: Callable[[str], float],
        *,
        threshold: float = THRESHOLD,
        days: int = WINDOW_DAYS,
    ) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must be in (0, 1], got {threshold}")
        if days < 0:
            raise ValueError(f"days must be >= 0, got {days}")
        self._idf = idf
        self._threshold = threshold
        self._days = days
        self._span = days + 1
        self._buckets: dict[int, _Bucket] = {}

    def __len__(self) -> int:
        return sum(len(bucket.vectors) for bucket in self._buckets.values())

    def add(self, url: str, terms: Sequence[str], day: int) -> None:
        """Index a title; a URL that is indexed on this day is ignored."""
        bucket = self._buckets.setdefault(day // self._span, _Bucket())
        if url in bucket.vectors:
            return
        vector = title_vector(terms, self._idf, self._threshold)
        bucket.vectors[url] = (day, vector)
        for term in list(vector.weights)[: vector.prefix]:
            bucket.postings.setdefault(term, []).append(url)

    def remove(self, url: str, day: int) -> None:
        """Remove the title of a URL that was added with *day*; one that is not indexed is ignored."""
        bucket = self._buckets.get(day // self._span)
        found = None if bucket is None else bucket.vectors.pop(url, None)
        if bucket is None or found is None:
            return
        for term in list(found[1].weights)[: found[1].prefix]:
            bucket.postings[term].remove(url)

    def similar(self, url: str, terms: Sequence[str], day: int) -> list[TitleMatch]:
        """Return all titles of other URLs in the window that reach the threshold, best first."""
        vector = title_vector(terms, self._idf, self._threshold)
        found = [
            TitleMatch(other, similarity)
            for other, day_of_other, similarity in self._candidates(vector, day)
            if similarity >= self._threshold
            and other != url
            and abs(day_of_other - day) <= self._days
        ]
        return sorted(found, key=lambda match: (-match.similarity, match.url))

    def forget_before(self, day: int) -> None:
        """Drop the titles that no title of *day* or later can be similar to."""
        oldest = (day - self._days) // self._span
        for number in [n for n in self._buckets if n < oldest]:
            del self._buckets[number]

    def _candidates(self, vector: TitleVector, day: int) -> Iterator[tuple[str, int, float]]:
        prefix = list(vector.weights)[: vector.prefix]
        here = day // self._span
        for bucket in map(self._buckets.get, (here - 1, here, here + 1)):
            if bucket is not None:
                urls = {url for term in prefix for url in bucket.postings.get(term, ())}
                for url in urls:
                    other_day, other = bucket.vectors[url]
                    yield url, other_day, cosine(vector, other)
