"""Shingles of a text as hashes, and how much two texts share.

A shingle [Broder 1997] is a run of :data:`SHINGLE` units of the normalized text: Han characters, kana and
hangul one by one, other words and numbers whole.  Punctuation, white space, case, width and the choice
between traditional and simplified characters make no difference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from topiccrawl.text.normalize import normalize_text

#: Sorted distinct hashes, 64 bits each.
Shingles: TypeAlias = NDArray[np.uint64]

#: Hashes in the order of the text, with repetitions.
ShingleSequence: TypeAlias = NDArray[np.uint64]

#: Units of a shingle.  Real pages and their later versions (Django's documents 3.2 and 5.1, the help of
#: LibreOffice 7.0 and 25.2 in Chinese), separated from the most similar other pages by one threshold: F1 .94 and
#: .74 with five units, .93 and .74 with four, .91 and .69 with seven characters (2026-11-22).
SHINGLE: Final = 5

#: Characters that are units of their own: kana, Han, hangul.
_ONE_BY_ONE: Final = (
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
_CLASS: Final = "".join(f"{first}-{last}" for first, last in _ONE_BY_ONE)
#: Whether the character of a code is a unit of its own; the last entry stands for all larger codes.
_IS_UNIT: Final = np.zeros(0x40001, np.bool_)
for _first, _last in _ONE_BY_ONE:
    _IS_UNIT[ord(_first) : ord(_last) + 1] = True
_WORD = re.compile(rf"[^\W_{_CLASS}]+")
_UNIT = re.compile(rf"[{_CLASS}]|{_WORD.pattern}")
#: Odd, with well mixed bits: the golden ratio and the finalizer of SplitMix64.
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
_MIXERS: Final = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST: Final = np.uint64(31)
_HALF: Final = np.uint64(32)


def units(text: str) -> list[str]:
    """Return the units of *text*, normalized, in order."""
    return _UNIT.findall(normalize_text(text))


def _points(text: str) -> NDArray[np.uint64]:
    """Return a number for each unit of a normalized text: its character, or a hash of the word."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    kept = _IS_UNIT[np.minimum(codes, len(_IS_UNIT) - 1)]
    words = list(_WORD.finditer(text))
    if words:
        starts = [word.start() for word in words]
        kept[starts] = True
        codes[starts] = [
            crc32(word[0].encode("utf-8", "replace")) | 1 << 32
            if len(word[0]) > 1
            else ord(word[0])
            for word in words
        ]
    return codes[kept]


def shingle_sequence(text: str) -> ShingleSequence:
    """Return the hash of each shingle of *text*, in order; of a shorter text, the hash of all of it."""
    return normalized_sequence(normalize_text(text))


def normalized_sequence(text: str) -> ShingleSequence:
    """Return the same as :func:`shingle_sequence` for a text that is normalized already."""
    points = _points(text)
    if not len(points):
        return points
    size = min(SHINGLE, len(points))
    count = len(points) - size + 1
    hashes = np.zeros(count, np.uint64)
    for at in range(size):
        hashes += points[at : at + count]
        hashes *= _MULTIPLIER
        hashes ^= hashes >> _HALF
    for shift, mixer in _MIXERS:
        hashes ^= hashes >> shift
        hashes *= mixer
    hashes ^= hashes >> _LAST
    return hashes


def shingles(text: str) -> Shingles:
    """Return the distinct hashes of the shingles of *text*, sorted."""
    return distinct(shingle_sequence(text))


def distinct(sequence: ShingleSequence) -> Shingles:
    """Return the hashes of *sequence* once each, sorted.

    ``np.unique`` gives the same and takes eight times as long, because it makes a table of hashes first.
    """
    ordered = np.sort(sequence)
    new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def among(sequence: ShingleSequence, found: Shingles) -> NDArray[np.bool_]:
    """Return which shingles of *sequence* are among those *found*, as ``np.isin``, which would sort them again."""
    if not len(found):
        return np.zeros(len(sequence), np.bool_)
    at = np.minimum(np.searchsorted(found, sequence), len(found) - 1)
    result: NDArray[np.bool_] = found[at] == sequence
    return result


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two texts share, as shares of their shingles, in [0, 1]."""

    jaccard: float
    """Shared shingles, of those of either text."""
    of_first: float
    """Shared shingles, of those of the first text: its containment in the second."""
    of_second: float


def overlap(first: Shingles, second: Shingles) -> Overlap:
    """Return the shares of shared shingles; all 0 if a text has none."""
    merged = np.concatenate((first, second))
    # Merges the two sorted halves: half the time of np.intersect1d, which sorts them again.
    merged.sort(kind="stable")
    both = int(np.count_nonzero(merged[1:] == merged[:-1]))
    if not both:
        return Overlap(0.0, 0.0, 0.0)
    return Overlap(both / (len(first) + len(second) - both), both / len(first), both / len(second))
