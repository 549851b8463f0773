"""Sample texts that the user gave: positives of the page classifier.

A text alone has neither links nor a place.  So the page that it was taken from stands for it as soon as the crawl
has fetched that page: the one whose terms have the largest cosine with the sample's, if that is at least
:data:`ALIKE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import sparse

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
from topiccrawl.scoring.classifier.rows import ALL_IDS, TERMS, PageFeatures, normalized

#: A sample of the topic weighs as much as this number of pages, if the samples agree (topics/learn.py).  3 and 10
#: raised F1 by .03 and .05 on 11 English topics and changed nothing on 7 Chinese ones (2026-11).
SAMPLE_WEIGHT: Final = 5.0
#: Least cosine of a sample and the page that it was taken from (a choice: another body of the same page).
ALIKE: Final = 0.9


class Samples:
    """The sample texts of a topic, and the fetched pages that they were taken from.

    Attributes
    ----------
    rows : sparse.csr_matrix
        A row for each text, of norm 1, without links and place.
    weight : float
        As how many pages each counts.
    """

    def __init__(
        self, texts: Sequence[tuple[FeatureIdArray, FloatArray]], weight: float = SAMPLE_WEIGHT
    ) -> None:
        """Take term ids and weights of each text."""
        self.weight = weight
        self.rows = _rows(texts)
        self._terms = np.unique(self.rows.indices)
        self._weights = self.rows[:, self._terms].toarray()
        # By page: the sample, and the cosine.
        self._alike: dict[int, tuple[int, float]] = {}

    def add(self, page: PageFeatures) -> None:
        """Compare a fetched page with the samples."""
        self.forget(page.id)
        if not len(self._terms):
            return
        column = np.searchsorted(self._terms, page.terms)
        column[column == len(self._terms)] = 0
        shared = self._terms[column] == page.terms
        cosines = np.einsum("ij,j->i", self._weights[:, column[shared]], page.weights[shared])
        sample = int(np.argmax(cosines))
        if cosines[sample] >= ALIKE:
            self._alike[page.id] = sample, float(cosines[sample])

    def forget(self, page: int) -> None:
        """Give up a page."""
        self._alike.pop(page, None)

    def among(self, pages: Sequence[PageFeatures]) -> dict[int, int]:
        """Return which of *pages* the samples were taken from: indices into *pages* by sample."""
        found: dict[int, int] = {}
        most: dict[int, float] = {}
        for i, page in enumerate(pages if self._alike else ()):
            sample, cosine = self._alike.get(page.id, (-1, 0.0))
            if cosine > most.get(sample, 0.0):
                found[sample], most[sample] = i, cosine
        return found


def _rows(texts: Sequence[tuple[FeatureIdArray, FloatArray]]) -> sparse.csr_matrix:
    """Return the heaviest terms of *texts*, sorted, as rows of norm 1, shape (n, ALL_IDS)."""
    ids = [ids[:TERMS] for ids, _ in texts]
    weights = [normalized(weights[:TERMS]) for _, weights in texts]
    row = np.repeat(np.arange(len(texts)), [len(it) for it in ids])
    entries = np.concatenate([np.empty(0, np.float32), *weights])
    columns = np.concatenate([np.empty(0, np.int32), *ids])
    return sparse.csr_matrix((entries, (row, columns)), shape=(len(texts), ALL_IDS))
