"""Hashed features of links: what a model of links can learn from, as numbers.

Each is a pair of a kind and a value ("a word of the anchor is 华侨", "the link stands in
html/body/ul/li/a"), hashed into one of 2^18 numbers (the hashing trick: Weinberger et al., "Feature
hashing for large scale multitask learning", ICML 2009), so that no vocabulary has to be kept.
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

WIDTH = 24
"""Features a link has at most: 96 bytes for each known link (a choice)."""
ANCHOR_WORDS, URL_WORDS = 8, 6
"""Of these kinds at most (a choice); words of the context fill the rest."""

PAGE_TERMS = 300
"""Terms that stand for a page, the heaviest (document 002 takes 300 words)."""

NONE = -1
"""Fills a row."""


@lru_cache(maxsize=131_072)
def feature_id(kind: str, value: str) -> int:
    """Return the number of a feature, in [0, N_FEATURES); CRC-32, the same on every machine."""
    return crc32(f"{kind}\x1f{value}".encode()) & (N_FEATURES - 1)


def word_feature_ids(kind: str, words: Iterable[str], most: int) -> tuple[int, ...]:
    """Return the features of the first *most* different words, in the order of the text."""
    return tuple([feature_id(kind, word) for word in list(dict.fromkeys(words))[:most]])


def host_feature_ids(url: str) -> tuple[str, tuple[int, ...]]:
    """Return the host of *url*, "" where it is no URL, and the features of host and directory."""
    try:
        parts = urlsplit(url)
        host, directory = parts.netloc, parts.path.rpartition("/")[0]
    except ValueError:  # no URL: links of other sources than a Page may be anything
        host = directory = ""
    return host, (feature_id("host", host), feature_id("directory", f"{host}{directory}"))


@lru_cache(maxsize=16_384)
def position_feature_ids(host: str, tag_path: str, region: str) -> tuple[int, ...]:
    """Return the features of where a link to *host* stands.

    What one site's list looks like says nothing of another's, so the tag path stands together with
    the host.
    """
    return feature_id("path", f"{host} {tag_path}"), feature_id("region", region)


def link_feature_ids(*kinds: Iterable[int]) -> tuple[int, ...]:
    """Return the features of one link, at most WIDTH, none twice: the first ones of all *kinds*.

    The kinds in their order: host and directory, position, words of anchor and title, of the URL, of
    the context; of words at most ANCHOR_WORDS, URL_WORDS and what is left.
    """
    found = dict.fromkeys(chain.from_iterable(kinds))
    return tuple(found) if len(found) <= WIDTH else tuple(islice(found, WIDTH))


def page_term_ids(vector: TermVector) -> tuple[FeatureIdArray, FloatArray]:
    """Return the feature ids and weights of the heaviest terms of a page, shape (m,), weights of norm 1.

    A term has the feature id that it has in an anchor, so that a model can find it there.
    """
    weights: dict[int, float] = {}
    for term, weight in vector.top(PAGE_TERMS):
        term_id = feature_id("anchor", term)
        weights[term_id] = weights.get(term_id, 0.0) + weight
    values = np.fromiter(weights.values(), np.float64, len(weights))
    norm = float(np.linalg.norm(values))
    return np.fromiter(weights, np.int32, len(weights)), values / norm if norm else values


def feature_rows(rows: Sequence[tuple[int, ...]]) -> FeatureIdArray:
    """Return *rows* as an array of shape (n, WIDTH), filled up with NONE; (n, 0) if all are empty."""
    if not any(rows):
        return np.empty((len(rows), 0), dtype=np.int32)
    table = np.full((len(rows), WIDTH), NONE, dtype=np.int32)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
