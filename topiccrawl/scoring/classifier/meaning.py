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
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray

#: Both factors of s.  Of 0, .2, .3 and .4 these are best, or equal, on each of an encyclopedia in English, manuals and
#: generated portals in Chinese, with the second term for a bare word only; see docs/classifier.md (2026-11).
FACTOR: Final = 0.3
#: Bounds of s in the first term (a guess).
_MOST: Final = 2.0
#: Most words that are compared: 25 ms (a choice).
MOST_WORDS: Final = 16
#: Pages from which the model is loaded: half of those with which learning starts (a choice).
_SOON: Final = 25
#: Texts in a cooperative step: 1.1 to 2.8 ms each (2026-11).
_TEXTS: Final = 8
#: Pages in a cooperative step of the comparison.
_PIECE: Final = 500
_LEAST: Final = 1e-9


class Encoder(Protocol):
    """Turns texts into vectors."""

    def prepare(self) -> None:
        """Start to get ready, without waiting."""

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of norm 1 of n texts, shape (n, d)."""


@dataclass(frozen=True, slots=True)
class TopicMeaning:
    """The words of a topic, and the model that compares them with pages."""

    encode: Encoder
    words: Sequence[str]
    """At least one."""


class PageMeanings:
    """Vectors of pages: 1 KB each."""

    def __init__(self, topic: TopicMeaning) -> None:
        self._encode = topic.encode
        self._texts = list(topic.words[:MOST_WORDS])
        self._words: NDArray[np.float32] | None = None
        self._new: dict[int, str] = {}
        self._vectors: dict[int, NDArray[np.float16]] = {}

    def add(self, page: int, lead: str) -> None:
        """Take title and first words of a page; they are encoded with the next comparison."""
        self._vectors.pop(page, None)
        if lead:
            self._new[page] = lead
        if len(self._new) == _SOON:
            self._encode.prepare()

    def forget(self, page: int) -> None:
        """Give up a page."""
        self._new.pop(page, None)
        self._vectors.pop(page, None)

    def similarity(self, pages: Sequence[int]) -> Generator[None, None, FloatArray]:
        """Return s of *pages*, shape (n,), in cooperative steps; 0 for a page without any text."""
        if self._words is None:
            self._words = self._encode(self._texts)
            yield
        new = sorted(page for page in pages if page in self._new)
        for first in range(0, len(new), _TEXTS):
            piece = new[first : first + _TEXTS]
            vectors = self._encode([self._new[page] for page in piece])
            self._vectors.update(zip(piece, vectors.astype(np.float16), strict=True))
            for page in piece:
                del self._new[page]
            yield
        known = np.array([page in self._vectors for page in pages], dtype=np.bool_)
        found = [self._vectors[page] for page in pages if page in self._vectors]
        similarity = np.zeros(len(pages))
        if found:
            similarity[known] = yield from _compared(found, self._words)
        return similarity

    def with_meaning(self, own: FloatArray, similarity: FloatArray) -> FloatArray:
        """Return e_s of pages with evidence *own* and *similarity* s; shapes (n,)."""
        scaled = own * np.exp(FACTOR * np.clip(similarity, -_MOST, _MOST))
        return np.asarray(scaled + FACTOR / len(self._texts) * np.maximum(similarity, 0.0))


def _compared(
    vectors: list[NDArray[np.float16]], words: NDArray[np.float32]
) -> Generator[None, None, FloatArray]:
    """Return s of pages with these *vectors*."""
    total = np.zeros(words.shape[1])
    for first in range(0, len(vectors), _PIECE):
        total += np.sum(vectors[first : first + _PIECE], axis=0, dtype=np.float64)
        yield
    mean = (total / len(vectors)).astype(np.float32)
    topic = _unit(words - mean).mean(axis=0)
    cosines = []
    for first in range(0, len(vectors), _PIECE):
        piece = np.array(vectors[first : first + _PIECE], dtype=np.float32)
        cosines.append(np.einsum("ij,j->i", _unit(piece - mean), topic))
        yield
    cosine = np.concatenate(cosines).astype(np.float64)
    return np.asarray((cosine - cosine.mean()) / max(float(cosine.std()), _LEAST))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    norm = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.maximum(norm, _LEAST)[:, None], dtype=np.float32)
