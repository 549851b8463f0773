"""How far finds without a text of their own count: pages that list links, mostly.

A list is worth what it leads to.  Its words are those of its links, so that a list of headlines on the topic is the
best page of a crawl, whatever stands behind them; a calendar, tags, a search or filters make such lists without end.
So the lists of a registered domain count in advance, and as far as pages with a text of their own follow::

    credit = min(1, (10 + Σ finds with a text) / Σ finds without one)

The sums are over the fetched pages of the domain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, GrowingArray
from topiccrawl.scoring.strategy import PageView

#: Finds without a text that count before any with one (a choice: with 5, endless lists get .06 to .18 in
#: place of .11 to .26 of the pages, but one of eight cells without them loses .02; docs/laboratory/order.md, 2026-11).
ADVANCE = 10.0


def find_value(page: PageView) -> float:
    """Return what a page is worth as a find by itself, in [0, 1]."""
    return 1.0 if page.relevant else min(1.0, 2.0 * page.relevance)


class DomainCredit:
    """The finds of registered domains, which are numbered from 0 on; -1 is an unknown one, with full credit.

    Memory: 16 bytes for each domain.
    """

    def __init__(self) -> None:
        self._written = GrowingArray(np.float64)
        self._listed = GrowingArray(np.float64)

    def add(self, domain: int, page: PageView) -> float:
        """Add a fetched page; return what it counts as a find, in [0, 1]."""
        find = find_value(page)
        if domain < 0:
            return find
        self._written.resize(domain + 1)
        self._listed.resize(domain + 1)
        written, listed = self._written.view(), self._listed.view()
        if not page.no_body:
            written[domain] += find
            return find
        left = ADVANCE + float(written[domain] - listed[domain])
        listed[domain] += find
        return min(find, max(0.0, left))

    def of(self, domains: NDArray[np.integer]) -> FloatArray:
        """Return the credit of domains, in (0, 1], shape (n,)."""
        credit = np.ones(len(domains))
        known = np.flatnonzero((domains >= 0) & (domains < len(self._listed)))
        written, listed = (it.view()[domains[known]] for it in (self._written, self._listed))
        credit[known] = np.minimum(1.0, (ADVANCE + written) / np.maximum(listed, ADVANCE))
        return credit
