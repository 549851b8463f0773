"""What the nearest texts add to the log-odds, beside a slow computation page by page."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from tests.support.classifier_pages import page
from topiccrawl.scoring.classifier.nearest import (
    NEAREST,
    PIECE,
    POWER,
    SHARE,
    YOUNG,
    NearestTexts,
)
from topiccrawl.scoring.classifier.rows import PageFeatures, page_features
from topiccrawl.scoring.strategy import N_FEATURES
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
    found = run_steps(NearestTexts(pages, own).shared_by_all())
    assert found == pytest.approx(slow(pages, own), abs=1e-5)


def test_an_index_takes_no_memory_for_the_ids_of_links_and_places() -> None:
    pages, own = random_pages(10)
    tracemalloc.start()
    try:
        nearest = NearestTexts(pages, own)
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert nearest is not None
    assert size < 1.5 * 4 * N_FEATURES


def test_an_index_keeps_each_term_once_and_compares_in_small_pieces() -> None:
    pages = 2 * YOUNG
    rng = np.random.default_rng(1)
    several = [
        page_features(page(i, terms=rng.choice(5_000, 100, replace=False).tolist()), 0.0)
        for i in range(pages)
    ]
    tracemalloc.start()
    try:
        nearest = NearestTexts(several, np.zeros((pages, 2)))
        kept = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        run_steps(nearest.shared_by_all())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Id and weight of each term in 4 bytes each, and where each id begins.
    assert kept < 1.2 * (pages * 100 * 8 + 4 * N_FEATURES)
    # A cosine in 4 bytes and a neighbor in 8, of each page of a piece and each page, in two copies at most.
    assert peak - kept < 3 * PIECE * pages * 12


def test_pages_judged_one_by_one_get_what_all_of_them_get_to_the_last_bit() -> None:
    pages, own = random_pages(1_100)
    nearest = NearestTexts(pages, own)
    together = run_steps(nearest.shared_by_all())
    for i in range(0, 1_100, 50):
        assert nearest.shared(pages[i], own[i]).tolist() == together[i].tolist()
    assert nearest.shared(features([[]])[0], np.ones(2)).tolist() == [1.0, 1.0]


def test_a_page_that_was_not_indexed_is_compared_with_all() -> None:
    alone = [[1_000 + i] for i in range(2 * YOUNG)]
    pages = features([[1, 2], *alone])
    indexed = NearestTexts(pages, np.full((len(pages), 2), [4.0, -2]))
    near, far = (page_features(page(9_000, terms=terms), 0.0) for terms in ([1, 2], [3]))
    assert indexed.shared(near, np.zeros(2)) == pytest.approx([SHARE * 4, SHARE * -2])
    assert indexed.shared(far, np.zeros(2)).tolist() == [0, 0]


@pytest.mark.parametrize("earlier", [[1_100], [1_001, 1_300], [700, 1_150, 1_399]])
def test_round_by_round_the_nearest_are_those_of_one_comparison(earlier: list[int]) -> None:
    pages, own = random_pages(1_400)
    by_arrival = np.random.default_rng(5).permutation(len(pages))
    previous = None
    for count in [*earlier, len(pages)]:
        at = np.sort(by_arrival[:count])  # By id, as the pages of a round are.
        index = NearestTexts([pages[i] for i in at], own[at])
        found = run_steps(index.shared_by_all(previous))
        previous = index
    assert found.tolist() == run_steps(NearestTexts(pages, own).shared_by_all()).tolist()
    whole = NearestTexts(pages, own)
    alone = [whole.shared(it, x).tolist() for it, x in zip(pages, own, strict=True)]
    assert found.tolist() == alone


def test_equal_texts_count_in_the_order_of_their_ids() -> None:
    pages = features([[1, 2]] * (2 * YOUNG))
    own = np.arange(4.0 * YOUNG).reshape(-1, 2)
    index = NearestTexts(pages[::2], own[::2])
    run_steps(index.shared_by_all())
    found = run_steps(NearestTexts(pages, own).shared_by_all(index))
    assert found[-1].tolist() == pytest.approx(
        ((1 - SHARE) * own[-1] + SHARE * own[:NEAREST].mean(axis=0)).tolist()
    )


@pytest.mark.parametrize("change", ["given up", "another text"])
def test_pages_that_have_changed_are_compared_again(change: str) -> None:
    pages, own = random_pages(1_200)
    index = NearestTexts(pages, own)
    run_steps(index.shared_by_all())
    if change == "given up":
        pages, own = pages[7:], own[7:]
    else:
        pages = [*pages[:5], page_features(page(5, terms=[1, 2, 3]), 0.0), *pages[6:]]
    now = NearestTexts(pages, own)
    found = run_steps(now.shared_by_all(index))
    assert found.tolist() == run_steps(NearestTexts(pages, own).shared_by_all()).tolist()
