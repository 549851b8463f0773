from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.graph_oracle import PAGES, Page, build, dense_shares, drawn_graph
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.pagerank import pagerank

DAMPINGS = st.floats(0, 0.95)


@given(PAGES, DAMPINGS)
@settings(max_examples=60)
def test_the_fixpoint_of_4_7_solves_the_linear_system(pages: list[Page], damping: float) -> None:
    graph = build(pages)
    shares = dense_shares(graph, pages)
    exact = np.linalg.solve(
        np.eye(graph.n_nodes) - damping * shares.T, np.full(graph.n_nodes, 1 - damping)
    )
    result = pagerank(graph, damping=damping, max_iterations=2000, tolerance=1e-14)
    assert np.allclose(result.scores, exact, rtol=1e-9, atol=1e-9)
    assert (result.scores >= 1 - damping - 1e-12).all()


@given(PAGES, st.floats(0.05, 1))
@settings(max_examples=60)
def test_the_fixpoint_of_4_8_is_a_multiple_of_that_of_4_7(
    pages: list[Page], leaving: float
) -> None:
    graph = build(pages)
    size = graph.n_nodes
    if size < 2:
        return
    exact = np.linalg.solve(
        np.eye(size) - (1 - leaving) * dense_shares(graph, pages).T,
        np.full(size, leaving / (size - 1)),
    )
    result = pagerank(graph, damping=1 - leaving, max_iterations=2000, tolerance=1e-14)
    assert np.allclose(result.scores / (size - 1), exact, rtol=1e-9, atol=1e-9)


def networkx_graph(pages: list[Page]) -> nx.DiGraph:
    drawn = nx.DiGraph()
    for page_id, _, links in pages:
        for target, weight in links:
            old = drawn.get_edge_data(page_id, target, {"weight": 0.0})["weight"]
            drawn.add_edge(page_id, target, weight=max(old, weight))
    return drawn


def test_it_equals_networkx_up_to_its_scale_where_every_page_has_links() -> None:
    graph, pages = drawn_graph(300, 6, 300)
    theirs = nx.pagerank(networkx_graph(pages), alpha=0.85, tol=1e-14, max_iter=500)
    expected = np.array([theirs[i] for i in graph.ids.tolist()])
    ours = pagerank(graph, max_iterations=500, tolerance=1e-14)
    size = graph.n_nodes
    assert size == 300
    assert np.allclose(ours.scores / size, expected, rtol=1e-9)
    assert ours.scores.sum() == pytest.approx(size)


def test_a_published_example_by_hand() -> None:
    # Four pages of the classic lecture example: B, C, D each link to A; A links to none.  4.7 with
    # d = .85: PR(B) = .15 and PR(A) = .15 + .85·3·.15.
    graph = LinkGraph()
    for page in (2, 3, 4):
        graph.add_page(page, 0.0, np.array([1], dtype=np.int64), np.ones(1))
    graph.add_page(1, 0.0, np.empty(0, dtype=np.int64), np.empty(0))
    result = pagerank(graph)
    by_id = dict(zip(graph.ids.tolist(), result.scores.tolist(), strict=True))
    assert by_id == {1: pytest.approx(0.5325), **dict.fromkeys((2, 3, 4), pytest.approx(0.15))}


def test_convergence_is_reported_as_it_is() -> None:
    graph, _ = drawn_graph(100, 5, 150)
    early = pagerank(graph, max_iterations=2)
    assert (early.n_iter, early.converged) == (2, False)
    assert early.residual > 1e-8
    full = pagerank(graph)
    assert full.converged
    assert full.n_iter < 100
    assert full.residual <= 1e-8


def test_an_empty_graph_and_a_single_page_have_a_ranking() -> None:
    assert pagerank(LinkGraph()).scores.size == 0
    alone = LinkGraph()
    alone.add_page(1, 0.5, np.empty(0, dtype=np.int64), np.empty(0))
    assert pagerank(alone).scores.tolist() == [pytest.approx(0.15)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"damping": 1.0}, r"damping must be in \[0, 1\), got 1.0"),
        ({"damping": -0.1}, r"damping must be in \[0, 1\), got -0.1"),
        ({"max_iterations": 0}, "iterations must be >= 1, got 0"),
        ({"tolerance": float("nan")}, "tolerance must be finite and >= 0, got nan"),
    ],
)
def test_senseless_numbers_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pagerank(LinkGraph(), **arguments)
