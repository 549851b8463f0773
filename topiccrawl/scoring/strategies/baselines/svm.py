"""A linear support vector machine that learns online, one example at a time.

Pegasos: minimize λ/2·‖w‖² + mean of max(0, 1 - y·w·x) by one step of size 1/(λt) per example.  With
that step size w_t = Σ y·x / (λt) over the examples that were within the margin when they came, so only
the sum is stored.

References
----------
S. Shalev-Shwartz, Y. Singer, N. Srebro, "Pegasos: primal estimated sub-gradient solver for SVM", ICML
2007.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
from topiccrawl.scoring.strategy import N_FEATURES

#: λ: of .01, .001 and .0001 the value that a single pass over 1,000 generated texts learned best with.
PENALTY = 1e-2


class LinearSvm:
    """y = sign(w·x) for sparse x of norm 1.

    Notes
    -----
    There is no bias, as in the source: words that all pages contain take its place.  Examples of the
    rarer class weigh more, n / (2·n_class), so that a crawl that finds little does not learn to refuse
    everything.  Memory: 2 MB.
    """

    def __init__(self, penalty: float = PENALTY) -> None:
        self._sum = np.zeros(N_FEATURES)
        self._scale = penalty
        self._seen = {True: 0, False: 0}

    @property
    def ready(self) -> bool:
        """Whether examples of both classes have been learned."""
        return min(self._seen.values()) > 0

    def decision(self, feature_ids: FeatureIdArray, weights: FloatArray) -> float:
        """Return w·x; above 0 means "accept".

        Parameters
        ----------
        feature_ids
            Features of x without repetitions, shape (m,).
        weights
            Their values, shape (m,).
        """
        steps = sum(self._seen.values())
        if not steps:
            return 0.0
        return float(self._sum[feature_ids] @ weights) / (self._scale * steps)

    def learn(self, feature_ids: FeatureIdArray, weights: FloatArray, accept: bool) -> None:
        """Learn an example of class *accept*; see :meth:`decision` for the arrays."""
        sign = 1.0 if accept else -1.0
        inside = sign * self.decision(feature_ids, weights) < 1
        self._seen[accept] += 1
        if inside:
            step = sign * sum(self._seen.values()) / (2 * self._seen[accept])
            self._sum[feature_ids] += step * weights
