"""An inverted index of weighted terms, for the scalar products of a vector with many sums of vectors at once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


class Postings:
    """Sums of sparse vectors, by number from 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, array[int]] = {}
        self._weights: dict[str, array[float]] = {}

    def add(self, number: int, vector: Mapping[str, float]) -> None:
        """Add *vector* to the sum with this number."""
        for term, weight in vector.items():
            if term not in self._numbers:
                self._numbers[term], self._weights[term] = array("q"), array("d")
            self._numbers[term].append(number)
            self._weights[term].append(weight)

    def dots(self, vector: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the scalar products of *vector* with the sums; shape (largest number with a common term + 1,)."""
        numbers, products = [], []
        for term, weight in vector.items():
            found = self._numbers.get(term)
            if found is not None:
                numbers.append(np.frombuffer(found, dtype=np.int64))
                products.append(np.frombuffer(self._weights[term]) * weight)
        if not numbers:
            return np.zeros(0)
        found_dots: NDArray[np.float64] = np.bincount(
            np.concatenate(numbers), np.concatenate(products)
        ).astype(np.float64)
        return found_dots

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        """Forget the sums whose numbers are not *wanted*; their products become 0."""
        for term in list(self._numbers):
            numbers = np.frombuffer(self._numbers[term], dtype=np.int64)
            some = wanted[numbers]
            if some.all():
                continue
            left, weights = numbers[some], np.frombuffer(self._weights[term])[some]
            if len(left):
                self._numbers[term] = array("q", left.tobytes())
                self._weights[term] = array("d", weights.tobytes())
            else:
                del self._numbers[term], self._weights[term]
