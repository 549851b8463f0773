"""Rows of pages beside a slow computation page by page."""

from __future__ import annotations

import math
import tracemalloc
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from tests.support.classifier_pages import page, web
from topiccrawl.scoring.classifier import rows
from topiccrawl.scoring.classifier.rows import (
    LINK_IDS,
    PLACE_IDS,
    PageFeatures,
    make_rows,
    page_features,
    shared_columns,
)
from topiccrawl.scoring.strategy import N_FEATURES, PageView
from topiccrawl.steps import run_steps


def slow_row(view: PageView, pages: list[PageView]) -> dict[int, float]:
    """The formulas of the module, for one page and ids below N_FEATURES."""
    known = {it.id for it in pages}
    having: Counter[int] = Counter()
    for it in pages:
        targets = it.links.targets[: rows.LINKS].tolist()
        having.update(targets)
        having.update(it.id for target in targets if target in known)
    near = set(view.links.targets[: rows.LINKS].tolist())
    near |= {it.id for it in pages if view.id in it.links.targets[: rows.LINKS]}
    idf = {n: math.log(max(2, len(pages)) / having[n]) for n in near if having[n] >= 2}
    idf = {n: value for n, value in idf.items() if value > 0}
    norm = math.sqrt(sum(value**2 for value in idf.values()))
    row = {LINK_IDS + n: rows.LINK_NORM * value / norm for n, value in idf.items()}
    ids = [*view.term_ids.tolist(), *view.borrowed_ids.tolist()]
    weights = [*view.term_weights.tolist(), *view.borrowed_weights.tolist()]
    heaviest = sorted(zip(weights, ids, strict=True), reverse=True)[: rows.TERMS]
    length = math.sqrt(sum(value**2 for value, _ in heaviest)) or 1.0
    row |= {term: value / length for value, term in heaviest}
    row |= {PLACE_IDS + folder: rows.PLACE_WEIGHT for folder in view.folders.tolist()}
    return row | {PLACE_IDS + name: rows.CHANNEL_WEIGHT for name in view.channels.tolist()}


def test_links_to_where_redirects_led_from_are_links_to_the_page() -> None:
    pages = web(60)
    moved = [replace(it, id=it.id + 10_000, asked=it.id) if it.id % 3 == 1 else it for it in pages]
    (plain, *expected), (maker, *found) = (
        run_steps(make_rows(features(it))) for it in (pages, moved)
    )
    of = {(s, t) for s, t in zip(*(it.tolist() for it in expected), strict=True)}
    assert {(s, t) for s, t in zip(*(it.tolist() for it in found), strict=True)} == of
    assert any(target % 3 == 1 for _, target in of)
    before, after = plain.block(features(pages)), maker.block(features(moved))
    assert (before.matrix() - after.matrix()).count_nonzero() == 0


def features(pages: list[PageView]) -> list[PageFeatures]:
    return [page_features(it, 0.0) for it in pages]


@pytest.mark.parametrize("count", [1, 2, 60, 1_200])
def test_a_block_of_rows_is_what_the_formulas_give_page_by_page(count: int) -> None:
    pages = web(count)
    maker, _, _ = run_steps(make_rows(features(pages)))
    some = [*pages[:40], page(count + 5, terms=[3], targets=[0, 1]), page(count + 6)]
    found = maker.block(features(some)).matrix()
    assert found.shape == (len(some), rows.ALL_IDS)
    for i, view in enumerate(some):
        row = found[i]
        got = dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
        assert got == pytest.approx(slow_row(view, pages), abs=1e-6)


def test_parts_add_up_to_the_product_with_the_weights() -> None:
    pages = web(100)
    block = run_steps(make_rows(features(pages)))[0].block(features(pages))
    weights = np.random.default_rng(0).normal(size=rows.ALL_IDS).astype(np.float32)
    parts, matrix = block.parts(weights), block.matrix()
    np.testing.assert_allclose(parts.sum(axis=1), matrix @ weights, atol=1e-6)
    np.testing.assert_allclose(parts[:, 0], matrix[:, :LINK_IDS] @ weights[:LINK_IDS], atol=1e-6)
    np.testing.assert_allclose(parts[:, 2], matrix[:, PLACE_IDS:] @ weights[PLACE_IDS:], atol=1e-6)


def test_links_between_the_pages_are_found_once_each() -> None:
    pages = web(1_300)
    _, source, target = run_steps(make_rows(features(pages)))
    at = {it.id: i for i, it in enumerate(pages)}
    wanted = {(i, at[t]) for i, it in enumerate(pages) for t in it.links.targets.tolist()}
    assert len(source) == len(wanted)
    assert set(zip(source.tolist(), target.tolist(), strict=True)) == wanted


