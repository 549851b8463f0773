"""Stagnation (停滞): whether a crawl has stopped finding anything, so that new seeds are worth more.

A crawl whose harvest rate is r finds nothing in K pages with probability (1-r)^K.  When that is under
1 %, chance no longer explains it: the frontier is used up or has drifted.
"""

from __future__ import annotations

import math

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
