"""From how many registered domains pages come, and whether one of them has nearly all.

Anyone can publish pages, under any number of host names: what only one domain says may be its invention.  It may
as well be news, so that it is marked, not left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Mask
from topiccrawl.urls.domains import registered_domain

#: Part of their ordinary share that other domains must have (a choice: no drawn honest burst has less).
_PART: Final = 0.5
#: Probability above which so few pages of other domains are chance (a choice: the usual level).
_CHANCE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Sources:
    """The registered domains of some pages."""

    domains: int
    """Number of domains."""
    largest: str
    """The domain with most pages; the first in the alphabet of several."""
    share: float
    """Its share of the pages, (0, 1]."""
    one_sided: bool
    """Whether all other domains together clearly have less than half of their ordinary share of what is new."""


class Origins:
    """Looks up the sources of pages of one collection."""

    def __init__(self, overview: Overview, ordinary: Mask) -> None:
        """*ordinary* are the pages that show which share each domain has ordinarily."""
        self._overview = overview
        self._ordinary = np.bincount(
            overview.domain[ordinary], minlength=int(overview.domain.max(initial=0)) + 1
        )
        self._pages = max(1, int(ordinary.sum()))

    def of(self, rows: NDArray[np.int64], expected: float = 0.0) -> Sources:
        """Return the sources of the pages in *rows*, of which *expected* are ordinary; not empty.

        Of n pages, the largest domain d has all but m; q is the ordinary share of all domains but d.  The pages
        are one-sided if ``m - expected·q < (n - expected)·q / 2`` and ``P(Binomial(n, q) <= m) <= 0.05``: never
        where there is no other domain.
        """
        codes, at, counts = np.unique(
            self._overview.domain[rows], return_index=True, return_counts=True
        )
        most = np.flatnonzero(counts == counts.max())
        name, best = min((self._name(int(rows[at[it]])), int(it)) for it in most.tolist())
        pages, others = len(rows), int(len(rows) - counts[best])
        ordinary = 1.0 - float(self._ordinary[codes[best]] / self._pages)
        few = others - expected * ordinary < _PART * (pages - expected) * ordinary
        one_sided = few and bool(bdtr(others, pages, ordinary) <= _CHANCE)
        return Sources(len(codes), name, 1.0 - others / pages, one_sided)

    def _name(self, row: int) -> str:
        return registered_domain(self._overview.books.site.names[self._overview.columns.site[row]])
