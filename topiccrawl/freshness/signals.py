"""Trust in sources that state when a page changed (sitemaps, feeds), learned from later visits."""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.types import FloatArray

#: Prior of a source's recall: as if this many changes had been seen, half of them stated (a guess).
_CHANGES = 4.0
#: Prior of false statements: as if one had been seen in this many days of pages (a guess: a page is falsely
#: stated every three years).
_PAGE_DAYS = 1000.0


class Trust:
    """Recall and false statements of the sources of each site.

    A change is stated with probability ``r``; false statements come at random, ``ν`` a day.  A source that states
    every page as new every day has r = 1 and ν = 1: its statements then add nothing to the evidence
    of the time since the visit.
    """

    def __init__(self) -> None:
        self._stated: dict[int, float] = {}
        self._unstated: dict[int, float] = {}
        self._false: dict[int, float] = {}
        self._page_days: dict[int, float] = {}

    def appear(self, site: int) -> None:
        """Record that a source of the site states changes."""
        self._stated.setdefault(site, 0.0)

    def visited(self, site: int, days: float, statements: float, changed: bool) -> None:
        """Record a visit after a number of days and statements."""
        if site not in self._stated:
            return
        self._page_days[site] = self._page_days.get(site, 0.0) + days
        if changed:
            counts = self._stated if statements else self._unstated
            counts[site] = counts.get(site, 0.0) + 1
        else:
            self._false[site] = self._false.get(site, 0.0) + statements

    def recall(self, site: int) -> float:
        """Return r, 0 for sites without a source."""
        if site not in self._stated:
            return 0.0
        stated, other = self._stated[site], self._unstated.get(site, 0.0)
        return (stated + _CHANGES / 2) / (stated + other + _CHANGES)

    def false_rate(self, site: int) -> float:
        """Return ν, false statements of a page a day."""
        return (self._false.get(site, 0.0) + 1) / (self._page_days.get(site, 0.0) + _PAGE_DAYS)

    def of_sites(self, sites: int) -> tuple[FloatArray, FloatArray]:
        """Return r and ν of all sites."""
        return (
            np.array([self.recall(site) for site in range(sites)]),
            np.array([self.false_rate(site) for site in range(sites)]),
        )
