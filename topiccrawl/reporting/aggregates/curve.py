"""The harvest curve: the share of relevant pages over the pages fetched."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from topiccrawl.scoring.harvest import harvest_rate

#: Points kept at most.  A guess: one for every other pixel of a chart 800 pixels wide.
MAX_POINTS = 400

#: Smallest window of the windowed rate, in pages.  A guess: below 20 pages one page moves it 5 %.
MIN_WINDOW = 20

#: Share of all pages fetched that the window has, so that the line stays readable at any length.
WINDOW_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The number of relevant pages among the first *fetched* ones."""

    fetched: int
    relevant: int

    @property
    def rate(self) -> float:
        """Cumulative harvest rate, in [0, 1]; 0 before the first page."""
        return harvest_rate(self.relevant, self.fetched)


class HarvestCurve:
    """Counts pages one by one and keeps evenly spaced points, at most *max_points*.

    The spacing doubles whenever there are too many points: memory does not grow with the crawl, and
    every kept point is exact.
    """

    def __init__(self, max_points: int = MAX_POINTS) -> None:
        if max_points < 2:
            raise ValueError(f"max_points must be >= 2, got {max_points}")
        self._max = max_points
        self._stride = 1
        self._points: list[CurvePoint] = []
        self.fetched = 0
        self.relevant = 0

    def add(self, relevant: bool) -> None:
        """Count one fetched page, *relevant* if it is on topic."""
        self.fetched += 1
        self.relevant += relevant
        if self.fetched % self._stride:
            return
        self._points.append(CurvePoint(self.fetched, self.relevant))
        if len(self._points) >= self._max:
            self._stride *= 2
            self._points = [p for p in self._points if p.fetched % self._stride == 0]

    def points(self) -> list[CurvePoint]:
        """Return the points in order up to the current one; empty before the first page."""
        last = CurvePoint(self.fetched, self.relevant)
        if not self.fetched or (self._points and self._points[-1] == last):
            return list(self._points)
        return [*self._points, last]


def window_pages(fetched: int) -> int:
    """Return the width of the window for a curve of *fetched* pages: max(20, 5 %)."""
    return max(MIN_WINDOW, math.ceil(fetched * WINDOW_SHARE))


def windowed(points: Sequence[CurvePoint], window: int) -> list[tuple[int, float]]:
    """Return (fetched, rate over about the last *window* pages) for every point with as many pages.

    The window reaches back to the newest kept point that is at least *window* pages away, so that
    each rate is exact for the pages it covers.
    """
    if window < 1:
        raise ValueError(f"window must be >= 1, got {window}")
    starts = [CurvePoint(0, 0), *points]
    positions = [p.fetched for p in starts]
    rates: list[tuple[int, float]] = []
    for point in points:
        if point.fetched < window:
            continue
        start = starts[bisect_right(positions, point.fetched - window) - 1]
        rate = (point.relevant - start.relevant) / (point.fetched - start.fetched)
        rates.append((point.fetched, rate))
    return rates
