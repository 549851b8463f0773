"""English stems (Porter 2) with a cache."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the Porter 2 stem of a lower-case English word: ``cyclones`` -> ``cyclon``."""
    result: str = _STEMMER.stemWord(word)
    return result
