"""Hashed features of links: what a model of links can learn from, as numbers.

Each is a pair of a kind and a value ("a word of the anchor is 华侨", "the link stands in
html/body/ul/li/a"), hashed into one of 2^18 slots (the hashing trick: Weinberger et al., "Feature
hashing for large scale multitask learning", ICML 2009), so that no vocabulary has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, SlotArray
from topiccrawl.scoring.strategy import FEATURE_SLOTS

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
def slot(kind: str, value: str) -> int:
    """Return the slot of a feature, in [0, FEATURE_SLOTS); CRC-32, the same on every machine."""
    return crc32(f"{kind}\x1f{value}".encode()) & (FEATURE_SLOTS - 1)


def link_slots(
    *,
    named: Iterable[str],
    context: Iterable[str],
    url: str,
    url_terms: Iterable[str],
    region: str,
    tag_path: str,
) -> tuple[int, ...]:
    """Return the features of one link, at most WIDTH, none twice.

    *named* are the terms of anchor and title.  Kinds: host, directory, tag path and region (each for
    itself: what one site's list looks like says nothing of another's, so the tag path also stands
    together with its host), words of anchor, URL and context.
    """
    try:
        parts = urlsplit(url)
        host, directory = parts.netloc, parts.path.rpartition("/")[0]
    except ValueError:  # no URL: links of other sources than a Page may be anything
        host = directory = ""
    found = {
        slot("host", host): None,
        slot("directory", f"{host}{directory}"): None,
        slot("path", f"{host} {tag_path}"): None,
        slot("region", region): None,
    }
    for kind, words, most in (
        ("anchor", named, ANCHOR_WORDS),
        ("url", url_terms, URL_WORDS),
        ("context", context, WIDTH),
    ):
        # None twice, in the order of the text.
        for word in list(dict.fromkeys(words))[:most]:
            if len(found) == WIDTH:
                break
            found[slot(kind, word)] = None
    return tuple(found)


def page_slots(vector: TermVector) -> tuple[SlotArray, FloatArray]:
    """Return the slots and weights of the heaviest terms of a page, shape (m,), weights of norm 1.

    A term has the slot that it has in an anchor, so that a model can find it there.
    """
    weights: dict[int, float] = {}
    for term, weight in vector.top(PAGE_TERMS):
        place = slot("anchor", term)
        weights[place] = weights.get(place, 0.0) + weight
    values = np.fromiter(weights.values(), np.float64, len(weights))
    norm = float(np.linalg.norm(values))
    return np.fromiter(weights, np.int32, len(weights)), values / norm if norm else values


def slot_rows(rows: Sequence[tuple[int, ...]]) -> SlotArray:
    """Return *rows* as an array of shape (n, WIDTH), filled up with NONE; (n, 0) if all are empty."""
    if not any(rows):
        return np.empty((len(rows), 0), dtype=np.int32)
    table = np.full((len(rows), WIDTH), NONE, dtype=np.int32)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
