"""The crawler of [doc002]: semantic similarity of pages and of links.

::

    Sim(page) = α·M_k(title) + β·M_k(text) + γ·mean(Sim of the pages that show it)     (1), (2)
    Sim(link) = α'·M_k(anchor) + β'·M_k(URL) + γ'·Sim(page that shows it)              (3)

M_k, the mean of the k words nearest to the topic, comes with the page: see
:mod:`topiccrawl.analysis.semantic`.  Missing terms (no anchor text, a seed's parents) are left out, and
the other weights are divided by their sum.  [doc002] follows only links from .35 and pages from .5 on
(values of ours); in an order such a threshold changes nothing and is left out.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.strategies.local import LocalStrategy
from topiccrawl.scoring.strategy import LinkScores, PageView

#: α, β, γ of pages and of links (guesses: [doc002] only states which weigh most).
PAGE_WEIGHTS, LINK_WEIGHTS = (0.5, 0.3, 0.2), (0.5, 0.2, 0.3)


class SemanticStrategy(LocalStrategy):
    """Order links by Sim(link), in [0, 1], the highest over all pages that show them."""

    wants = frozenset({"semantic"})

    def __init__(self, config: StrategyConfig) -> None:
        super().__init__("semantic", self._similarity, config)
        self._fetched: set[int] = set()
        self._sum = GrowingArray(np.float64)
        self._count = GrowingArray(np.float64)

    def score(self, page: PageView) -> LinkScores:
        scores = super().score(page)
        if page.id not in self._fetched:
            self._fetched.add(page.id)
            ids = page.links.targets.tolist()
            rows = np.array([self._index[i] for i in ids], dtype=np.int64)
            for column, value in ((self._sum, self._page(page)), (self._count, 1.0)):
                column.resize(len(self._index))
                column.view()[rows] += value
        return scores

    def _page(self, page: PageView) -> float:
        """Return Sim(page), 0 if all of its terms are missing."""
        known = np.full((1, 3), np.nan)
        if page.semantic.size:
            known[0, :2] = page.semantic
        row = self._index.get(page.id, -1)
        if 0 <= row < len(self._count) and self._count.view()[row]:
            known[0, 2] = self._sum.view()[row] / self._count.view()[row]
        return float(weighted_mean(known, PAGE_WEIGHTS)[0])

    def _similarity(self, page: PageView, config: StrategyConfig) -> LinkScores:
        known = np.full((len(page.links), 3), np.nan)
        if page.links.semantic.size:
            known[:, :2] = page.links.semantic
        known[:, 2] = self._page(page)
        filled = np.nan_to_num(known)
        parts = {"anchor": filled[:, 0], "address": filled[:, 1], "page": filled[:, 2]}
        return LinkScores(weighted_mean(known, LINK_WEIGHTS), parts)


def weighted_mean(values: FloatArray, weights: tuple[float, ...]) -> FloatArray:
    """Return Σ w·x / Σ w over the x of each row that are not nan, 0 if all are: (n, k) to (n,)."""
    known = ~np.isnan(values)
    total = known @ np.array(weights)
    found = np.where(known, values, 0.0) @ np.array(weights)
    result = np.zeros(len(values))
    np.divide(found, total, out=result, where=total > 0)
    return result
