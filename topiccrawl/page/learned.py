"""Learned models whose parameters are numbers in a JSON file: logistic regression and boosted trees."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Rows that run through the trees at a time, which bounds memory.
_CHUNK: Final = 4_096


@dataclass(frozen=True, slots=True)
class Logistic:
    """Logistic regression: ``p = 1 / (1 + exp(-(w . x + b)))``; w and b include feature scaling."""

    weights: Floats
    bias: float

    def predict(self, matrix: Floats) -> Floats:
        """Return the probability of each row of a matrix of shape (rows, features)."""
        return sigmoid(self.odds(matrix))

    def odds(self, matrix: Floats) -> Floats:
        """Return the logarithm of the odds of each row."""
        return np.asarray(matrix @ self.weights + self.bias)


@dataclass(frozen=True, slots=True)
class Forest:
    """Boosted trees as arrays of shape (nodes,) unless stated otherwise.

    ``p = sigmoid(bias + sum over trees of the value of the leaf that a row falls in)``; a row goes
    left where its feature is at most the threshold.
    """

    roots: NDArray[np.intp]
    """Shape (trees,)."""
    feature: NDArray[np.intp]
    threshold: Floats
    children: NDArray[np.intp]
    """Shape (2 nodes,): the right and the left child of each node; those of a leaf are the leaf itself."""
    value: Floats
    depth: int
    """At least 1."""
    bias: float

    def predict(self, matrix: Floats) -> Floats:
        """Return the probability of each row of a matrix of shape (rows, features)."""
        return sigmoid(self.odds(matrix))

    def odds(self, matrix: Floats) -> Floats:
        """Return the logarithm of the odds of each row."""
        pieces = [self._odds(matrix[at : at + _CHUNK]) for at in range(0, len(matrix), _CHUNK)]
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def _odds(self, matrix: Floats) -> Floats:
        values = matrix.ravel()
        row = np.arange(0, matrix.size, matrix.shape[1])[:, None]
        node = self.roots[None]
        # ``take`` with flat indices costs a fraction of indexing by arrays.
        for _ in range(self.depth):
            goes_left = values.take(row + self.feature.take(node)) <= self.threshold.take(node)
            node = self.children.take(2 * node + goes_left)
        return np.asarray(self.bias + self.value.take(node).sum(axis=1))


@dataclass(frozen=True, slots=True)
class Choice:
    """The odds that a candidate is the right one: the mean of the log odds of two models.

    The logistic regression keeps its judgment on sites unlike those of the training; the trees know how
    features go together.
    """

    linear: Logistic
    trees: Forest

    def odds(self, matrix: Floats) -> Floats:
        """Return the mean of both models' log odds, shape (candidates,)."""
        return (self.linear.odds(matrix) + self.trees.odds(matrix)) / 2


def logistic_from(data: dict[str, Any]) -> Logistic:
    """Return the logistic regression of a parsed model file."""
    return Logistic(np.asarray(data["weights"], np.float64), float(data["bias"]))


def forest_from(data: dict[str, Any]) -> Forest:
    """Return the boosted trees of a parsed model file."""
    return Forest(
        roots=np.asarray(data["roots"], np.intp),
        feature=np.asarray(data["feature"], np.intp),
        threshold=np.asarray(data["threshold"], np.float64),
        children=np.column_stack((data["right"], data["left"])).astype(np.intp).ravel(),
        value=np.asarray(data["value"], np.float64),
        depth=int(data["depth"]),
        bias=float(data["bias"]),
    )


def choice_from(data: dict[str, Any]) -> Choice:
    """Return the two models of a parsed model file."""
    return Choice(logistic_from(data["linear"]), forest_from(data["trees"]))


@cache
def choice_of(package: str, name: str) -> Choice:
    """Return the models in the file *name* of the folder ``data`` of a package of the project."""
    return choice_from(json.loads((files(package) / "data" / name).read_text("utf-8")))


def sigmoid(values: Floats) -> Floats:
    """Return ``1 / (1 + exp(-x))`` of each value."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))))
