"""The learned block classifier: two models whose parameters are in a JSON file.

The first model is a logistic regression on the features of each block. The second is a small forest of
boosted trees on the same features and on the first model's probabilities around the block
(:mod:`topiccrawl.page.body.context_features`). ``python -m benchmarks.train_body`` writes the file and
reports the quality on sites left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.body.blocks import Blocks, Floats
from topiccrawl.page.body.context_features import context_features
from topiccrawl.page.body.features import PageFeatures

#: The first model decides alone if its probability is below this value or above 1 minus this value (a
#: choice for speed: the second model costs more).
SURE = 0.01
# Blocks that run through the trees at a time, which bounds memory.
_CHUNK = 4_096


@dataclass(frozen=True, slots=True)
class Logistic:
    """Logistic regression: ``p = 1 / (1 + exp(-(w . x + b)))``; w and b include feature scaling."""

    weights: Floats
    bias: float

    def predict(self, matrix: Floats) -> Floats:
        """Return the probability of each row of a matrix of shape (blocks, features)."""
        return _sigmoid(matrix @ self.weights + self.bias)


@dataclass(frozen=True, slots=True)
class Forest:
    """Boosted trees as arrays of shape (nodes,); the children of a leaf are the leaf itself.

    ``p = sigmoid(bias + sum over trees of the value of the leaf that a row falls in)``; a row goes
    left where its feature is at most the threshold.
    """

    roots: NDArray[np.int32]
    """Shape (trees,)."""
    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: Floats
    depth: int
    bias: float

    def predict(self, matrix: Floats) -> Floats:
        """Return the probability of each row of a matrix of shape (blocks, features)."""
        pieces = [self._predict(matrix[at : at + _CHUNK]) for at in range(0, len(matrix), _CHUNK)]
        return np.concatenate(pieces)

    def _predict(self, matrix: Floats) -> Floats:
        rows = np.arange(len(matrix))[:, None]
        node = np.broadcast_to(self.roots, (len(matrix), len(self.roots)))
        for _ in range(self.depth):
            goes_left = matrix[rows, self.feature[node]] <= self.threshold[node]
            node = np.where(goes_left, self.left[node], self.right[node])
        return _sigmoid(self.bias + self.value[node].sum(axis=1))


@dataclass(frozen=True, slots=True)
class BodyModel:
    """Both models and their combination."""

    first: Logistic
    second: Forest

    def predict(self, blocks: Blocks, features: PageFeatures) -> Floats:
        """Return the probability of each block to be body, shape (blocks,).

        It is the geometric mean of both models' odds: ``logit p = (logit p1 + logit p2) / 2``. The
        second model does not run on blocks for which the first one is sure.
        """
        first = self.first.predict(features.matrix)
        unsure = np.flatnonzero((first > SURE) & (first < 1 - SURE))
        if not len(unsure):
            return first
        around = context_features(blocks, features, first)[unsure]
        second = self.second.predict(np.hstack((features.matrix[unsure], around)))
        both = first.copy()
        both[unsure] = _sigmoid((_logit(first[unsure]) + _logit(second)) / 2)
        return both


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))))


def _logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(p / (1 - p)))


def model_from(data: dict[str, Any]) -> BodyModel:
    """Return the models of a parsed model file."""
    first, second = data["first"], data["second"]
    forest = Forest(
        roots=np.asarray(second["roots"], np.int32),
        feature=np.asarray(second["feature"], np.int32),
        threshold=np.asarray(second["threshold"], np.float64),
        left=np.asarray(second["left"], np.int32),
        right=np.asarray(second["right"], np.int32),
        value=np.asarray(second["value"], np.float64),
        depth=int(second["depth"]),
        bias=float(second["bias"]),
    )
    return BodyModel(Logistic(np.asarray(first["weights"]), float(first["bias"])), forest)


@cache
def body_model() -> BodyModel:
    """Return the models that come with the project."""
    path = files("topiccrawl.page.body") / "data" / "body.json"
    return model_from(json.loads(path.read_text("utf-8")))
