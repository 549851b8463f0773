"""Weights of models of a site's changes, from how well each predicted what visits found."""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.bursts import MODELS
from topiccrawl.freshness.types import FloatArray

#: Decay of old predictions with every visit to the site (a guess: some 3,000 visits count).
_MEMORY = 0.9997
#: Share of a prediction's log-likelihood that counts: visits on one day are not independent (a guess).
_TEMPER = 0.2


#: Scores at the start of "one rate for all pages" and of a rate for each page without bursts; those of bursts are 0
#: (guesses: chance makes the pages and days of a new site look different).
_EQUAL, _STEADY = 6.0, 2.0


class ModelWeights:
    """The weights of the models of each site: one rate for all pages, and the models of ``bursts``.

    A site whose pages all change alike gets the rota that suits it, because "one rate for all pages" predicts
    its changes as well as any.
    """

    def __init__(self) -> None:
        self._scores: FloatArray = np.zeros((1 + MODELS, 0))

    def grow(self, sites: int) -> None:
        """Add sites that are new."""
        if (more := sites - self._scores.shape[1]) > 0:
            new = np.zeros((1 + MODELS, more))
            new[:2] = [[_EQUAL], [_STEADY]]
            self._scores = np.concatenate([self._scores, new], axis=1)

    def visited(self, site: int, unchanged: FloatArray, changed: bool) -> None:
        """Record what a visit found, and the probability of "unchanged" under each model."""
        if site < self._scores.shape[1]:
            probability = 1 - unchanged if changed else unchanged
            gained = _TEMPER * np.log(np.maximum(probability, 1e-6))
            self._scores[:, site] = _MEMORY * self._scores[:, site] + gained

    @property
    def equal(self) -> FloatArray:
        """Weight of "one rate for all pages" against a rate for each page, in each site."""
        return np.asarray(_weights(self._scores[:2])[0])

    @property
    def bursts(self) -> FloatArray:
        """Weights of the models of ``bursts`` among themselves, shape (models, sites)."""
        return _weights(self._scores[1:])


def _weights(scores: FloatArray) -> FloatArray:
    weights = np.exp(scores - scores.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))
