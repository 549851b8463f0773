"""Fits the weights of the model of copies (``topiccrawl/dedup/odds.py``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.copies.pages import Pair
from topiccrawl.dedup.evidence import compare
from topiccrawl.dedup.odds import LONG_TEXTS, SHORT, Weights, features
from topiccrawl.dedup.prepared import PreparedPage

#: Weight of the square of the weights.
RIDGE = 1e-5
#: Weight of the other pages of histories, which are the traps that nobody made up.
REAL_TRAPS = 2.0


def design(pairs: Sequence[Pair]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the features of the pairs, and which of them the model decides.

    Those are long texts with something in common whose titles name no different editions.
    """
    rows, used = [], []
    for pair in pairs:
        a, b = PreparedPage(pair.first.compared(1)), PreparedPage(pair.second.compared(2))
        evidence = compare(a, b)
        size = min(a.size, b.size)
        rows.append(features(evidence, size))
        used.append(
            size >= SHORT
            and not evidence.other_edition
            and (pair.copy or evidence.of_smaller >= 0.1 or evidence.title >= 0.3)
        )
    return np.array(rows, np.float64), np.array(used)


def weigh(pairs: Sequence[Pair], used: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weight of each pair: each source and class weighs the root of its pairs."""
    real = np.array([pair.sort.startswith("history") for pair in pairs])
    copies = np.array([pair.copy for pair in pairs])
    groups = [f"{r} {p.source} {p.copy}" for r, p in zip(real, pairs, strict=True)]
    _, group = np.unique(groups, return_inverse=True)
    counts = np.bincount(group, weights=used)
    weights = used / np.sqrt(np.maximum(1.0, counts[group]))
    weights[real & ~copies] *= REAL_TRAPS
    result: NDArray[np.float64] = weights / weights.sum()
    return result


def fit(
    x: NDArray[np.float64], copies: NDArray[np.bool_], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights with the least weighted logistic loss."""

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        value = weights @ (np.logaddexp(0, z) - copies * z) + RIDGE * (w[1:] ** 2).sum()
        gradient = x.T @ (weights * (p - copies))
        gradient[1:] += 2 * RIDGE * w[1:]
        return float(value), gradient

    result: NDArray[np.float64] = minimize(
        loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B"
    ).x
    return result


def named(weights: NDArray[np.float64]) -> str:
    """Return the weights with their names."""
    pairs = zip(LONG_TEXTS._fields, weights, strict=True)
    return "Weights(" + ", ".join(f"{name}={value:.2f}" for name, value in pairs) + ")"


__all__ = ["Weights", "design", "fit", "named", "weigh"]
