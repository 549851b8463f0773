"""Word vectors: from a file, or learned from the samples of a topic that has enough of them.

gensim is only imported where somebody wants vectors: it takes more than a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topiccrawl.errors import ConfigurationError, needs_extra

SETTING = "TOPICCRAWL_SEMANTIC_VECTORS"
LEAST_TERMS = 20_000
"""Terms from which vectors are learned.  From the 2,100 of our own topic 侨情, word2vec gives cosines
of .9 to 1 to nearly all words (2026-11): that is worse than no vectors.  The number is a guess."""
MOST_WORDS = 200_000
"""Words read from a file, which begin with the most frequent ones (a choice: 240 MB at 300 numbers)."""
_SIZE, _WINDOW, _EPOCHS, _MIN_COUNT, _SEED = 100, 5, 20, 3, 1
"""gensim's defaults, but for more rounds and rarer words: the corpus is small (guesses)."""

Vectors = tuple[list[str], NDArray[np.float32]]
"""Words, and their vectors of norm 1 about the mean of all, shape (words, k)."""


def read_vectors(path: str) -> Vectors:
    """Read vectors in word2vec's format: binary for ``.bin`` and ``.bin.gz``, else text.

    Raises :class:`ConfigurationError` naming the setting for anything else.
    """
    with needs_extra("semantic", SETTING):
        from gensim.models import KeyedVectors

    binary = path.endswith((".bin", ".bin.gz"))
    try:
        found = KeyedVectors.load_word2vec_format(path, binary=binary, limit=MOST_WORDS)
    except (OSError, ValueError, EOFError) as error:
        raise ConfigurationError(
            f"{SETTING} must name a file of vectors in word2vec's format, got {path!r}: {error}"
        ) from None
    return _centred(list(found.index_to_key), found.vectors)


def learn_vectors(texts: Sequence[Sequence[str]]) -> Vectors | None:
    """Learn vectors of the terms of *texts* (word2vec, skip-gram); ``None`` if they are too few.

    Deterministic: one thread, one seed.
    """
    if sum(map(len, texts)) < LEAST_TERMS:
        return None
    with needs_extra("semantic", "Learning word vectors for the strategy semantic"):
        from gensim.models import Word2Vec

    model = Word2Vec(
        [list(text) for text in texts], vector_size=_SIZE, window=_WINDOW, epochs=_EPOCHS,
        min_count=_MIN_COUNT, sg=1, workers=1, seed=_SEED,
    )  # fmt: skip
    return _centred(list(model.wv.index_to_key), model.wv.vectors)


def similarities(
    vectors: Vectors, words: Mapping[str, float], term_of: Callable[[str], str]
) -> dict[str, float]:
    """Return s(w) = max_t value(t)·max(0, cos(w, t)) over *words*, by term, where it is over 0.

    *words* maps terms to their value in [0, 1], unknown ones take no part; *term_of* gives the term
    of a word of the file, "" for one that is none.
    """
    names, table = vectors
    terms = [term_of(name) for name in names]
    rows = [(i, words[term]) for i, term in enumerate(terms) if term in words]
    if not rows:
        return {}
    chosen = table[[i for i, _ in rows]] * np.array([[v] for _, v in rows], dtype=np.float32)
    best = np.clip((table @ chosen.T).max(axis=1), 0.0, 1.0).tolist()
    found: dict[str, float] = {}
    for term, value in zip(terms, best, strict=True):
        if term and value > found.get(term, 0.0):
            found[term] = value
    return found


def _centred(words: list[str], vectors: NDArray[np.float32]) -> Vectors:
    # Learned vectors share a large common part, which makes all cosines high (J. Mu, P. Viswanath,
    # "All-but-the-top", ICLR 2018): without it, unrelated words are about 0.
    table = vectors - vectors.mean(axis=0)
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    return words, np.divide(table, norms, out=np.zeros_like(table), where=norms > 0)
