"""Near-duplicate titles by TF-IDF cosine over a growing index, and exact duplicates of bodies.

The method of [doc001]: ``w(t) = tf(t) · ln(N / df(t))``, cosine, duplicates above 0.8. Titles are
compared without the names of sites at their end (on raw titles the true pair of [doc001] itself reaches
only about 0.47). Candidates come from an inverted index on the rarest terms of each title, so the cost
of a title does not grow with the index.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from topiccrawl.dedup.numbers import title_numbers

#: Similarity from which two titles are duplicates [doc001].
THRESHOLD = 0.8
#: Candidates share one of this many rarest terms of a title (a choice for speed: no comparison of all
#: pairs).
INDEXED_TERMS = 3
#: Titles with fewer terms ("通知", "首页") name sorts of pages, not pages (a guess).
MIN_TERMS = 3
#: Weight of the background document frequencies, in titles. Without them the first titles of a crawl
#: would all have idf 0 and could never be duplicates ([doc001], table 1, N = 2). A guess: small relative
#: to the thousands of titles of a crawl, large relative to its first ten.
BACKGROUND_TITLES = 200


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """The indexed title most similar to a new one."""

    url: str
    """URL of the page with the indexed title."""
    similarity: float
    """Cosine, in [threshold, 1]."""


@dataclass(slots=True)
class _Entry:
    url: str
    counts: Counter[str]
    numbers: frozenset[str]


class TitleIndex:
    """Index of the titles seen so far. Deterministic; memory grows with the number of titles only.

    Two titles whose numbers differ (第1期, 第2期), however they are written, are never duplicates, whatever their
    similarity.

    Parameters
    ----------
    terms : callable
        Splits a title into terms.
    background_idf : callable, optional
        Returns the idf of a term in general language, >= 0.
    threshold : float
        Similarity from which two titles are duplicates, in (0, 1].

    Raises
    ------
    ValueError
        If the threshold is out of range.

    References
    ----------
    [doc001], removal of duplicates by title.
    """

    def __init__(
        self,
        terms: Callable[[str], Sequence[str]],
        background_idf: Callable[[str], float] | None = None,
        *,
        threshold: float = THRESHOLD,
    ) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must be in (0, 1], got {threshold}")
        self._terms = terms
        self._background = background_idf
        self._threshold = threshold
        self._entries: list[_Entry] = []
        self._by_url: dict[str, int] = {}
        self._df: Counter[str] = Counter()
        self._postings: defaultdict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._by_url)

    def idf(self, term: str, new: Counter[str] | None = None) -> float:
        """Return the inverse document frequency of a term among the titles.

        ``idf(t) = ln((N + B) / (df(t) + B · e^(-idf_bg(t))))``, at least 0, where N is the number of
        titles, B is :data:`BACKGROUND_TITLES` and ``idf_bg`` the background idf. With B = 0 it is
        ``ln(N / df)`` of [doc001].

        Parameters
        ----------
        term : str
            A term of a title.
        new : Counter, optional
            Terms of a title that is being compared. It counts in N and in the df of its terms, as in
            the batch of [doc001].
        """
        n, df = float(len(self._by_url)), float(self._df[term])
        if new is not None:
            n, df = n + 1, df + (term in new)
        if self._background is not None:
            n += BACKGROUND_TITLES
            df += BACKGROUND_TITLES * math.exp(-self._background(term))
        return max(0.0, math.log(n / df)) if n > 0 and df > 0 else 0.0

    def similarity(self, a: str, b: str) -> float:
        """Return the TF-IDF cosine of two titles under the current index, in [0, 1]."""
        return self._cosine(Counter(self._terms(a)), Counter(self._terms(b)))

    def find(self, url: str, title: str) -> TitleMatch | None:
        """Return the most similar title of another URL, None if none reaches the threshold.

        Parameters
        ----------
        url : str
            URL of the page.
        title : str
            Its title without site names; with fewer than :data:`MIN_TERMS` terms it has no duplicates.
        """
        counts = Counter(self._terms(title))
        if len(counts) < MIN_TERMS:
            return None
        numbers = title_numbers(title).all
        candidates = {i for term in self._rarest(counts) for i in self._postings.get(term, ())}
        best: TitleMatch | None = None
        for i in sorted(candidates):
            entry = self._entries[i]
            if entry.url == url or entry.numbers != numbers:
                continue
            similarity = (
                1.0 if entry.counts == counts else self._cosine(counts, entry.counts, counts)
            )
            if similarity >= self._threshold and (best is None or similarity > best.similarity):
                best = TitleMatch(entry.url, similarity)
        return best

    def add(self, url: str, title: str) -> None:
        """Add a title; a URL that is already indexed is ignored."""
        if url in self._by_url:
            return
        counts = Counter(self._terms(title))
        position = len(self._entries)
        self._by_url[url] = position
        self._entries.append(_Entry(url, counts, title_numbers(title).all))
        self._df.update(counts.keys())
        # All terms are indexed, as the rarest ones change while the index grows.
        for term in counts:
            self._postings[term].append(position)

    def remove(self, url: str) -> None:
        """Remove the title of a URL; one that is not indexed is ignored."""
        position = self._by_url.pop(url, None)
        if position is None:
            return
        terms = self._entries[position].counts.keys()
        self._df.subtract(terms)
        for term in terms:
            self._postings[term].remove(position)

    def _rarest(self, counts: Counter[str]) -> list[str]:
        known = [t for t in counts if self._df[t]]
        return sorted(known, key=lambda t: (self._df[t], t))[:INDEXED_TERMS]

    def _cosine(self, a: Counter[str], b: Counter[str], new: Counter[str] | None = None) -> float:
        idf = {t: self.idf(t, new) for t in a.keys() | b.keys()}
        dot = sum(a[t] * b[t] * idf[t] ** 2 for t in sorted(a.keys() & b.keys()))
        if dot == 0.0:
            return 0.0
        norm_a = math.sqrt(sum((n * idf[t]) ** 2 for t, n in sorted(a.items())))
        norm_b = math.sqrt(sum((n * idf[t]) ** 2 for t, n in sorted(b.items())))
        return min(1.0, dot / (norm_a * norm_b))


class BodyIndex:
    """Index of bodies by hash, for exact duplicates."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._hashes: dict[str, str] = {}

    def first(self, url: str, content_hash: str) -> str | None:
        """Return the URL that had this body before, else add the body and return None.

        Parameters
        ----------
        url : str
            URL of the page.
        content_hash : str
            Result of :func:`content_hash`.
        """
        known = self._first.setdefault(content_hash, url)
        if known != url:
            return known
        self._hashes[url] = content_hash
        return None

    def remove(self, url: str) -> None:
        """Remove the body of a URL; one that is not indexed is ignored."""
        content_hash = self._hashes.pop(url, None)
        if content_hash is not None and self._first.get(content_hash) == url:
            del self._first[content_hash]


def content_hash(body: str) -> str:
    """Return the BLAKE2b hash of a body without white space: 128 bits, as hexadecimal digits."""
    return hashlib.blake2b(
        "".join(body.split()).encode("utf-8", "replace"), digest_size=16
    ).hexdigest()
