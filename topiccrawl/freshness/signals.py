"""Trust in sources that state when a page changed (sitemaps, feeds), learned from later visits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topiccrawl.freshness.types import FloatArray

#: Prior of a source's recall: as if this many changes had been seen, half of them stated (a guess).
_CHANGES = 4.0
#: Prior of false statements: as if one had been seen in this many days of pages (a guess: a page is falsely
#: stated every three years).
_PAGE_DAYS = 1000.0


@dataclass(slots=True)
class _Seen:
    """What visits to a site have found."""

    changes: float = 0.0
    days: float = 0.0
    """Before the visits that found a change."""
    statements: float = 0.0
    """In these days."""
    calm_days: float = 0.0
    """Before the other visits."""
    false: float = 0.0
    """Statements in these days."""


class Trust:
    """Recall and false statements of the sources of each site.

    A change is stated with probability ``r``; false statements come at random, ``ν`` a day.  A source that states
    every page as new every day has ν = 1: its statements then add nothing to the evidence of the time since the
    visit.
    """

    def __init__(self) -> None:
        self._sites: dict[int, _Seen] = {}

    def appear(self, site: int) -> None:
        """Record that a source of the site states changes."""
        self._sites.setdefault(site, _Seen())

    def visited(self, site: int, days: float, statements: float, changes: float) -> None:
        """Record a visit after a number of days and statements.

        *changes* is the expected number of changes in these days: 0 if the visit found none, else 1 or more.
        """
        seen = self._sites.get(site)
        if seen is None:
            return
        if changes:
            seen.changes += changes
            seen.days += days
            seen.statements += statements
        else:
            seen.calm_days += days
            seen.false += statements

    def recall(self, site: int) -> float:
        """Return r, 0 for sites without a source.

        n changes in d days come with n·r + ν·d statements.
        """
        seen = self._sites.get(site)
        if seen is None:
            return 0.0
        true = min(max(seen.statements - self.false_rate(site) * seen.days, 0.0), seen.changes)
        return (true + _CHANGES / 2) / (seen.changes + _CHANGES)

    def false_rate(self, site: int) -> float:
        """Return ν, false statements of a page a day, from days without changes: there, all are false."""
        seen = self._sites.get(site) or _Seen()
        return (seen.false + 1) / (seen.calm_days + _PAGE_DAYS)

    def of_sites(self, sites: int) -> tuple[FloatArray, FloatArray]:
        """Return r and ν of all sites."""
        return (
            np.array([self.recall(site) for site in range(sites)]),
            np.array([self.false_rate(site) for site in range(sites)]),
        )