def test_ids_of_64_bits_are_linked() -> None:
    low, high = -(2**63), 2**63 - 1
    pages = [page(low, targets=[high]), page(high, targets=[low]), page(5, targets=[high])]
    _, source, target = run_steps(make_rows(features(pages)))
    assert sorted(zip(source.tolist(), target.tolist(), strict=True)) == [(0, 1), (1, 0), (2, 1)]


def test_only_the_first_terms_and_links_count() -> None:
    terms, targets = range(rows.TERMS + 50), range(rows.LINKS + 50)
    kept = page_features(page(1, terms=terms, targets=targets, folders=[7, 8]), 0.5)
    assert kept.terms.tolist() == list(range(rows.TERMS))
    assert kept.targets.tolist() == list(range(rows.LINKS))
    assert kept.folders.tolist() == [7, 8]
    assert np.linalg.norm(kept.weights) == pytest.approx(1.0, abs=1e-6)


def test_borrowed_terms_stand_beside_the_own_and_the_heaviest_of_both_count() -> None:
    light, heavy = [0.1] * rows.TERMS, [0.9] * 10
    own = page(1, terms=range(rows.TERMS + 10), weights=heavy + light, borrowed=[500, 501])
    kept = page_features(own, 0.0)
    assert kept.terms.tolist() == [*range(rows.TERMS - 2), 500, 501]
    assert (kept.weights > kept.weights[-3]).tolist() == [*[True] * 10, *[False] * 88, True, True]
    assert np.linalg.norm(kept.weights) == pytest.approx(1.0, abs=1e-6)


def test_pages_of_nothing_have_empty_rows() -> None:
    maker, source, _ = run_steps(make_rows([]))
    block = maker.block(features([page(1), page(2, terms=[4], weights=[0.0])]))
    assert len(source) == 0
    assert block.matrix().toarray().sum() == 0
    assert np.isfinite(block.values).all()
    assert maker.block([]).parts(np.zeros(rows.ALL_IDS, dtype=np.float32)).shape == (0, 3)


def test_columns_of_a_single_row_are_left_out() -> None:
    wide = np.zeros((3, 6))
    wide[[0, 1, 0, 2, 1], [5, 5, 1, 3, 3]] = [1, 2, 3, 4, 5]
    blocks = [
        sparse.csr_matrix((part.data, part.indices, part.indptr), shape=(n, rows.ALL_IDS))
        for n, part in ((2, sparse.csr_matrix(wide[:2])), (1, sparse.csr_matrix(wide[2:])))
    ]
    found, used = shared_columns(blocks)
    assert used.tolist() == [3, 5]
    assert found.toarray().tolist() == wide[:, [3, 5]].tolist()


def test_shared_columns_are_those_of_a_slow_count_and_take_no_count_of_all_ids() -> None:
    rng = np.random.default_rng(7)
    ids = np.sort(rng.choice(rows.ALL_IDS, 300, replace=False))
    wide = rng.random((40, 300)) * (rng.random((40, 300)) < 0.03)
    blocks = []
    for part in np.split(wide, [0, 7, 8, 25]):  # The first has no rows.
        row, column = np.nonzero(part)
        entries = part[row, column], (row, ids[column])
        blocks.append(sparse.csr_matrix(entries, shape=(len(part), rows.ALL_IDS)))
    tracemalloc.start()
    try:
        found, used = shared_columns(blocks)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    several = np.flatnonzero((wide > 0).sum(axis=0) >= 2)
    assert used.tolist() == ids[several].tolist()
    assert found.toarray().tolist() == wide[:, several].tolist()
    assert peak < 1.5 * 4 * rows.ALL_IDS


@pytest.mark.parametrize("count", [0, 1])
def test_rows_of_nothing_share_no_columns(count: int) -> None:
    found, used = shared_columns([sparse.csr_matrix((count, rows.ALL_IDS))])
    assert found.shape == (count, 0)
    assert len(used) == 0


def test_ids_stay_in_their_groups() -> None:
    pages = [page(i, terms=[N_FEATURES - 1], targets=[-1, -2], folders=[0]) for i in range(4)]
    maker, _, _ = run_steps(make_rows([*features(pages), *features([page(9)])]))
    block = maker.block(features(pages[:1]))
    groups = (block.ids // N_FEATURES).tolist()
    assert groups == [0, 1, 1, 2]
