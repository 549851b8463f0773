"""The terms of all pages that a crawl has fetched, on the topic and off it, from its journal.

The store has the texts of pages that were kept, but of few others.  The journal has the heaviest terms of
every page, hashed: enough to see which words are those of the topic, and which are those of the sites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from topiccrawl.analysis.features import feature_id
from topiccrawl.scoring.strategy import N_FEATURES, PageView
from topiccrawl.vocabulary.contrast import TermCounts

#: Pages of each sort without which nothing is compared (a guess).
_LEAST_PAGES: Final = 20


class CrawledTerms:
    """Counts the pages with each term: a receiver of the journal.

    *kept* are the link ids of the pages that are kept; all others are off the topic.
    """

    def __init__(self, kept: Collection[int]) -> None:
        self._kept = kept
        self._seen: set[int] = set()
        self._pages = np.zeros((2, N_FEATURES), dtype=np.int64)
        self._numbers = [0, 0]

    def receive(self, page: PageView) -> None:
        """Count a page, once."""
        if page.id in self._seen or not len(page.term_ids):
            return
        self._seen.add(page.id)
        side = int(page.id not in self._kept)
        self._pages[side, page.term_ids] += 1
        self._numbers[side] += 1

    @property
    def enough(self) -> bool:
        """Whether there are pages of both sorts to compare."""
        return min(self._numbers) >= _LEAST_PAGES

    def counts(self, terms: Sequence[str]) -> tuple[TermCounts, TermCounts]:
        """Return in how many kept pages, and in how many others, each of *terms* is."""
        ids = [feature_id("anchor", term) for term in terms]
        found = [
            TermCounts(float(number), Counter(dict(zip(terms, pages[ids].tolist(), strict=True))))
            for number, pages in zip(self._numbers, self._pages, strict=True)
        ]
        return found[0], found[1]
