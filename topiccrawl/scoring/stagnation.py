"""Stagnation (停滞): whether a crawl has stopped finding anything, so that new seeds are worth more.

A crawl whose harvest rate is r finds nothing in K pages with probability (1-r)^K.  When that is under
1 %, chance no longer explains it: the frontier is used up or has drifted.
"""

from __future__ import annotations

import math
from typing import Literal

CHANCE = 0.01
"""How unlikely a dry stretch must be (a choice)."""
LEAST_DRY = 100
"""Pages without a find that are always borne: rich crawls pass through a site's menus, too (a guess)."""
MOST_DRY = 2_000
"""Pages without a find after which any crawl stagnates, also one that never found anything, whose
rate is unknown (a guess: twelve links of tunnel took 120 to 560 pages on the stored webs)."""


def patience(pages: int, relevant: int) -> int:
    """Pages without a find that a crawl bears: ln(.01)/ln(1-r), in [LEAST_DRY, MOST_DRY].

    r is *relevant* / *pages*.  Raises ``ValueError`` unless 0 <= relevant <= pages.

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
    """Whether a crawl of *pages* pages, *relevant* of them found up to page *last*, stagnates.

    *last* is the place of the last relevant page, from 1; 0 if there is none.  The rate is that up to
    then: a dry stretch must not lengthen its own patience.  Raises ``ValueError`` for numbers that
    cannot be.

    >>> stagnates(1_000, 10, 1_000), stagnates(1_460, 10, 1_000)
    (False, True)
    """
    if not relevant <= last <= pages or (last > 0) is not (relevant > 0):
        raise ValueError(f"need relevant <= last <= pages, got {relevant}, {last}, {pages}")
    return pages - last > patience(last if relevant else pages, relevant)


class StagnationWatch:
    """Follows a crawl page by page, and tells when something should be done against a dry stretch.

    In constant memory; the answers are a function of the pages' order.
    """

    def __init__(self) -> None:
        self.pages = 0
        self.relevant = 0
        self.last = 0
        """Place of the last relevant page, from 1; 0 before the first one."""
        self._acted = 0
        self._stretch = False

    @property
    def dry(self) -> int:
        """Pages since the last relevant one."""
        return self.pages - self.last

    def observe(self, relevant: bool) -> Literal["begins", "lasts"] | None:
        """Count the next page: whether with it a stretch begins, or has lasted a patience longer.

        A stretch ends with a find.  Between two answers of one stretch there is a :func:`patience`.
        """
        self.pages += 1
        if relevant:
            self.relevant += 1
            self.last = self.pages
            self._stretch = False
            return None
        if not stagnates(self.pages, self.relevant, self.last):
            return None
        borne = patience(self.last or self.pages, self.relevant)
        if self.pages - self._acted <= borne:
            return None
        self.acted()
        if self._stretch:
            return "lasts"
        self._stretch = True
        return "begins"

    def acted(self) -> None:
        """Something was done just now: a patience has to pass before the next answer."""
        self._acted = self.pages
