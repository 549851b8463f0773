"""A judge of strings: how likely a string of Han characters is a word.

Two logistic models, one for each of the two usual standards of segmentation, which disagree about names:
one counts 李岚清 as one word, the other as two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.vocabulary.features import FEATURES
from topiccrawl.vocabulary.weights import BIAS, WEIGHTS

if TYPE_CHECKING:
    from topiccrawl.scoring.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Weights:
    """Two logistic models."""

    by_feature: FloatArray
    """Shape (len(FEATURES), 2)."""
    bias: FloatArray
    """Shape (2,)."""


@cache
def fitted() -> Weights:
    """Return the weights of the module :mod:`topiccrawl.vocabulary.weights`."""
    return Weights(np.array([WEIGHTS[name] for name in FEATURES]), np.array(BIAS))


def probabilities(features: FloatArray, weights: Weights | None = None) -> FloatArray:
    """Return the probability that a string is a word, by each standard.

    Parameters
    ----------
    features
        Shape (n, len(FEATURES)), see :mod:`topiccrawl.vocabulary.features`.

    Returns
    -------
    array of shape (n, 2)
        1 / (1 + e^-z), z = b + Σ w·x: with names cut into surname and given name, and with whole names.
    """
    weights = weights or fitted()
    z = features @ weights.by_feature + weights.bias
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * z)))
