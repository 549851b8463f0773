from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from tests.support.graph_oracle import PAGES, Page, build, dense_shares, drawn_graph
from topiccrawl.scoring import graph as graph_module
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank, ipagerank_steps
from topiccrawl.scoring.pagerank import pagerank
from topiccrawl.steps import run_steps


def brute_force(
    graph: LinkGraph, pages: list[Page], teleport: str, damping: float, iterations: int
) -> np.ndarray:
    """9.5 with dense matrices, sources the fetched pages, one last evaluation for the queue."""
    shares = dense_shares(graph, pages)
    fetched = graph.row_of_node >= 0
    relevance = np.zeros(graph.n_nodes)
    relevance[graph.page_nodes] = [page[1] for page in pages]
    base = (1 - damping) * (relevance if teleport == "relevance" else np.ones(graph.n_nodes))
    scores = relevance.copy()
    for _ in range(iterations):
        scores = np.where(fetched, base + damping * shares.T @ scores, 0)
    return np.where(fetched, scores, base + damping * shares.T @ scores)


@given(PAGES, st.sampled_from(["relevance", "constant"]), st.floats(0, 0.95), st.integers(1, 6))
@settings(max_examples=100)
def test_ipagerank_equals_brute_force(
    pages: list[Page], teleport: str, damping: float, iterations: int
) -> None:
    graph = build(pages)
    result = ipagerank(graph, teleport=teleport, damping=damping, iterations=iterations)
    expected = brute_force(graph, pages, teleport, damping, iterations)
    assert np.allclose(result.scores, expected, rtol=1e-12, atol=1e-14)
    assert (result.scores >= 0).all()


def test_by_hand_the_votes_follow_the_weights() -> None:
    # One relevant page, rel .8, links of RWB .9 and .1: after one iteration it has
    # .15·.8 = .12, and its links .85·.12·(.9, .1).
    graph = LinkGraph()
    graph.add_page(1, 0.8, np.array([2, 3], dtype=np.int64), np.array([0.9, 0.1]))
    result = ipagerank(graph, iterations=1)
    assert result.scores.tolist() == pytest.approx([0.12, 0.0918, 0.0102])
    constant = ipagerank(graph, iterations=1, teleport="constant")
    assert constant.scores.tolist() == pytest.approx(
        [0.15, 0.15 + 0.85 * 0.15 * 0.9, 0.15 + 0.85 * 0.15 * 0.1]
    )


def test_relevance_teleport_is_personalised_pagerank() -> None:
    graph, pages = drawn_graph(300, 6, 300)
    drawn = nx.DiGraph()
    for page_id, _, links in pages:
        for target, weight in links:
            old = drawn.get_edge_data(page_id, target, {"weight": 0.0})["weight"]
            drawn.add_edge(page_id, target, weight=max(old, weight))
    relevance = {page[0]: page[1] for page in pages}
    theirs = nx.pagerank(drawn, alpha=0.85, personalization=relevance, tol=1e-15, max_iter=500)
    ours = ipagerank(graph, iterations=500, tolerance=1e-14)
    expected = np.array([theirs[i] for i in graph.ids.tolist()])
    assert np.allclose(ours.scores / sum(relevance.values()), expected, rtol=1e-9)


def test_with_equal_weights_and_constant_teleport_it_is_pagerank() -> None:
    _, pages = drawn_graph(50, 5, 80)
    graph = build([(i, rel, [(t, 1.0) for t, _ in links]) for i, rel, links in pages])
    ours = ipagerank(graph, teleport="constant", iterations=500, tolerance=1e-14)
    assert np.allclose(ours.scores, pagerank(graph, max_iterations=500, tolerance=1e-14).scores)


@given(PAGES, st.floats(0.1, 0.9))
@settings(max_examples=40)
def test_iterations_contract_by_the_damping(pages: list[Page], damping: float) -> None:
    graph = build(pages)
    steps = [ipagerank(graph, damping=damping, iterations=n).scores for n in range(1, 6)]
    pages_only = [s[graph.page_nodes] for s in steps]
    moves = [np.abs(b - a).sum() for a, b in itertools.pairwise(pages_only)]
    for before, after in itertools.pairwise(moves):
        assert after <= damping * before + 1e-12


def test_five_iterations_order_the_queue_nearly_like_the_fixpoint() -> None:
    # Rank correlation .98 after 5 iterations on 2,000 nodes with 30 links.
    graph, _ = drawn_graph(2000, 30, 2000)
    five = ipagerank(graph, iterations=5).scores
    fixpoint = ipagerank(graph, iterations=500, tolerance=1e-13).scores
    assert spearmanr(five, fixpoint).statistic > 0.95


def test_the_result_is_the_same_to_the_last_bit_however_the_steps_are_driven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 50)
    graph, _ = drawn_graph(200, 10, 400)
    whole = ipagerank(graph)
    steps = ipagerank_steps(graph)
    pauses = 0
    while True:
        try:
            next(steps)
            pauses += 1
        except StopIteration as stop:
            paused = stop.value
            break
    assert np.array_equal(whole.scores, paused.scores)
    assert whole.residual == paused.residual
    blocks = len(list(graph.rows()))
    assert pauses >= 7 * blocks, "a pause after every block of every pass"


def test_pages_that_arrive_during_the_pauses_do_not_change_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 50)
    still, pages = drawn_graph(200, 10, 400)
    expected = ipagerank(still).scores
    growing = build(pages)
    known = growing.n_nodes
    steps = ipagerank_steps(growing)
    arrivals = iter(range(200, 400))

    def disturbed() -> object:
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                return stop.value
            page = next(arrivals, None)
            if page is not None:
                targets = np.array([page % 7, 10_000 + page], dtype=np.int64)
                growing.add_page(page, 1.0, targets, np.ones(2))
                growing.set_relevance(0, 1.0)

    scores = disturbed().scores  # type: ignore[attr-defined]
    assert np.array_equal(scores[:known], expected)
    assert growing.n_nodes > known


def test_an_empty_graph_has_an_empty_ranking() -> None:
    assert run_steps(ipagerank_steps(LinkGraph())).scores.size == 0


def test_senseless_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="iterations must be >= 1, got 0"):
        ipagerank(LinkGraph(), iterations=0)
