"""What the pages with the nearest texts add to the log-odds of a page.

::

    x'(u) = (1 - g)·x(u) + g·Σ_v cos(u, v)²·x(v) / Σ_v cos(u, v)²      x: what text and links add to z

over the ten fetched pages v with the largest cosine of the terms.  A page of the topic that has few of the words that
the model knows has neighbors that have them, and a page that has them by chance does not (Zhu,
Ghahramani and Lafferty, "Semi-supervised learning using Gaussian fields and harmonic functions", ICML 2003).  Places
keep their own weight: where folders are topics, texts that are alike need not be of one topic.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.classifier.rows import PageFeatures, text_rows

#: Pages that count, g, and the power of the cosine.  5 and 10 pages, and a g of .3, .4 and .5, are alike; without
#: the terms that a twentieth of the pages has, half of the gain is lost; see docs/laboratory/judge.md (2026-11).
NEAREST = 10
SHARE = 0.4
POWER = 2
#: Up to this number of pages nothing is shared, from twice as many on all of g: in young crawls the nearest texts are
#: far.  With all of g after 250 pages F1 of the whole web falls in Chinese by .02 (13 topics, 2026-11).
YOUNG = 500
#: Pages in a cooperative step: 7 ms with 2,000 pages.
PIECE = 100


class NearestTexts:
    """The texts of the fetched pages of a round, and what their own text and links add to the log-odds."""

    def __init__(self, pages: Sequence[PageFeatures], parts: FloatArray) -> None:
        """Index *pages*, sorted by id; *parts* has a row of text and links for each, shape (n, 2)."""
        self._ids = np.array([page.id for page in pages], dtype=np.int64)
        self._parts = parts
        self._share = SHARE * min(1.0, max(0.0, len(pages) / YOUNG - 1))
        rows = text_rows([(page.terms, page.weights) for page in pages])
        self._columns = rows.T.tocsr()

    def shared(self, pages: Sequence[PageFeatures], own: FloatArray) -> FloatArray:
        """Return x' of any *pages*, whose x is *own*; shapes (m, 2)."""
        if not self._share:
            return own.copy()
        cosines = text_rows([(page.terms, page.weights) for page in pages]) @ self._columns
        itself = self._positions(pages)
        result = own.copy()
        for i in range(len(pages)):
            piece = slice(cosines.indptr[i], cosines.indptr[i + 1])
            at, weight = cosines.indices[piece], cosines.data[piece].astype(np.float64)
            usable = (at != itself[i]) & (weight > 0)
            at, weight = at[usable], weight[usable]
            if len(at) > NEAREST:
                # By position, so that equal cosines do not depend on the order of the product.
                best = np.lexsort((at, -weight))[:NEAREST]
                at, weight = at[best], weight[best]
            if len(at):
                weight = weight**POWER / (weight**POWER).sum()
                mean = np.einsum("i,ij->j", weight, self._parts[at])
                result[i] += self._share * (mean - own[i])
        return result

    def shared_by_all(self, pages: Sequence[PageFeatures]) -> Generator[None, None, FloatArray]:
        """Return x' of the indexed *pages*, in steps; shape (n, 2)."""
        result = np.empty_like(self._parts)
        for first in range(0, len(pages), PIECE):
            piece = slice(first, first + PIECE)
            result[piece] = self.shared(pages[piece], self._parts[piece])
            yield
        return result

    def _positions(self, pages: Sequence[PageFeatures]) -> IdArray:
        """Return the position of each page among those indexed, -1 if it is not."""
        ids = np.array([page.id for page in pages], dtype=np.int64)
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[at] == ids, at, -1)
