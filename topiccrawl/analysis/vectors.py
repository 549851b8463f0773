"""Word vectors: read from a file, or learned from the samples of a topic that has enough of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.language import _

SETTING = "TOPICCRAWL_SEMANTIC_VECTORS"
#: Terms that samples must have for vectors to be learned from them; a guess.  From the 2,100 terms of the
#: included topic 侨情, word2vec learns cosines of .9 to 1 for nearly all words (2026-11), which is worse
#: than no vectors.
LEAST_TERMS = 20_000
#: Words read from a file, which begins with the most frequent ones (a choice: 240 MB at 300 dimensions).
MOST_WORDS = 200_000
#: gensim's defaults, except for more epochs and rarer words, because the corpus is small (guesses).
_SIZE, _WINDOW, _EPOCHS, _MIN_COUNT, _SEED = 100, 5, 20, 3, 1

#: n words, and an array of shape (n, k) with their vectors: centered at the mean, of norm 1.
Vectors = tuple[list[str], NDArray[np.float32]]


def read_vectors(path: str) -> Vectors:
    """Read word vectors from a file in word2vec's format.

    It is binary if its name ends in ``.bin`` or ``.bin.gz``, else text. Raises ``ConfigurationError`` if the
    file cannot be read; the message names the setting.
    """
    # Imported here: gensim takes more than a second to import, and few crawls use it.
    with needs_extra("semantic", SETTING):
        from gensim.models import KeyedVectors

    binary = path.endswith((".bin", ".bin.gz"))
    try:
        found = KeyedVectors.load_word2vec_format(path, binary=binary, limit=MOST_WORDS)
    except (OSError, ValueError, EOFError) as error:
        raise ConfigurationError(
            _(
                "{setting} must name a file of vectors in word2vec's format, got {path!r}: {error}"
            ).format(setting=SETTING, path=path, error=error)
        ) from None
    return _centered(list(found.index_to_key), found.vectors)


def learn_vectors(texts: Sequence[Sequence[str]]) -> Vectors | None:
    """Learn word vectors from texts with word2vec (skip-gram); deterministic (one thread, fixed seed).

    *texts* are the terms of each text; ``None`` if they have fewer than :data:`LEAST_TERMS`.
    """
    if sum(map(len, texts)) < LEAST_TERMS:
        return None
    # Imported here for the same reason.
    with needs_extra("semantic", _("Learning word vectors for the strategy semantic")):
        from gensim.models import Word2Vec

    model = Word2Vec(
        [list(text) for text in texts], vector_size=_SIZE, window=_WINDOW, epochs=_EPOCHS,
        min_count=_MIN_COUNT, sg=1, workers=1, seed=_SEED,
    )  # fmt: skip
    return _centered(list(model.wv.index_to_key), model.wv.vectors)


def similarities(
    vectors: Vectors, words: Mapping[str, float], term_of: Callable[[str], str]
) -> dict[str, float]:
    """Return the similarity of every term to graded words: ``s(w) = max_t value(t)·max(0, cos(w, t))``.

    Parameters
    ----------
    vectors
        Word vectors.
    words
        The graded terms t with their values in [0, 1]; those without a vector are ignored.
    term_of
        Returns the term of a word that has a vector, ``""`` if it has none.

    Returns
    -------
    dict
        s(w) by term, where it is greater than 0.
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


def _centered(words: list[str], vectors: NDArray[np.float32]) -> Vectors:
    # Learned vectors share a large component, which makes all cosines high (J. Mu, P. Viswanath,
    # "All-but-the-top", ICLR 2018); without it, those of unrelated words are about 0.
    table = vectors - vectors.mean(axis=0)
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    return words, np.divide(table, norms, out=np.zeros_like(table), where=norms > 0)
