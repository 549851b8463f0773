"""Frequent character n-grams of a large text, with their neighbors, by sorting integers.

An n-gram can only be frequent if both (n-1)-grams in it are (Agrawal and Srikant, "Fast algorithms for
mining association rules", VLDB 1994), so each length looks only at the places that the length before left.
A text of N characters takes some 30·N bytes and O(N log N) time for each length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.text.segment import HAN_RANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from topiccrawl.scoring.arrays import FloatArray, IdArray

#: Place without a frequent n-gram.
NONE = -1
#: Places that are looked at together: the arrays of more take memory without being faster (a choice).
_PIECE = 1_000_000
_SPACE = ord(" ")


@dataclass(frozen=True, slots=True)
class CodedText:
    """A text as numbers: its Han characters by rank of their code point, 0 for anything else."""

    codes: NDArray[np.int32]
    """One for each character; the first and the last are 0."""
    alphabet: NDArray[np.uint32]
    """Code point of each number; that of 0 is a space."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> CodedText:
        """Code normalized *texts*, with a boundary before and after each."""
        border = np.array([_SPACE], dtype=np.uint32)
        pieces = [border]
        for text in texts:
            # Half of a surrogate pair has no code.
            data = text.encode("utf-32-le", "replace")
            pieces += [np.frombuffer(data, dtype=np.uint32), border]
        points = np.concatenate(pieces)
        del pieces
        present = np.zeros(0x110000, dtype=bool)
        for first in range(0, len(points), _PIECE):
            present[points[first : first + _PIECE]] = True
        han = np.zeros(len(present), dtype=bool)
        for low, high in HAN_RANGES:
            han[low : high + 1] = True
        alphabet = np.flatnonzero(present & han).astype(np.uint32)
        number = np.zeros(len(present), dtype=np.int32)
        number[alphabet] = np.arange(1, len(alphabet) + 1)
        return cls(number[points], np.concatenate([border, alphabet]))

    def strings(self, starts: IdArray, length: int) -> list[str]:
        """Return the n-grams of *length* characters at the places *starts*."""
        places = np.asarray(starts)[:, None] + np.arange(length)
        points = self.alphabet[self.codes[places]].astype("<u4")
        joined = points.tobytes().decode("utf-32-le")
        return [joined[i : i + length] for i in range(0, len(joined), length)]


@dataclass(frozen=True, slots=True)
class Grams:
    """The frequent n-grams of one length, numbered 0 to m - 1, and where they are."""

    length: int
    at: NDArray[np.int32]
    """Number of the n-gram that starts at each place, ``NONE`` for no frequent one."""
    counts: IdArray
    first: IdArray
    """First place of each n-gram."""
    prefix: IdArray
    """Number of its first n - 1 characters among those of that length; empty for n = 1."""
    suffix: IdArray
    """The same for its last n - 1 characters."""

    def mean(self, values: Callable[[IdArray], NDArray[np.generic]]) -> FloatArray:
        """Return the mean over the occurrences of each n-gram; *values* returns those of some places."""
        total = np.zeros(len(self.counts))
        for places in self.places():
            numbers = self.at[places]
            total += np.bincount(numbers, values(places).astype(np.float64), len(total))
        return total / self.counts

    def places(self) -> Iterator[IdArray]:
        """Yield the places of the n-grams, in pieces."""
        for first in range(0, len(self.at), _PIECE):
            yield first + np.flatnonzero(self.at[first : first + _PIECE] >= 0)


@dataclass(frozen=True, slots=True)
class Neighbors:
    """The characters on one side of n-grams."""

    entropy: FloatArray
    """-Σ p ln p, in nats; each boundary counts as a character of its own."""
    largest: FloatArray
    """Share of the most frequent character, boundaries left out, in [0, 1]."""


def frequent_grams(text: CodedText, longest: int, least: int) -> Iterator[Grams]:
    """Yield the n-grams of 1 to *longest* characters that occur at least *least* times.

    Single characters are not left out for being rare.
    """
    codes = text.codes
    counts = np.bincount(codes, minlength=len(text.alphabet))[1:]
    first = np.zeros(len(counts), dtype=np.int64)
    places = np.flatnonzero(codes)[::-1]
    first[codes[places] - 1] = places
    del places
    none = np.empty(0, dtype=np.int64)
    grams = Grams(1, (codes - 1).astype(np.int32), counts, first, none, none)
    yield grams
    for _ in range(1, longest):
        grams = _longer(grams, codes, least)
        yield grams
        if not len(grams.counts):
            return


def _longer(grams: Grams, codes: NDArray[np.int32], least: int) -> Grams:
    """Return the frequent n-grams that are one character longer."""
    at, length = grams.at, grams.length
    # One that is followed by another, at the next place, begins a longer one.
    size = np.int64(codes.max() + 1)

    def keys_of(places: IdArray) -> tuple[IdArray, NDArray[np.int64]]:
        places = places[places + 1 < len(at)]
        places = places[at[places + 1] >= 0]
        return places, at[places] * size + codes[places + length]

    known, counts = _count([keys_of(places)[1] for places in grams.places()])
    kept = counts >= least
    known, counts = known[kept], counts[kept]
    found = np.full(len(at), NONE, dtype=np.int32)
    first = np.full(len(known), len(at), dtype=np.int64)
    for places in grams.places() if len(known) else ():
        places, keys = keys_of(places)
        number = np.searchsorted(known, keys)
        number[number == len(known)] = 0
        hit = known[number] == keys
        number, places = number[hit], places[hit]
        found[places] = number
        np.minimum.at(first, number, places)
    return Grams(
        length + 1,
        found,
        counts,
        first,
        at[first].astype(np.int64),
        at[first + 1].astype(np.int64),
    )


def neighbors(grams: Grams, codes: NDArray[np.int32], *, left: bool) -> Neighbors:
    """Return what is on the left or on the right of *grams*."""
    step = -1 if left else grams.length
    size = np.int64(codes.max() + 1)
    keys, counts = _count(
        [grams.at[places] * size + codes[places + step] for places in grams.places()]
    )
    owner, outside = keys // size, keys % size == 0
    del keys
    m, total = len(grams.counts), grams.counts.astype(np.float64)
    # k boundaries are k characters that occur once each: k · (1/n) ln n.
    share = counts / total[owner]
    parts = share * np.where(outside, np.log(total[owner]), -np.log(share))
    entropy = np.bincount(owner, weights=parts, minlength=m).astype(np.float64)
    largest = np.zeros(m)
    np.maximum.at(largest, owner[~outside], share[~outside])
    return Neighbors(entropy, largest)


def _count(keys: list[NDArray[np.int64]]) -> tuple[IdArray, IdArray]:
    """Return the different numbers in *keys*, which are given up, ascending, and how often each occurs."""
    ordered = np.concatenate(keys) if keys else np.empty(0, dtype=np.int64)
    keys.clear()
    ordered.sort()
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    return ordered[starts], np.diff(starts, append=len(ordered))
