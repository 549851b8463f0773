"""Hashed features of links, from which models can learn.

A feature is a pair of a kind and a value ("a word of the anchor is 华侨", "the tag path of the link is
html/body/ul/li/a"), hashed into one of 2^18 ids (the hashing trick: Weinberger et al., "Feature hashing
for large scale multitask learning", ICML 2009), so that no vocabulary has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
from topiccrawl.scoring.strategy import N_FEATURES

if TYPE_CHECKING:
    from topiccrawl.scoring.vsm import TermVector

#: Maximum number of features of a link: 96 bytes for each known link (a choice).
WIDTH = 24
#: Maximum number of words of the anchor and of the URL among them (a choice); words of the context fill
#: the rest.
ANCHOR_WORDS, URL_WORDS = 8, 6
#: Number of terms that represent a page, the heaviest ones ([doc002] takes 300 words).
PAGE_TERMS = 300
#: Fills up the rows of links with fewer features.
NONE = -1


#: Longest value whose id is cached: 8,192 of them are 2.5 MB at most (a choice; words are shorter).
_CACHED_CHARACTERS = 120


def feature_id(kind: str, value: str) -> int:
    """Return the id of a feature, in [0, N_FEATURES): CRC-32, the same on every machine."""
    if len(value) <= _CACHED_CHARACTERS:
        return _cached_id(kind, value)
    return _feature_id(kind, value)


def _feature_id(kind: str, value: str) -> int:
    return crc32(f"{kind}\x1f{value}".encode()) & (N_FEATURES - 1)


_cached_id = lru_cache(maxsize=8_192)(_feature_id)


def word_feature_ids(kind: str, words: Iterable[str], most: int) -> tuple[int, ...]:
    """Return the features of the first *most* different words, in the order of the text."""
    return tuple([feature_id(kind, word) for word in list(dict.fromkeys(words))[:most]])


def host_feature_ids(url: str) -> tuple[str, tuple[int, ...]]:
    """Return the site of *url*, host with port, and the features of site and directory.

    The site of a malformed URL is ``""``.
    """
    try:
        parts = urlsplit(url)
        host, directory = parts.netloc, parts.path.rpartition("/")[0]
    except ValueError:  # links that do not come from a Page may be malformed
        host = directory = ""
    return host, (feature_id("host", host), feature_id("directory", f"{host}{directory}"))


@lru_cache(maxsize=4_096)
def position_feature_ids(host: str, tag_path: str, region: str) -> tuple[int, ...]:
    """Return the features of the position of a link to *host* in its page.

    The tag path is combined with the host, because the tag path of a list on one site means nothing on
    another site.
    """
    return feature_id("path", f"{host} {tag_path}"), feature_id("region", region)


def link_feature_ids(*kinds: Iterable[int]) -> tuple[int, ...]:
    """Return the features of one link: the first :data:`WIDTH` different ones of all *kinds*.

    The kinds, in this order: site and directory, position, words of anchor and title (at most
    :data:`ANCHOR_WORDS`), words of the URL (at most :data:`URL_WORDS`), words of the context.
    """
    found = dict.fromkeys(chain.from_iterable(kinds))
    return tuple(found) if len(found) <= WIDTH else tuple(islice(found, WIDTH))


def page_term_ids(vector: TermVector, most: int = PAGE_TERMS) -> tuple[FeatureIdArray, FloatArray]:
    """Return the hashed terms of a page and their weights.

    Parameters
    ----------
    vector
        Term weights of the page.
    most
        Largest number of terms.

    Returns
    -------
    ids : array of shape (m,)
        Feature ids of the heaviest terms, heaviest first; a term has the id that it has in an
        anchor, so that a model can recognize it there.
    weights : array of shape (m,)
        Their weights, of norm 1.
    """
    weights: dict[int, float] = {}
    if not most:
        return np.empty(0, dtype=np.int32), np.empty(0)
    for term, weight in vector.top(most):
        term_id = feature_id("anchor", term)
        weights[term_id] = weights.get(term_id, 0.0) + weight
    values = np.fromiter(weights.values(), np.float64, len(weights))
    norm = float(np.linalg.norm(values))
    return np.fromiter(weights, np.int32, len(weights)), values / norm if norm else values


def feature_rows(rows: Sequence[tuple[int, ...]]) -> FeatureIdArray:
    """Return *rows* as an array of shape (n, WIDTH), padded with NONE; (n, 0) if all are empty."""
    if not any(rows):
        return np.empty((len(rows), 0), dtype=np.int32)
    table = np.full((len(rows), WIDTH), NONE, dtype=np.int32)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
