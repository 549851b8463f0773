"""Vectors of texts by meaning, which the page classifier and the strategy ``adaptive`` compare."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

VectorArray = NDArray[np.float32]

#: Most words of a topic that are compared: 40 ms in steps of a few (a choice).
MOST_WORDS: Final = 16
#: Longest wait for the model in a step, in seconds (a choice).
PATIENCE: Final = 0.01
#: Texts in a cooperative step: 2 to 4 ms each (2026-11).
TEXTS_PER_STEP: Final = 4
#: Texts whose vectors are remembered, of 1 KB each: several times those of a ranking round (a choice).
REMEMBERED: Final = 4_096
_LEAST: Final = 1e-9
#: Spreads the ids of pages (Knuth, "The Art of Computer Programming", 6.4: 2^64 by the golden ratio).
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)


class Model(Protocol):
    """Turns texts into vectors."""

    def prepare(self) -> None:
        """Start to get ready, without waiting."""

    def settled(self, seconds: float) -> bool:
        """Wait at most *seconds*; return whether the preparation has ended, well or not."""

    def __call__(self, texts: Sequence[str]) -> VectorArray | None:
        """Return vectors of norm 1 of n texts, shape (n, d), each a function of its text alone.

        ``None`` if that is impossible now.
        """


class Encoder(Model, Protocol):
    """A model that may have a memory."""

    def remembered(self, texts: Sequence[str]) -> dict[str, NDArray[np.floating]]:
        """Return the vectors of those of *texts* that need not be encoded again."""


@dataclass(frozen=True, slots=True)
class TopicMeaning:
    """The words of a topic, and the model that compares them with pages and links."""

    encode: Encoder
    words: Sequence[str]
    """At least one."""


class RememberingEncoder:
    """An encoder that remembers the vectors of the texts that were asked for last, with 11 bits of precision."""

    def __init__(self, encode: Model, most: int = REMEMBERED) -> None:
        self._encode = encode
        self._most = most
        self._vectors: OrderedDict[str, NDArray[np.float16]] = OrderedDict()

    def prepare(self) -> None:
        """See :class:`Model`."""
        self._encode.prepare()

    def settled(self, seconds: float) -> bool:
        """See :class:`Model`."""
        return self._encode.settled(seconds)

    def remembered(self, texts: Sequence[str]) -> dict[str, NDArray[np.floating]]:
        """See :class:`Encoder`."""
        found = {text: self._vectors[text] for text in texts if text in self._vectors}
        for text in found:
            self._vectors.move_to_end(text)
        return found

    def __call__(self, texts: Sequence[str]) -> VectorArray | None:
        """See :class:`Model`."""
        known = self._vectors
        new = list(dict.fromkeys(text for text in texts if text not in known))
        if new:
            vectors = self._encode(new)
            if vectors is None:
                return None
            known.update(zip(new, vectors.astype(np.float16), strict=True))
        for text in texts:
            known.move_to_end(text)
        found = np.array([known[text] for text in texts], dtype=np.float32)
        while len(known) > self._most:
            known.popitem(last=False)
        return found


def encoded_steps(
    encode: Encoder, texts: Sequence[str]
) -> Generator[None, None, VectorArray | None]:
    """Return the vectors of n texts, n > 0, shape (n, d), in cooperative steps; ``None`` if impossible now."""
    encode.prepare()
    while not encode.settled(PATIENCE):
        yield
    found = encode.remembered(texts)
    new = [text for text in dict.fromkeys(texts) if text not in found]
    for first in range(0, len(new), TEXTS_PER_STEP):
        piece = new[first : first + TEXTS_PER_STEP]
        vectors = encode(piece)
        if vectors is None:
            return None
        found.update(zip(piece, vectors, strict=True))
        yield
    return np.array([found[text] for text in texts], dtype=np.float32)


def unit(rows: VectorArray) -> VectorArray:
    """Return *rows* scaled to norm 1, shape (n, d); rows of zeros stay as they are."""
    norm = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.maximum(norm, _LEAST)[:, None], dtype=np.float32)


def spread(ids: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return numbers by which to draw samples of the pages with these *ids*, shape (n,)."""
    return np.asarray(ids.astype(np.uint64) * _SPREAD)
