"""Word vectors that are learned from the texts of a collection."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.scoring.arrays import FloatArray

#: Terms from which vectors are learned, at most: some 10 seconds on one core (a choice).
_MOST_TERMS: Final = 1_000_000
#: Fewer give no useful vectors (a guess).
_LEAST_TERMS: Final = 5_000
#: Dimensions, window, least count and passes (gensim's usual values, smaller for small collections).
_PARAMETERS: Final = {"vector_size": 64, "window": 5, "min_count": 3, "epochs": 10}


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of norm 1 by term."""

    by_term: Mapping[str, FloatArray] = field(default_factory=dict)

    def matrix(self, terms: Sequence[str]) -> FloatArray:
        """Return the vectors of *terms*, zero for those without one, shape (n, dimensions)."""
        size = len(next(iter(self.by_term.values()), np.zeros(1)))
        none = np.zeros(size)
        return np.array([self.by_term.get(term, none) for term in terms]).reshape(-1, size)

    def similarity(self, terms: Sequence[str], to: Sequence[str]) -> FloatArray:
        """Return the cosine of each of *terms* with the mean of the vectors of *to*; 0 if unknown."""
        mean = self.matrix(to).sum(axis=0)
        norm = float(np.linalg.norm(mean))
        return np.asarray(self.matrix(terms) @ mean / norm if norm else np.zeros(len(terms)))


def learn_vectors(lines: Sequence[Sequence[str]]) -> WordVectors:
    """Return word vectors (skip-gram, Mikolov et al. 2013) of *lines* of terms; deterministic.

    None if gensim is not installed, or the texts are too small.
    """
    total = 0
    used = 0
    for used, line in enumerate(lines, 1):  # noqa: B007
        total += len(line)
        if total >= _MOST_TERMS:
            break
    if total < _LEAST_TERMS:
        return WordVectors()
    try:
        from gensim.models import Word2Vec  # optional and heavy
    except ImportError:
        return WordVectors()
    model = Word2Vec(
        [list(line) for line in islice(lines, used)],
        sg=1, workers=1, seed=1, hashfxn=lambda word: crc32(str(word).encode()), **_PARAMETERS,
    )  # fmt: skip
    vectors = model.wv
    normed = vectors.get_normed_vectors().astype(np.float64)
    return WordVectors(dict(zip(vectors.index_to_key, normed, strict=True)))
