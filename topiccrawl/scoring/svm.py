"""A linear support vector machine that learns from one example after the other.

Source: S. Shalev-Shwartz, Y. Singer, N. Srebro, "Pegasos: primal estimated sub-gradient solver for
SVM", ICML 2007: the minimum of λ/2·‖w‖² + mean of max(0, 1 - y·w·x), one step of size 1/(λt) for each
example.  With that step size w_t = Σ y·x / (λt) over the examples that were within the margin when
they came, so only the sum is kept.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, SlotArray
from topiccrawl.scoring.strategy import FEATURE_SLOTS

PENALTY = 1e-2
"""λ: of .01, .001 and .0001 the one that a single pass over 1,000 drawn texts learned best with."""


class LinearSvm:
    """y = sign(w·x) for sparse x of norm 1, without bias as in the source: words that all pages have do
    its work.

    Examples of the rarer class weigh more, n / (2·n_class), so that a crawl that finds little does not
    learn to refuse all.  Memory: 2 MB.
    """

    def __init__(self, penalty: float = PENALTY) -> None:
        self._sum = np.zeros(FEATURE_SLOTS)
        self._scale = penalty
        self._seen = {True: 0, False: 0}

    @property
    def ready(self) -> bool:
        """Whether it has seen examples of both classes."""
        return min(self._seen.values()) > 0

    def decision(self, slots: SlotArray, weights: FloatArray) -> float:
        """w·x; over 0 for "accept".  *slots* none twice, both of shape (m,)."""
        steps = sum(self._seen.values())
        if not steps:
            return 0.0
        return float(self._sum[slots] @ weights) / (self._scale * steps)

    def learn(self, slots: SlotArray, weights: FloatArray, accept: bool) -> None:
        """One step with an example of class *accept*."""
        sign = 1.0 if accept else -1.0
        inside = sign * self.decision(slots, weights) < 1
        self._seen[accept] += 1
        if inside:
            step = sign * sum(self._seen.values()) / (2 * self._seen[accept])
            self._sum[slots] += step * weights
