"""Array types of this package, a vector that grows, and the driver of cooperative computations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IdArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
FeatureIdArray = NDArray[np.int32]

_Scalar = TypeVar("_Scalar", bound=np.generic)

_FIRST_CAPACITY = 1024


class GrowingArray(Generic[_Scalar]):
    """A one-dimensional numpy array with amortized O(1) append.

    ``view()`` is a window on the current content.  Growth moves to a new buffer, so a view taken
    before stays valid (it keeps the old buffer): a paused computation may hold one.  The system provides a large buffer
    as it is written to, so what is reserved and not used yet takes no memory.
    """

    __slots__ = ("_buffer", "_fill", "_size")

    def __init__(self, dtype: type[_Scalar], fill: float = 0) -> None:
        self._fill = fill
        self._buffer: NDArray[_Scalar] = np.empty(_FIRST_CAPACITY, dtype=dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def view(self) -> NDArray[_Scalar]:
        """The content, shape (len,), writable, not a copy."""
        return self._buffer[: self._size]

    def resize(self, size: int) -> None:
        """Grow to *size*; new entries hold the fill value.  Never shrinks."""
        if size <= self._size:
            return
        if size > len(self._buffer):
            grown = np.empty(max(size, 2 * len(self._buffer)), dtype=self._buffer.dtype)
            grown[: self._size] = self._buffer[: self._size]
            self._buffer = grown
        self._buffer[self._size : size] = self._fill
        self._size = size

    def extend(self, values: NDArray[_Scalar]) -> None:
        """Append *values*, shape (n,)."""
        start = self._size
        self.resize(start + len(values))
        self._buffer[start : self._size] = values


def lookup(index: Mapping[int, int], ids: IdArray) -> IdArray:
    """Return the value of each of *ids* in *index*, shape (n,); -1 for ids it does not contain."""
    get = index.get
    return np.fromiter((get(i, -1) for i in ids.tolist()), np.int64, count=len(ids))


def ranges(first: NDArray[np.integer], count: NDArray[np.integer]) -> IdArray:
    """Return *count* numbers from *first* on, for each of both, shapes (n,), joined.

    >>> ranges(np.array([5, 9, 2]), np.array([2, 0, 3])).tolist()
    [5, 6, 2, 3, 4]
    """
    before = np.cumsum(count) - count
    return np.repeat(first - before, count) + np.arange(int(count.sum()))


def sigmoid(z: FloatArray) -> FloatArray:
    """Return 1 / (1 + e^-z), in [0, 1]."""
    return 0.5 * (1.0 + np.tanh(0.5 * z))
