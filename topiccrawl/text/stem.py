"""English stems (Porter 2, and a list of irregular plurals) with a cache."""

from __future__ import annotations

from functools import cache, lru_cache

import snowballstemmer

from topiccrawl.text.words import read_list

_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return the Porter 2 stem of a lower-case English word: ``cyclones`` -> ``cyclon``.

    An irregular plural has the stem of its singular: ``leaves`` -> ``leaf``.
    """
    result: str = _STEMMER.stemWord(_singulars().get(word, word))
    return result


@cache
def _singulars() -> dict[str, str]:
    pairs = (line.split() for line in read_list("plurals-en.txt"))
    return dict(pairs)
