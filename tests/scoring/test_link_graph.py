from __future__ import annotations

import resource
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.support.graph_oracle import PAGES, Page, build, dense_shares, dense_weights, drawn_graph
from topiccrawl.scoring import graph as graph_module
from topiccrawl.scoring.arrays import GrowingArray
from topiccrawl.scoring.graph import LinkGraph

STATM = Path("/proc/self/statm")


def ids(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def links_of(graph: LinkGraph, page_id: int) -> tuple[np.ndarray, np.ndarray]:
    """Return target nodes and shares of a fetched page."""
    row = int(graph.row_of_node[graph.node(page_id)])
    (rows,) = graph.rows(row, row + 1)
    return rows.targets, rows.shares


@given(PAGES)
def test_rows_hold_the_shares_of_the_dense_matrix(pages: list[Page]) -> None:
    graph = build(pages)
    found = np.zeros((graph.n_nodes, graph.n_nodes))
    weights = np.zeros_like(found)
    for rows in graph.rows():
        sources = np.repeat(graph.page_nodes[rows.span], rows.counts)
        found[sources, rows.targets] = rows.shares
        weights[sources, rows.targets] = rows.weights()
    assert np.allclose(found, dense_shares(graph, pages), atol=1e-15)
    assert np.allclose(weights, dense_weights(graph, pages), atol=1e-12)


@given(PAGES)
def test_counts_and_lookups_agree_with_what_was_added(pages: list[Page]) -> None:
    graph = build(pages)
    unique = [{target for target, _ in links} for _, _, links in pages]
    assert graph.n_pages == len(pages)
    assert graph.n_nodes == len({p[0] for p in pages}.union(*unique))
    assert graph.ids[graph.page_nodes].tolist() == [page[0] for page in pages]
    assert graph.relevance.tolist() == [page[1] for page in pages]
    for node, link_id in enumerate(graph.ids.tolist()):
        assert graph.node(link_id) == node
        assert graph.in_degree[node] == sum(link_id in targets for targets in unique)
    fetched = {page[0]: row for row, page in enumerate(pages)}
    assert graph.row_of_node.tolist() == [fetched.get(i, -1) for i in graph.ids.tolist()]


def test_a_repeated_target_is_one_link_with_its_largest_weight() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(9, 8, 9), np.array([1.0, 1.0, 3.0]))
    nodes, shares = links_of(graph, 1)
    assert graph.ids[nodes].tolist() == [9, 8]
    assert shares.tolist() == [0.75, 0.25]
    assert graph.in_degree[graph.node(9)] == 1


def test_a_link_that_redirects_led_from_stands_for_its_page() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(8, 9), np.ones(2))
    graph.add_page(80, 0.9, ids(2), np.ones(1), asked=8)
    assert graph.ids[graph.page_nodes].tolist() == [1, 8]
    assert graph.row_of_node[graph.nodes(ids(8, 80, 9))].tolist() == [1, 1, -1]
    assert links_of(graph, 80)[0].tolist() == [graph.node(2)]
    assert graph.set_relevance(80, 0.2)


def test_a_page_that_others_link_to_stands_for_itself_also_behind_redirects() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(8, 80), np.ones(2))
    graph.add_page(80, 0.9, ids(2), np.ones(1), asked=8)
    assert graph.ids[graph.page_nodes].tolist() == [1, 80]
    assert graph.row_of_node[graph.nodes(ids(8, 80))].tolist() == [1, 1]


def test_a_link_that_was_a_page_of_its_own_stays_one() -> None:
    graph = LinkGraph()
    graph.add_page(8, 0.5, ids(9), np.ones(1))
    graph.add_page(80, 0.9, ids(2), np.ones(1), asked=8)
    assert graph.ids[graph.page_nodes].tolist() == [8, 80]


def test_a_seed_that_redirected_is_fetched_when_a_page_links_to_it() -> None:
    graph = LinkGraph()
    graph.add_page(80, 0.9, ids(2), np.ones(1), asked=8)
    graph.add_page(2, 0.5, ids(8), np.ones(1))
    assert graph.row_of_node[graph.node(8)] == 0
    assert graph.in_degree[graph.page_nodes].tolist() == [1, 1]


def test_a_page_added_again_keeps_its_links_and_takes_the_new_relevance() -> None:
    graph = LinkGraph()
    assert graph.add_page(1, 0.2, ids(2), np.ones(1))
    assert not graph.add_page(1, 0.9, ids(3, 4), np.ones(2))
    assert (graph.n_pages, graph.n_nodes, graph.in_degree.sum()) == (1, 2, 1)
    assert graph.relevance.tolist() == [0.9]


def test_a_link_becomes_a_page_without_changing_its_node() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(2), np.ones(1))
    node = graph.node(2)
    graph.add_page(2, 0.5, ids(1), np.ones(1))
    assert graph.node(2) == node
    assert graph.page_nodes.tolist() == [0, 1]


def test_links_of_zero_weight_get_no_share() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(2, 3), np.zeros(2))
    assert links_of(graph, 1)[1].tolist() == [0.0, 0.0]


