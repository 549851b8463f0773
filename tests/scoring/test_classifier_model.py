"""The fit beside scipy's, and at its limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, sparse

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.classifier import model
from topiccrawl.scoring.classifier.model import PENALTY, fit
from topiccrawl.steps import run_steps


def examples(seed: int, n: int = 200, m: int = 30) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    rows = rng.random((n, m)) * (rng.random((n, m)) < 0.3)
    labels = (rows @ rng.normal(size=m) + 0.3 * rng.normal(size=n) > 0).astype(float)
    return rows, labels, rng.choice([1.0, 10.0], n)


def loss(point: FloatArray, rows: FloatArray, labels: FloatArray, weight: FloatArray) -> float:
    z = rows @ point[:-1] + point[-1]
    fit_loss = float((weight * (np.logaddexp(0, z) - labels * z)).sum())
    return fit_loss + 0.5 * PENALTY * float((point[:-1] ** 2).sum())


@pytest.mark.parametrize("seed", range(4))
def test_enough_iterations_find_scipys_minimum(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, weight = examples(seed)
    monkeypatch.setattr(model, "ITERATIONS", 200)
    found = run_steps(fit(sparse.csr_matrix(rows), labels, weight))
    best = optimize.minimize(
        loss,
        np.zeros(31),
        (rows, labels, weight),
        method="L-BFGS-B",
        options={"maxiter": 5_000, "maxfun": 10**6, "ftol": 1e-14, "gtol": 1e-8},
    )
    assert loss(np.append(found.weights, found.bias), rows, labels, weight) <= best.fun + 1e-4
    np.testing.assert_allclose(np.append(found.weights, found.bias), best.x, atol=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_the_usual_iterations_come_close(seed: int) -> None:
    rows, labels, weight = examples(seed)
    few = run_steps(fit(sparse.csr_matrix(rows), labels, weight))
    reached = loss(np.append(few.weights, few.bias), rows, labels, weight)
    least = optimize.minimize(loss, np.zeros(31), (rows, labels, weight)).fun
    start = loss(np.zeros(31), rows, labels, weight)
    assert reached - least < 0.02 * (start - least)


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_equal_labels_and_no_columns_give_finite_models(label: float) -> None:
    for columns in (0, 5):
        rows = sparse.csr_matrix(np.ones((50, columns)))
        found = run_steps(fit(rows, np.full(50, label), np.ones(50)))
        assert np.isfinite(np.append(found.weights, found.bias)).all()
        assert (found.bias > 0) == bool(label)


def test_at_the_minimum_nothing_moves() -> None:
    rows = sparse.csr_matrix(np.zeros((4, 1)))
    found = run_steps(fit(rows, np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4)))
    assert (found.weights.tolist(), found.bias) == ([0.0], 0.0)


def test_the_same_examples_give_the_same_bits() -> None:
    rows, labels, weight = examples(7)
    first, second = (run_steps(fit(sparse.csr_matrix(rows), labels, weight)) for _ in range(2))
    assert first.weights.tobytes() == second.weights.tobytes()
    assert first.bias == second.bias
