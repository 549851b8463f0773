"""What pages mean, compared with the words of the topic: pages on weasels for the topic "mammals".

::

    v(p) = vector of the title and the first words of p, minus the mean of all pages
    c(p) = mean of cos(v(p), t - mean) over the vectors t of the topic's k words
    s(p) = (c(p) - mean of c) / standard deviation of c
    e_s(p) = e(p)·exp(.3·s(p)) + .3·max(s(p), 0)/k        with -2 <= s <= 2 in the first term

The mean of the crawl is subtracted because all its pages have much in common.  e_s chooses the positives
and nothing else: as a feature of the model, s lost much on manuals.  The second term lets pages in that have
none of the words; the more words the user gave, the less it is needed, and the more it brings in what is
merely related.

Vectors are what all this costs.  So s is only computed for the pages that a large s can make positives; of
the others a fifth, at most 150, chosen by the ids of the pages, is encoded too, and stands for all of them in
the means and the standard deviation.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import BoolArray, FloatArray
from topiccrawl.scoring.meaning import MOST_WORDS, TopicMeaning, encoded_steps, spread, unit

#: Both factors of s.  Of 0, .2, .3 and .4 these are best, or equal, on each of an encyclopedia in English, manuals and
#: generated portals in Chinese, with the second term for a bare word only; see docs/laboratory/judge.md (2026-11).
FACTOR: Final = 0.3
#: Bounds of s in the first term (a guess).
_MOST: Final = 2.0
#: Largest s that is expected: one normal value in 740 is larger.
_HIGHEST: Final = 3.0
#: Pages from which the model is loaded: half of those with which learning starts (a choice).
_SOON: Final = 25
#: One in so many of the pages that cannot become positives is encoded, and the fewest and the most of them: they only
#: stand for the others in means, and with more F1 is the same; see docs/laboratory/judge.md (2026-11).
_ONE_IN: Final = 5
_LEAST_SAMPLE, _MOST_SAMPLE = 50, 150
#: Pages in a cooperative step of the comparison.
_PIECE: Final = 500
_LEAST: Final = 1e-9


class PageMeanings:
    """Vectors of pages: up to 1.5 KB each."""

    def __init__(self, topic: TopicMeaning) -> None:
        self._encode = topic.encode
        self._words = list(topic.words[:MOST_WORDS])
        self._leads: dict[int, str] = {}
        # Of texts, which several pages may share.
        self._vectors: dict[str, NDArray[np.float16]] = {}

    def add(self, page: int, lead: str) -> None:
        """Take title and first words of a page; they are encoded with a comparison that needs them."""
        self._leads.pop(page, None)
        if lead:
            self._leads[page] = lead
        if len(self._leads) == _SOON:
            self._encode.prepare()

    def forget(self, page: int) -> None:
        """Give up a page."""
        self._leads.pop(page, None)

    def highest(self, own: FloatArray) -> FloatArray:
        """Return the largest e_s that pages with evidence *own* may have; shapes (n,)."""
        return self.with_meaning(own, np.full(len(own), _HIGHEST))

    def similarity(
        self, pages: Sequence[int], near: BoolArray
    ) -> Generator[None, None, FloatArray]:
        """Return s, in cooperative steps.

        Parameters
        ----------
        pages
            Ids of all n pages.
        near
            Whose s is needed, shape (n,).

        Returns
        -------
        array
            s of the pages that are *near* and have a text, NaN for all others, shape (n,).
        """
        similarity = np.full(len(pages), np.nan)
        known = np.array([page in self._leads for page in pages], dtype=np.bool_)
        weight = _weights(np.array(pages, dtype=np.int64), near, known)
        chosen = np.flatnonzero(weight)
        texts = [self._leads[pages[i]] for i in chosen.tolist()]
        if not texts or not (yield from self._encoded([*self._words, *texts])):
            return similarity
        words = np.array([self._vectors[word] for word in self._words], dtype=np.float32)
        s = yield from _compared([self._vectors[text] for text in texts], weight[chosen], words)
        similarity[chosen] = s
        similarity[~near] = np.nan
        return similarity

    def with_meaning(self, own: FloatArray, similarity: FloatArray) -> FloatArray:
        """Return e_s of pages with evidence *own* and *similarity* s, NaN as 0; shapes (n,)."""
        s = np.nan_to_num(similarity)
        scaled = own * np.exp(FACTOR * np.clip(s, -_MOST, _MOST))
        return np.asarray(scaled + FACTOR / len(self._words) * np.maximum(s, 0.0))

    def _encoded(self, texts: Sequence[str]) -> Generator[None, None, bool]:
        """Have the vectors of *texts*; return whether that was possible."""
        if len(self._vectors) > len(self._leads) + len(self._words):
            used = {*self._leads.values(), *self._words}
            self._vectors = {text: it for text, it in self._vectors.items() if text in used}
        new = sorted({text for text in texts if text not in self._vectors})
        if new:
            vectors = yield from encoded_steps(self._encode, new)
            if vectors is None:
                return False
            self._vectors.update(zip(new, vectors.astype(np.float16), strict=True))
        return True


def _weights(ids: NDArray[np.int64], near: BoolArray, known: BoolArray) -> FloatArray:
    """Return how many pages each page stands for, 0 for those that are not encoded; shapes (n,)."""
    weight = (near & known).astype(np.float64)
    far = np.flatnonzero(~near & known)
    if len(far):
        size = min(len(far), max(_LEAST_SAMPLE, min(len(far) // _ONE_IN, _MOST_SAMPLE)))
        weight[far[np.argsort(spread(ids[far]), kind="stable")[:size]]] = len(far) / size
    return weight


def _compared(
    vectors: list[NDArray[np.float16]], weight: FloatArray, words: NDArray[np.float32]
) -> Generator[None, None, FloatArray]:
    """Return s of pages with these *vectors*, each of which stands for *weight* pages."""
    total = np.zeros(words.shape[1])
    for first in range(0, len(vectors), _PIECE):
        piece = slice(first, first + _PIECE)
        total += weight[piece] @ np.array(vectors[piece], dtype=np.float64)
        yield
    mean = (total / weight.sum()).astype(np.float32)
    topic = unit(words - mean).mean(axis=0)
    cosines = []
    for first in range(0, len(vectors), _PIECE):
        rows = np.array(vectors[first : first + _PIECE], dtype=np.float32)
        cosines.append(np.einsum("ij,j->i", unit(rows - mean), topic))
        yield
    cosine = np.concatenate(cosines).astype(np.float64)
    cosine -= np.average(cosine, weights=weight)
    deviation = float(np.sqrt(np.average(cosine**2, weights=weight)))
    return np.asarray(cosine / max(deviation, _LEAST))
