"""Fit the learned models of :mod:`topiccrawl.page.learned`, as they are stored in JSON files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from topiccrawl.page.learned import Floats

#: Learning rate and ridge of a forest (usual values; not tuned).
RATE, RIDGE = 0.1, 5.0
#: C of a logistic regression (not tuned).
PENALTY = 0.1


@dataclass(frozen=True, slots=True)
class ForestSize:
    """Parameters of a forest; the defaults are usual small values, not tuned."""

    trees: int = 80
    leaves: int = 8
    depth: int = 5
    min_leaf: int = 60


def fit_logistic(
    matrix: Floats, truth: Floats, weights: Floats, penalty: float = PENALTY
) -> dict[str, Any]:
    """Return the parameters of a logistic regression; scikit-learn is needed."""
    from sklearn.linear_model import LogisticRegression

    mean, spread = matrix.mean(axis=0), matrix.std(axis=0)
    spread[spread == 0] = 1
    model = LogisticRegression(C=penalty, max_iter=300, solver="newton-cholesky")
    model.fit((matrix - mean) / spread, truth, sample_weight=weights)
    weight = model.coef_[0] / spread
    bias = float(model.intercept_[0] - (weight * mean).sum())
    return {"weights": [round(float(w), 6) for w in weight], "bias": round(bias, 6)}


def fit_forest(
    matrix: Floats, truth: Floats, weights: Floats, size: ForestSize | None = None
) -> dict[str, Any]:
    """Return the boosted trees as arrays of nodes; scikit-learn is needed."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    size = size or ForestSize()
    model = HistGradientBoostingClassifier(
        max_iter=size.trees,
        max_leaf_nodes=size.leaves,
        max_depth=size.depth,
        learning_rate=RATE,
        min_samples_leaf=size.min_leaf,
        l2_regularization=RIDGE,
        early_stopping=False,
        random_state=0,
    )
    model.fit(matrix, truth, sample_weight=weights)
    trees: dict[str, Any] = {
        k: [] for k in ("roots", "feature", "threshold", "left", "right", "value")
    }
    for (tree,) in model._predictors:
        start = len(trees["feature"])
        trees["roots"].append(start)
        for i, node in enumerate(tree.nodes):
            leaf = bool(node["is_leaf"])
            trees["feature"].append(0 if leaf else int(node["feature_idx"]))
            # Rounding moves a threshold by less than the noise of the features.
            trees["threshold"].append(0.0 if leaf else float(f"{node['num_threshold']:.6g}"))
            trees["left"].append(start + (i if leaf else int(node["left"])))
            trees["right"].append(start + (i if leaf else int(node["right"])))
            trees["value"].append(round(float(node["value"]), 6) if leaf else 0.0)
    trees["depth"] = size.depth
    trees["bias"] = float(model._baseline_prediction.ravel()[0])
    return trees


def deal_sites(sites: Sequence[str], parts: int, seed: int) -> dict[str, int]:
    """Return the part of each site, with about as many sites in each."""
    distinct = sorted(set(sites))
    random.Random(seed).shuffle(distinct)
    return {site: i % parts for i, site in enumerate(distinct)}
