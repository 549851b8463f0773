"""The link model: logistic regression around a prior, on numbers and hashed features.

::

    z(u) = Σ_j β_j·x_j(u) + Σ_{i∈φ(u)} w_i            p(u) = σ(z(u))
    minimize  Σ_u [ln(1 + e^{z(u)}) - v(u)·z(u)] + ½·Σ_j r·(β_j - β⁰_j)² + ½·Σ_i s·w_i²

u runs over a bounded sample of the fetched pages, v(u) is the page's value in [0, 1].  Without examples
the model is its prior β⁰; every fetched page moves it away from there as far as the penalties allow.
This is the MAP estimate under Gaussian priors, found by L-BFGS starting from the prior: the result is a
function of the examples alone, not of earlier fits.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from scipy.optimize import minimize

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, IdArray, sigmoid
from topiccrawl.scoring.strategy import N_FEATURES

#: β⁰ of ``observations.NUMBERS``: a link from an average off-topic page has a chance of .12, one from a
#: relevant page .62, and its anchor counts twice as much as its context (set by hand).  The last
#: two were chosen on five topics of the manuals, those of channels on four of a portal web of real texts
#: (docs/laboratory/order.md).
PRIOR = (-2.0, 1.5, 1.0, 0.0, 2.0, 1.0, 0.5, 1.0, 1.0, 2.0, 1.0, -1.5)
#: r: the prior weighs as much as one page of evidence (a choice).
NUMBER_PENALTY = 1.0
#: s: a word needs several pages before it counts (a choice; 3 to 20 make no difference,
#: docs/laboratory/order.md).
FEATURE_PENALTY = 8.0
#: With fewer pages the prior is used as it stands (a choice).
LEAST_EXAMPLES = 30
#: Largest number of pages in a fit, so that it costs the same at any size of the crawl: one half has the
#: highest values, the other half is an even sample of the rest of the crawl.  With all pages the order
#: of 2,000 was no better (docs/laboratory/order.md).
MOST_EXAMPLES = 500
#: Iterations of L-BFGS; 12 or 25 make no difference beyond noise (docs/laboratory/order.md).
ITERATIONS = 15


class LinkModel:
    """Weights of the numbers and of the hashed features."""

    def __init__(self, feature_penalty: float = FEATURE_PENALTY) -> None:
        self._prior = np.array(PRIOR)
        self._feature_penalty = feature_penalty
        self.numbers: FloatArray = self._prior.copy()
        """β, shape (12,)."""
        # The last entry stays 0: it belongs to the -1 that fills up a row.
        self._weights = np.zeros(N_FEATURES + 1)

    def contributions(
        self, numbers: FloatArray, feature_ids: FeatureIdArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return what each number and all hashed features together add to z.

        Parameters
        ----------
        numbers
            Shape (n, 12), columns as in ``observations.NUMBERS``.
        feature_ids
            Shape (n, k), rows filled up with -1.

        Returns
        -------
        tuple of FloatArray
            Shapes (n, 12) and (n,).
        """
        learned = np.zeros(len(numbers))
        if feature_ids.size:
            learned = self._weights[feature_ids].sum(axis=1)
        return numbers * self.numbers, learned

    def fit(self, numbers: FloatArray, feature_ids: FeatureIdArray, values: FloatArray) -> None:
        """Learn from fetched pages; what was learned before is discarded.

        Parameters
        ----------
        numbers
            Numbers of the links to the pages, shape (n, 12).
        feature_ids
            Their hashed features, shape (n, k), rows filled up with -1.
        values
            Values of the pages, shape (n,), in [0, 1].
        """
        self._weights[:] = 0.0
        self.numbers = self._prior.copy()
        if len(values) < LEAST_EXAMPLES:
            return
        used, column = np.unique(feature_ids, return_inverse=True)
        column = column.reshape(feature_ids.shape)
        # -1 sorts first.
        padded = bool(len(used)) and used[0] < 0
        split, width = len(self._prior), feature_ids.shape[1]
        start = np.concatenate([self._prior, np.zeros(len(used))])
        penalty = np.concatenate(
            [np.full(split, NUMBER_PENALTY), np.full(len(used), self._feature_penalty)]
        )

        def loss(weights: FloatArray) -> tuple[float, FloatArray]:
            learned = weights[split:]
            if padded:
                learned = learned.copy()
                learned[0] = 0.0
            z = numbers @ weights[:split] + learned[column].sum(axis=1)
            away = weights - start
            value = float(
                (np.logaddexp(0.0, z) - values * z).sum() + 0.5 * (penalty * away**2).sum()
            )
            error = sigmoid(z) - values
            by_feature = np.bincount(
                column.ravel(), weights=np.repeat(error, width), minlength=len(used)
            )
            if padded:
                by_feature[0] = 0.0
            gradient = np.concatenate([numbers.T @ error, by_feature]) + penalty * away
            return value, gradient

        found = minimize(
            loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
        ).x
        self.numbers = found[:split]
        self._weights[used] = found[split:]
        self._weights[-1] = 0.0


def held_out_steps(
    numbers: FloatArray, feature_ids: FeatureIdArray, values: FloatArray, feature_penalty: float
) -> Generator[None, None, FloatArray]:
    """Return z of each page by a model of every other page, in cooperative steps.

    The arguments are those of :meth:`LinkModel.fit`; the result has shape (n,).
    """
    found = np.zeros(len(values))
    model = LinkModel(feature_penalty)
    for half in range(2):
        out = np.arange(len(values)) % 2 == half
        model.fit(numbers[~out], feature_ids[~out], values[~out])
        by_number, learned = model.contributions(numbers[out], feature_ids[out])
        found[out] = by_number.sum(axis=1) + learned
        yield
    return found


def examples(values: FloatArray) -> IdArray:
    """Choose up to ``MOST_EXAMPLES`` pages to learn from.

    Parameters
    ----------
    values
        Values of the pages, shape (R,).

    Returns
    -------
    IdArray
        Indices into *values*, ascending.
    """
    if len(values) <= MOST_EXAMPLES:
        return np.arange(len(values))
    half = MOST_EXAMPLES // 2
    by_value = np.argsort(-values, kind="stable")
    others = np.sort(by_value[half:])
    even = np.linspace(0, len(others) - 1, MOST_EXAMPLES - half).astype(np.int64)
    return np.sort(np.concatenate([by_value[:half], others[even]]))
