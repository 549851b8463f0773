"""The online SVM: Pegasos by hand, a problem it must separate, and few examples of one class."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from topiccrawl.scoring.strategies.baselines.svm import LinearSvm


def example(*ids: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array(ids, dtype=np.int32), np.full(len(ids), 1 / np.sqrt(len(ids)))


def test_two_steps_by_hand() -> None:
    svm = LinearSvm(penalty=0.5)
    assert svm.decision(*example(1)) == 0.0
    # n/(2·n_class) = 1/2, so w = .5·x/(λ·1) = x, with the bias as much.
    svm.learn(*example(1), accept=True)
    assert svm.decision(*example(1)) == pytest.approx(1.0)
    assert not svm.ready
    # The second is unknown, so inside the margin; its weight is 2/2, and 1/(λt) = 1: w = (.5, -1).
    svm.learn(*example(2), accept=False)
    assert svm.ready
    assert svm.decision(*example(1)) == pytest.approx(0.5)
    assert svm.decision(*example(2)) == pytest.approx(-1.0)


def test_an_example_outside_the_margin_only_shrinks_the_weights() -> None:
    svm = LinearSvm(penalty=0.1)
    svm.learn(*example(1), accept=True)
    before = svm.decision(*example(1))
    svm.learn(*example(1), accept=True)
    assert svm.decision(*example(1)) == pytest.approx(before / 2)


def test_it_judges_texts_about_as_well_as_a_batch_solver_even_if_few_are_accepted() -> None:
    rng = np.random.default_rng(5)
    pages, labels = [], []
    for i in range(1200):
        accept = i % 10 == 0
        own = rng.choice(40, 3) + (1000 if accept else 2000)
        ids = np.unique(np.concatenate([own, rng.choice(900, 25)]))
        pages.append(example(*ids.tolist()))
        labels.append(accept)
    svm = LinearSvm()
    for page, label in zip(pages[:1000], labels, strict=False):
        svm.learn(*page, accept=label)

    def dense(chosen: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        table = np.zeros((len(chosen), 2100))
        for row, (ids, weights) in zip(table, chosen, strict=True):
            row[ids] = weights
        return table

    oracle = LinearSVC(class_weight="balanced").fit(dense(pages[:1000]), labels[:1000])
    expected = oracle.predict(dense(pages[1000:]))
    found = np.array([svm.decision(*page) > 0 for page in pages[1000:]])
    assert (found == expected).mean() > 0.98
    assert found[np.array(labels[1000:])].mean() >= 0.95
