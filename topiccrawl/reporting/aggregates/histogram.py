"""A histogram of values of unknown range, in bounded memory."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Fine bins kept while counting; shown bins are sums of these.
FINE_BINS = 500

#: Bins shown at most.
SHOWN_BINS = 25


@dataclass(frozen=True, slots=True)
class Bin:
    """Numbers of kept and rejected pages with a value v, low <= v < high."""

    low: float
    high: float
    kept: int
    rejected: int


class Histogram:
    """Counts of kept and rejected values >= 0 in equal bins from 0.

    It starts with the range [0, 1], where cosine relevance lies.  A larger value doubles the width
    of the bins by adding neighboring ones, so that counts stay exact.  Negative values count as 0; values
    that are not finite are ignored.
    """

    def __init__(self) -> None:
        self._width = 1.0 / FINE_BINS
        self._kept = [0] * FINE_BINS
        self._rejected = [0] * FINE_BINS
        self.total = 0

    def add(self, value: float, kept: bool) -> None:
        """Count one value."""
        if not math.isfinite(value):
            return
        value = max(value, 0.0)
        if value == self._width * FINE_BINS:  # the upper edge of a full range, e.g. cosine 1.0
            value = math.nextafter(value, 0.0)
        while value >= self._width * FINE_BINS:
            self._width *= 2
            self._kept = _pairs(self._kept)
            self._rejected = _pairs(self._rejected)
        counts = self._kept if kept else self._rejected
        counts[int(value / self._width)] += 1
        self.total += 1

    def bins(self, reach: float = 0.0, shown: int = SHOWN_BINS) -> list[Bin]:
        """Return at most *shown* equal bins from 0 that cover every value and *reach*.

        Empty when nothing was counted.  Counts of all bins sum to ``total``.
        """
        if not self.total:
            return []
        used = max(i for i in range(FINE_BINS) if self._kept[i] or self._rejected[i]) + 1
        if math.isfinite(reach):
            used = max(used, math.ceil(reach / self._width))
        group = _round_up(math.ceil(used / shown))
        result: list[Bin] = []
        for first in range(0, used, group):
            last = first + group
            kept, rejected = sum(self._kept[first:last]), sum(self._rejected[first:last])
            result.append(Bin(first * self._width, last * self._width, kept, rejected))
        return result


def _pairs(counts: list[int]) -> list[int]:
    """Return the sums of neighboring bins: the same counts over twice the range."""
    half = [a + b for a, b in zip(counts[::2], counts[1::2], strict=True)]
    return half + [0] * (FINE_BINS - len(half))


def _round_up(n: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that is >= *n*: for readable edges."""
    power = int(10 ** math.floor(math.log10(n)))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= n)
