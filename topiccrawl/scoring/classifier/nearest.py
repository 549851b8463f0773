"""What the pages with the nearest texts add to the log-odds of a page.

::

    x'(u) = (1 - g)·x(u) + g·Σ_v cos(u, v)²·x(v) / Σ_v cos(u, v)²      x: what text and links add to z

over the ten fetched pages v with the largest cosine of the terms.  A page of the topic that has few of the words that
the model knows has neighbors that have them, and a page that has them by chance does not (Zhu,
Ghahramani and Lafferty, "Semi-supervised learning using Gaussian fields and harmonic functions", ICML 2003).  Places
keep their own weight: where folders are topics, texts that are alike need not be of one topic.

Cosines do not change from round to round: a round compares the pages that are new with all.  The nearest of a page
are a function of the set of pages, to the last bit: both pages of a pair add the products of the terms that they
share in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, IdArray, ranges
from topiccrawl.scoring.classifier.rows import Float32Array, PageFeatures, text_rows

#: Pages that count, g, and the power of the cosine.  5 and 10 pages, and a g of .3, .4 and .5, are alike; without
#: the terms that a twentieth of the pages has, half of the gain is lost; see docs/laboratory/judge.md (2026-11).
NEAREST: Final = 10
SHARE: Final = 0.4
POWER: Final = 2
#: Up to this number of pages nothing is shared, from twice as many on all of g: in young crawls the nearest texts are
#: far.  With all of g after 250 pages F1 of the whole web falls in Chinese by .02 (13 topics, 2026-11).
YOUNG: Final = 500
#: Pages in a cooperative step.
PIECE: Final = 50

#: A neighbor in 63 bits: those of its cosine, a positive float of 32 bits, which are in the order of its value, and
#: its position from the end.  So larger is nearer, of equal ones the first, and 0 is none.
_POSITION_BITS: Final = 20
_POSITIONS: Final = (1 << _POSITION_BITS) - 1

_Neighbors = NDArray[np.int64]


class NearestTexts:
    """The nearest texts among the fetched pages of a round, and what text and links of each add to its log-odds."""

    def __init__(self, pages: Sequence[PageFeatures], parts: FloatArray) -> None:
        """Index *pages*, sorted by id; *parts* has a row of text and links for each, shape (n, 2)."""
        self._pages = pages
        self._ids = np.array([page.id for page in pages], dtype=np.int64)
        self._parts = parts
        self._share = SHARE * min(1.0, max(0.0, len(pages) / YOUNG - 1))
        # Columns of links and places would take 2 MB in the index.
        self._columns = text_rows(pages).T.tocsr()
        self._neighbors: _Neighbors | None = None

    def shared(self, page: PageFeatures, own: FloatArray) -> FloatArray:
        """Return x' of any *page*, whose x is *own*; shapes (2,)."""
        if not self._share:
            return own
        cosines = self._cosines(page)[None]
        neighbors = _largest(_as_neighbors(cosines, self._positions([page])))
        return np.asarray(self._mixed(own[None], neighbors)[0])

    def shared_by_all(
        self, previous: NearestTexts | None = None
    ) -> Generator[None, None, FloatArray]:
        """Return x' of the indexed pages, shape (n, 2), in steps; *previous* is the index of an earlier round."""
        if not self._share:
            return self._parts.copy()
        neighbors, new = self._known(previous)
        known = np.delete(np.arange(len(self._ids)), new)
        for first in range(0, len(new), PIECE):
            piece = new[first : first + PIECE]
            # The rows of all pages would be kept as long as the columns, and take as much.
            texts = text_rows([self._pages[i] for i in piece.tolist()])
            compared = _as_neighbors((texts @ self._columns).toarray(), piece)
            neighbors[piece] = _largest(compared)
            if len(known):
                found = compared.T[known]
                alike = found > 0
                found &= ~_POSITIONS
                found |= _POSITIONS - piece
                found *= alike
                neighbors[known] = _largest(np.hstack([neighbors[known], found]))
            yield
        self._neighbors = neighbors
        return self._mixed(self._parts, neighbors)

    def _known(self, previous: NearestTexts | None) -> tuple[_Neighbors, IdArray]:
        """Return the neighbors that *previous* knows, shape (n, NEAREST), and the positions of pages that are new.

        All are new if a page of *previous* was given up, or has another text.
        """
        neighbors = np.zeros((len(self._ids), NEAREST), dtype=np.int64)
        every = np.arange(len(self._ids))
        if previous is None or previous._neighbors is None:
            return neighbors, every
        at = previous._positions(self._pages)
        now = np.flatnonzero(at >= 0)
        before = at[now]
        same = all(
            self._pages[i] is previous._pages[j]
            for i, j in zip(now.tolist(), before.tolist(), strict=True)
        )
        if len(now) < len(previous._ids) or not same:
            return neighbors, every
        known = previous._neighbors[before]
        moved = (known & ~_POSITIONS) | (_POSITIONS - now[_at(known)])
        neighbors[now] = np.where(known > 0, moved, 0)
        return neighbors, np.delete(every, now)

    def _cosines(self, page: PageFeatures) -> Float32Array:
        """Return the cosines of the text of *page* and those indexed, shape (n,).

        The same, to the last bit, as the product of sparse rows, which takes twice as long for a single one.
        """
        first = self._columns.indptr[page.terms]
        count = self._columns.indptr[page.terms + 1] - first
        at = ranges(first, count)
        products = self._columns.data[at] * np.repeat(page.weights, count)
        cosines = np.zeros(len(self._ids), dtype=np.float32)
        np.add.at(cosines, self._columns.indices[at], products)
        return cosines

    def _mixed(self, own: FloatArray, neighbors: _Neighbors) -> FloatArray:
        """Return x' of texts with x = *own* and these *neighbors*; shape (m, 2)."""
        cosines = (neighbors >> _POSITION_BITS).astype(np.int32).view(np.float32)
        weight = cosines.astype(np.float64) ** POWER
        total = weight.sum(axis=1)
        mean = np.einsum("ij,ijk->ik", weight, self._parts[_at(neighbors)])
        mean /= np.where(total > 0, total, 1.0)[:, None]
        return np.where((total > 0)[:, None], own + self._share * (mean - own), own)

    def _positions(self, pages: Sequence[PageFeatures]) -> IdArray:
        """Return the position of each page among those indexed, -1 if it is not."""
        ids = np.array([page.id for page in pages], dtype=np.int64)
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[at] == ids, at, -1)


