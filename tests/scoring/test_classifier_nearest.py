"""What the nearest texts add to the log-odds, beside a slow computation page by page."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.classifier_pages import page
from topiccrawl.scoring.classifier.nearest import (
    NEAREST,
    POWER,
    SHARE,
    YOUNG,
    NearestTexts,
)
from topiccrawl.scoring.classifier.rows import PageFeatures, page_features
from topiccrawl.steps import run_steps


def features(terms: list[list[int]]) -> list[PageFeatures]:
    return [page_features(page(i, terms=own), 0.0) for i, own in enumerate(terms)]


def random_pages(count: int) -> tuple[list[PageFeatures], np.ndarray]:
    rng = np.random.default_rng(count)
    pages = []
    for i in range(count):
        terms = rng.choice(400, rng.integers(1, 30), replace=False).tolist()
        weights = rng.random(len(terms)).tolist()  # No two cosines are equal.
        pages.append(page_features(page(i, terms=terms, weights=weights), 0.0))
    return pages, rng.normal(0, 1, (count, 2))


def slow(pages: list[PageFeatures], own: np.ndarray) -> np.ndarray:
    """The formula of the module, with dense rows."""
    rows = np.zeros((len(pages), 400))
    for row, it in zip(rows, pages, strict=True):
        row[it.terms] = it.weights
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, 0)
    result = own.copy()
    share = SHARE * min(1, max(0, len(pages) / YOUNG - 1))
    for i, row in enumerate(cosines):
        best = np.argsort(-row, kind="stable")[:NEAREST]
        weight = row[best] ** POWER
        if weight.sum():
            result[i] = (1 - share) * own[i] + share * weight @ own[best] / weight.sum()
    return result


@pytest.mark.parametrize("count", [1, 250, 700, 1_100])
def test_the_nearest_texts_are_those_of_a_slow_search(count: int) -> None:
    pages, own = random_pages(count)
    found = run_steps(NearestTexts(pages, own).shared_by_all(pages))
    assert found == pytest.approx(slow(pages, own), abs=1e-5)


def test_a_page_that_was_not_indexed_is_compared_with_all() -> None:
    alone = [[1_000 + i] for i in range(2 * YOUNG)]
    pages = features([[1, 2], *alone])
    indexed = NearestTexts(pages, np.full((len(pages), 2), [4.0, -2]))
    near, far = (page_features(page(9_000, terms=terms), 0.0) for terms in ([1, 2], [3]))
    found = indexed.shared([near, far], np.zeros((2, 2)))
    assert found[0] == pytest.approx([SHARE * 4, SHARE * -2])
    assert found[1].tolist() == [0, 0]