def test_unknown_links_have_no_node_and_no_relevance() -> None:
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(2), np.ones(1))
    assert graph.nodes(ids(2, 77, 1)).tolist() == [1, -1, 0]
    assert not graph.set_relevance(77, 0.5)
    assert not graph.set_relevance(2, 0.5), "a queued link has no relevance yet"
    assert graph.set_relevance(1, 0.7)
    assert graph.relevance.tolist() == [0.7]


@pytest.mark.parametrize(
    ("targets", "weights", "relevance", "message"),
    [
        (ids(1, 2), np.ones(1), 0.5, r"got shapes \(2,\) and \(1,\)"),
        (ids(1).reshape(1, 1), np.ones((1, 1)), 0.5, "vectors of one length"),
        (ids(1), np.array([-0.1]), 0.5, "finite and >= 0"),
        (ids(1), np.array([np.nan]), 0.5, "finite and >= 0"),
        (ids(1), np.array([np.inf]), 0.5, "finite and >= 0"),
        (ids(1), np.ones(1), np.nan, "relevance must be finite and >= 0, got nan"),
        (ids(1), np.ones(1), -1.0, "relevance must be finite and >= 0, got -1.0"),
    ],
)
def test_numbers_that_are_no_weights_are_refused_and_leave_no_trace(
    targets: np.ndarray, weights: np.ndarray, relevance: float, message: str
) -> None:
    graph = LinkGraph()
    with pytest.raises(ValueError, match=message):
        graph.add_page(5, relevance, targets, weights)
    assert graph.n_nodes == graph.n_pages == 0


def test_pages_spread_over_blocks_are_the_same_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, pages = drawn_graph(40, 7, 60)
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 20)
    pieces = build(pages)
    assert len(list(pieces.rows())) > 10
    assert np.array_equal(
        np.concatenate([r.targets for r in pieces.rows()]), next(whole.rows()).targets
    )
    assert np.array_equal(
        np.concatenate([r.shares for r in pieces.rows()]), next(whole.rows()).shares
    )
    for page_id, _, _ in pages:
        for found, expected in zip(
            links_of(pieces, page_id), links_of(whole, page_id), strict=True
        ):
            assert np.array_equal(found, expected)


def test_a_page_with_more_links_than_a_block_has_one_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 4)
    graph = LinkGraph()
    graph.add_page(1, 0.5, ids(2), np.ones(1))
    graph.add_page(2, 0.5, ids(*range(100, 110)), np.ones(10))
    graph.add_page(3, 0.5, ids(1, 2), np.ones(2))
    assert [r.counts.tolist() for r in graph.rows()] == [[1], [10], [2]]


def test_pages_without_links_keep_their_rows() -> None:
    graph = LinkGraph()
    for page in (1, 2, 3):
        graph.add_page(page, 0.5, ids(9) if page == 2 else ids(), np.ones(int(page == 2)))
    (rows,) = graph.rows()
    assert rows.counts.tolist() == [0, 1, 0]
    assert rows.spread(np.array([1.0, 2.0, 3.0])).tolist() == [2.0]


def test_rows_do_not_show_pages_added_while_the_iterator_is_paused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 2)
    graph = LinkGraph()
    for page in range(4):
        graph.add_page(page, 0.5, ids(50 + page), np.ones(1))
    rows = graph.rows()
    seen = [next(rows).counts.tolist()]
    graph.add_page(4, 0.5, ids(99), np.ones(1))
    seen += [r.counts.tolist() for r in rows]
    assert seen == [[1, 1], [1, 1]]


def test_memory_stays_near_its_documented_size() -> None:
    _, pages = drawn_graph(6_000, 40, 60_000)
    tracemalloc.start()
    try:
        graph = build(pages)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    edges = int(graph.in_degree.sum())
    assert 12 * edges < used < 12 * (edges + graph_module.BLOCK_EDGES) + 250 * graph.n_nodes


def test_a_view_of_a_growing_array_survives_its_growth() -> None:
    array = GrowingArray(np.float64, fill=7.0)
    array.extend(np.array([1.0, 2.0]))
    view = array.view()
    array.resize(100_000)
    array.resize(5)
    assert len(array) == 100_000, "it never shrinks"
    assert view.tolist() == [1.0, 2.0]
    assert array.view()[:4].tolist() == [1.0, 2.0, 7.0, 7.0]


@pytest.mark.skipif(not STATM.exists(), reason="needs /proc")
def test_what_is_reserved_and_not_used_yet_takes_no_memory() -> None:
    array = GrowingArray(np.float64, fill=-1.0)
    array.resize(4_000_000)
    before = resident_bytes()
    array.resize(4_000_001)
    assert array.view().base.nbytes == 64_000_000
    # The old buffer of 32 MB was returned, and as much of the new one is used.
    assert resident_bytes() - before < 16_000_000
    assert array.view()[-2:].tolist() == [-1.0, -1.0]


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    return int(STATM.read_text().split()[1]) * resource.getpagesize()
