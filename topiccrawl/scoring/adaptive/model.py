"""The link model: logistic regression around a prior, on numbers and hashed features.

    z(u) = Σ_j β_j·x_j(u) + Σ_{i∈φ(u)} w_i            p(u) = σ(z(u))
    minimise  Σ_u [ln(1 + e^{z(u)}) - v(u)·z(u)] + ½·Σ_j r·(β_j - β⁰_j)² + ½·Σ_i s·w_i²

u runs over a bounded sample of the fetched pages, v(u) is the page's value in [0, 1].  Without
examples the model *is* its prior β⁰; every fetched page moves it away from there as far as the
penalties allow.  This is the MAP estimate under Gaussian priors, found by L-BFGS from the prior on:
the result is a function of the examples alone, not of earlier fits.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from topiccrawl.scoring.adaptive.observations import NUMBERS
from topiccrawl.scoring.arrays import FloatArray, IdArray, SlotArray
from topiccrawl.scoring.strategy import FEATURE_SLOTS

PRIOR = (-2.0, 1.5, 1.0, 0.0, 2.0, 1.0, 0.5)
"""β⁰ of NUMBERS: a link from an average off-topic page has a chance of .12, one from a relevant page
.62, its anchor counts twice its context (set by hand)."""
NUMBER_PENALTY = 1.0
"""r: as if one page's worth of evidence spoke for the prior (a choice)."""
SLOT_PENALTY = 8.0
"""s: a word needs several pages to speak (a choice; 3 to 20 make no difference, docs/adaptive.md)."""
LEAST_EXAMPLES = 30
"""Under this many pages the prior holds (a choice)."""
MOST_EXAMPLES = 500
"""A fit sees no more pages, so that it costs the same at any size of the crawl: the half of them
with the highest values, and of the others an even sample over the crawl.  With all pages the order
of 2,000 was no better (docs/adaptive.md)."""
ITERATIONS = 15
"""Of L-BFGS; 12 or 25 make no difference beyond noise (docs/adaptive.md)."""


class LinkModel:
    """Weights of numbers and hashed features."""

    def __init__(
        self, prior: tuple[float, ...] = PRIOR, *, slot_penalty: float = SLOT_PENALTY
    ) -> None:
        if len(prior) != len(NUMBERS):
            raise ValueError(f"the prior must have {len(NUMBERS)} weights, got {len(prior)}")
        self._prior = np.array(prior)
        self._slot_penalty = slot_penalty
        self.numbers: FloatArray = self._prior.copy()
        """β, shape (7,)."""
        # The last place is 0 for ever: there the -1 that fills up a row looks.
        self._slots = np.zeros(FEATURE_SLOTS + 1)

    def contributions(self, numbers: FloatArray, slots: SlotArray) -> tuple[FloatArray, FloatArray]:
        """What each number, shape (n, 7), and all hashed features together, (n,), add to z."""
        learned = self._slots[slots].sum(axis=1) if slots.size else np.zeros(len(numbers))
        return numbers * self.numbers, learned

    def fit(self, numbers: FloatArray, slots: SlotArray, values: FloatArray) -> None:
        """Learn from pages: what was known of the links to them, and their values, shape (n,)."""
        self._slots[:] = 0.0
        self.numbers = self._prior.copy()
        if len(values) < LEAST_EXAMPLES:
            return
        used, place = np.unique(slots, return_inverse=True)
        place = place.reshape(slots.shape)
        # -1 sorts first.
        padded = bool(len(used)) and used[0] < 0
        split, width = len(self._prior), slots.shape[1]
        start = np.concatenate([self._prior, np.zeros(len(used))])
        penalty = np.concatenate(
            [np.full(split, NUMBER_PENALTY), np.full(len(used), self._slot_penalty)]
        )

        def loss(weights: FloatArray) -> tuple[float, FloatArray]:
            learned = weights[split:]
            if padded:
                learned = learned.copy()
                learned[0] = 0.0
            z = numbers @ weights[:split] + learned[place].sum(axis=1)
            away = weights - start
            value = float(
                (np.logaddexp(0.0, z) - values * z).sum() + 0.5 * (penalty * away**2).sum()
            )
            wrong = sigmoid(z) - values
            by_slot = np.bincount(
                place.ravel(), weights=np.repeat(wrong, width), minlength=len(used)
            )
            if padded:
                by_slot[0] = 0.0
            gradient = np.concatenate([numbers.T @ wrong, by_slot]) + penalty * away
            return value, gradient

        found = minimize(
            loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
        ).x
        self.numbers = found[:split]
        self._slots[used] = found[split:]
        self._slots[-1] = 0.0


def sigmoid(z: FloatArray) -> FloatArray:
    """1 / (1 + e^-z), in [0, 1]."""
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def examples(values: FloatArray, most: int = MOST_EXAMPLES) -> IdArray:
    """The places of up to *most* pages to learn from, ascending; *values* has the shape (R,)."""
    if len(values) <= most:
        return np.arange(len(values))
    by_value = np.argsort(-values, kind="stable")
    others = np.sort(by_value[most // 2 :])
    even = np.linspace(0, len(others) - 1, most - most // 2).astype(np.int64)
    return np.sort(np.concatenate([by_value[: most // 2], others[even]]))
