"""The learned block classifier: two models whose parameters are in a JSON file.

The first model is a logistic regression on the features of each block. The second is a small forest of
boosted trees on the same features and on the first model's probabilities around the block
(:mod:`topiccrawl.page.body.context_features`). A third one, a logistic regression, judges parts behind
the text as wholes (:mod:`topiccrawl.page.body.other_parts`). ``python -m benchmarks.train_body`` writes the file and
reports the quality on sites left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats
from topiccrawl.page.body.context_features import context_features
from topiccrawl.page.body.features import PageFeatures
from topiccrawl.page.learned import Forest, Logistic, forest_from, logistic_from, sigmoid

#: The first model decides alone if its probability is below this value or above 1 minus this value (a
#: choice for speed: the second model costs more).
SURE = 0.01


@dataclass(frozen=True, slots=True)
class BodyModel:
    """Both models of blocks and their combination, and the model of parts."""

    first: Logistic
    second: Forest
    parts: Logistic | None = None
    """None in training, where it is learned from the probabilities of the others."""

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
        both[unsure] = sigmoid((_logit(first[unsure]) + _logit(second)) / 2)
        return both


def _logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(p / (1 - p)))


def model_from(data: dict[str, Any]) -> BodyModel:
    """Return the models of a parsed model file."""
    parts = logistic_from(data["parts"]) if "parts" in data else None
    return BodyModel(logistic_from(data["first"]), forest_from(data["second"]), parts)


@cache
def body_model() -> BodyModel:
    """Return the models that come with the project."""
    path = files("topiccrawl.page.body") / "data" / "body.json"
    return model_from(json.loads(path.read_text("utf-8")))