def _as_neighbors(cosines: Float32Array, itself: IdArray) -> _Neighbors:
    """Return the indexed pages as neighbors of texts, but *itself* (-1: none); shapes (m, n) and (m,), kept."""
    inside = np.flatnonzero(itself >= 0)
    cosines[inside, itself[inside]] = 0.0
    neighbors = cosines.view(np.int32).astype(np.int64)
    neighbors <<= _POSITION_BITS
    neighbors |= _POSITIONS - np.arange(cosines.shape[1])
    neighbors *= cosines > 0
    return neighbors


def _at(neighbors: _Neighbors) -> IdArray:
    """Return the positions of *neighbors*, 0 for none; of the same shape."""
    return np.where(neighbors > 0, _POSITIONS - (neighbors & _POSITIONS), 0)


def _largest(neighbors: _Neighbors) -> _Neighbors:
    """Return the nearest of each row, nearest first; shape (m, n) to (m, NEAREST)."""
    n = neighbors.shape[1]
    if n < NEAREST:
        neighbors = np.hstack([neighbors, np.zeros((len(neighbors), NEAREST - n), dtype=np.int64)])
    elif n > NEAREST:
        neighbors = np.partition(neighbors, n - NEAREST, axis=1)[:, n - NEAREST :]
    return np.asarray(np.sort(neighbors, axis=1)[:, ::-1])
