"""Stagnation (停滞): whether a crawl has stopped finding relevant pages, so that it needs new seeds.

A crawl with harvest rate r finds nothing in K pages with probability (1-r)^K.  Below 1 % this is not
chance: the frontier is exhausted or has drifted off topic.
"""

from __future__ import annotations

import math
from typing import Literal

#: Probability below which a dry stretch is not chance (a choice).
CHANCE = 0.01
#: Pages without a relevant one that are always tolerated: rich crawls also pass through a site's menus (a
#: guess).
LEAST_DRY = 100
#: Pages without a relevant one after which any crawl stagnates, also one that never found any, whose rate is
#: unknown (a guess: twelve links of tunnel took 120 to 560 pages on the stored webs).
MOST_DRY = 2_000


def patience(pages: int, relevant: int) -> int:
    """Return the number of pages without a relevant one that a crawl tolerates.

    ln(.01) / ln(1-r) with the harvest rate r = *relevant* / *pages*, in [LEAST_DRY, MOST_DRY].

    Parameters
    ----------
    pages, relevant
        Number of pages fetched, and of relevant ones among them.

    Raises
    ------
    ValueError
        Not 0 <= relevant <= pages.

    Examples
    --------
    >>> patience(1_000, 10)
    459
    """
    if not 0 <= relevant <= pages:
        raise ValueError(f"need 0 <= relevant <= pages, got {relevant}, {pages}")
    if not relevant:
        return MOST_DRY
    if relevant == pages:
        return LEAST_DRY
    dry = math.log(CHANCE) / math.log1p(-relevant / pages)
    return min(MOST_DRY, max(LEAST_DRY, math.ceil(dry)))


def stagnates(pages: int, relevant: int, last: int) -> bool:
    """Return whether a crawl stagnates.

    The harvest rate is that up to the last relevant page: a dry stretch must not lengthen its own
    patience.

    Parameters
    ----------
    pages, relevant
        Number of pages fetched, and of relevant ones among them.
    last
        Number of the last relevant page, from 1; 0 if there is none.

    Raises
    ------
    ValueError
        The numbers contradict each other.

    Examples
    --------
    >>> stagnates(1_000, 10, 1_000), stagnates(1_460, 10, 1_000)
    (False, True)
    """
    if not relevant <= last <= pages or (last > 0) is not (relevant > 0):
        raise ValueError(f"need relevant <= last <= pages, got {relevant}, {last}, {pages}")
    return pages - last > patience(last if relevant else pages, relevant)


class StagnationWatch:
    """Follow a crawl page by page and report when a dry stretch needs action.

    Uses constant memory; the result is a function of the order of the pages.
    """

    def __init__(self) -> None:
        self.pages = 0
        self.relevant = 0
        self.last = 0
        """Number of the last relevant page, from 1; 0 before the first one."""
        self._acted = 0
        self._stretch = False

    @property
    def dry(self) -> int:
        """Number of pages since the last relevant one."""
        return self.pages - self.last

    def observe(self, relevant: bool) -> Literal["begins", "lasts"] | None:
        """Count the next page.

        Returns
        -------
        "begins", "lasts" or None
            "begins" if a dry stretch begins with this page, "lasts" if it has lasted for another
            :func:`patience`.  A stretch ends with a relevant page.
        """
        self.pages += 1
        if relevant:
            self.relevant += 1
            self.last = self.pages
            self._stretch = False
            return None
        if not stagnates(self.pages, self.relevant, self.last):
            return None
        tolerated = patience(self.last or self.pages, self.relevant)
        if self.pages - self._acted <= tolerated:
            return None
        self.acted()
        if self._stretch:
            return "lasts"
        self._stretch = True
        return "begins"

    def acted(self) -> None:
        """Record that action was taken: the next report is a :func:`patience` away at least."""
        self._acted = self.pages
