"""The credit of registered domains: how far lists count as finds, and what links to new domains promise.

A list is worth what it leads to.  Its words are those of its links, so that a list of headlines on the topic is the
best page of a crawl, whatever stands behind them; a calendar, tags, a search or filters make such lists without end.
So pages without a text of their own count in advance, and as far as pages with a text follow::

    credit = min(1, (10 + Σ finds with a text) / Σ finds without one)

The sums are over the fetched pages of the domain.  As domains cost little, who introduces new ones answers for them.
A link promises R(u), the largest relevance of a word in its metadata, and keeps as much of it as the text behind it
is a find::

    trust = min(1, (10 + 5·Σ kept) / Σ promised)

These sums are over the fetched pages of all domains that one domain has introduced.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, GrowingArray
from topiccrawl.scoring.strategy import PageView

#: Finds without a text that count before any with one (a choice: with 5, endless lists get .06 to .18 in
#: place of .11 to .26 of the pages, but one of eight cells without them loses .02; docs/laboratory/order.md, 2026-11).
ADVANCE = 10.0
#: One kept promise makes up for this number of promises: on generated webs without lures the worst account had
#: 4.3 kept of 29, those of attackers at most .8 of 49 (2026-11).
KEPT = 5.0
#: Finds with a text from which a domain answers for what it introduces itself (a choice).
ANSWERS = 1.0
#: Weight of the trust in the log-odds of a link that promises all (a choice: with 2, half of the effect).
PROMISE = 6.0


def find_value(page: PageView) -> float:
    """Return what a page is worth as a find by itself, in [0, 1]."""
    return 1.0 if page.relevant else min(1.0, 2.0 * page.relevance)


class DomainCredit:
    """The finds of registered domains, which are numbered from 0 on; -1 is an unknown one, with full credit.

    A domain is introduced by the domain of the first page that links there, or, as long as that one has no find with
    a text, by the one that introduced that one; seeds are introduced by none.

    Memory: 36 bytes for each domain.
    """

    def __init__(self) -> None:
        #: Those of domain d are at d + 1; at 0, to which nothing is added, are those of the unknown domain.
        self._written = GrowingArray(np.float64)
        self._listed = GrowingArray(np.float64)
        #: Where the domain is that answers for it; 0 if there is none.
        self._introduced_by = GrowingArray(np.int32)
        #: Of the domains that a domain introduced.
        self._promised = GrowingArray(np.float64)
        self._kept = GrowingArray(np.float64)
        self._resize(0)

    def introduce(self, domains: range, by: int) -> None:
        """Note that the new *domains* were introduced by a page of the domain *by*."""
        self._resize(max(domains.stop, by + 1))
        if by >= 0 and len(domains):
            earlier = int(self._introduced_by.view()[by + 1])
            itself = not earlier or self._written.view()[by + 1] >= ANSWERS
            self._introduced_by.view()[domains.start + 1 : domains.stop + 1] = (
                by + 1 if itself else earlier
            )

    def add(self, domain: int, page: PageView, *, asked: int = -1, promise: float = 0.0) -> float:
        """Add a fetched page; return what it counts as a find, in [0, 1].

        Parameters
        ----------
        domain
            The page's domain.
        asked
            The domain that the link led to, another one if it redirects; -1 if no link led there.
        promise
            What the link promised, in [0, 1].
        """
        find = find_value(page)
        self._resize(max(domain, asked) + 1)
        if by := int(self._introduced_by.view()[asked + 1]):
            self._promised.view()[by] += promise
            self._kept.view()[by] += 0.0 if page.no_body else min(promise, find)
        if domain < 0:
            return find
        written, listed = self._written.view(), self._listed.view()
        if not page.no_body:
            written[domain + 1] += find
            return find
        advance = ADVANCE if self.trust(np.array([domain]))[0] == 1 else 0.0
        left = advance + float(written[domain + 1] - listed[domain + 1])
        listed[domain + 1] += find
        return min(find, max(0.0, left))

    def of_lists(self, domains: NDArray[np.integer]) -> FloatArray:
        """Return what lists of domains are worth, in (0, 1], shape (n,)."""
        return self._credit(domains, self.trust(domains))

    def trust(self, domains: NDArray[np.integer]) -> FloatArray:
        """Return the trust in what introduced domains, in (0, 1], shape (n,)."""
        by = self._introduced_by.view()[domains + 1]
        promised, kept = self._promised.view()[by], self._kept.view()[by]
        return np.asarray(np.minimum(1.0, (ADVANCE + KEPT * kept) / np.maximum(promised, ADVANCE)))

    def log_odds(self, domains: NDArray[np.integer], promises: FloatArray) -> FloatArray:
        """Return what credit and trust add to the log-odds of links, <= 0, shape (n,).

        *promises* are what the links promise, in [0, 1], shape (n,).
        """
        credit = self._credit(domains)
        return np.asarray(np.log(credit) + PROMISE * promises * np.log(self.trust(domains)))

    def _credit(self, domains: NDArray[np.integer], share: FloatArray | float = 1.0) -> FloatArray:
        """Return the credit of domains with that share of the advance, in (0, 1], shape (n,)."""
        written, listed = (it.view()[domains + 1] for it in (self._written, self._listed))
        earned = ADVANCE * share + written
        return np.asarray(np.minimum(1.0, earned / np.maximum(listed, ADVANCE)))

    def _resize(self, size: int) -> None:
        for column in (
            self._written, self._listed, self._introduced_by, self._promised, self._kept
        ):  # fmt: skip
            column.resize(size + 1)
