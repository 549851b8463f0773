from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from tests.support.graph_oracle import build, dense_weights, drawn_graph
from topiccrawl.scoring import graph as graph_module
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.hits import hits


def test_hits_equals_networkx_up_to_its_scale() -> None:
    _, pages = drawn_graph(60, 5, 90)
    pages = [(i, rel, [(target, 1.0) for target, _ in links]) for i, rel, links in pages]
    graph = build(pages)
    hubs, authorities = nx.hits(
        nx.DiGraph([(i, t) for i, _, links in pages for t, _ in links]), tol=1e-12
    )
    ours = hits(graph, max_iterations=2000, tolerance=1e-14)
    for mine, theirs in ((ours.hubs, hubs), (ours.authorities, authorities)):
        expected = np.array([theirs.get(i, 0.0) for i in graph.ids.tolist()])
        assert np.allclose(mine / mine.sum(), expected, atol=1e-9)


def test_weighted_hits_finds_the_leading_singular_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "BLOCK_EDGES", 30)
    graph, pages = drawn_graph(60, 5, 90)
    left, _, right = np.linalg.svd(dense_weights(graph, pages))
    ours = hits(graph, max_iterations=5000, tolerance=1e-15)
    assert np.allclose(ours.hubs, np.abs(left[:, 0]), atol=1e-8)
    assert np.allclose(ours.authorities, np.abs(right[0]), atol=1e-8)
    assert np.linalg.norm(ours.hubs) == pytest.approx(1)
    assert np.linalg.norm(ours.authorities) == pytest.approx(1)


def test_convergence_is_reported_as_it_is() -> None:
    graph, _ = drawn_graph(60, 5, 90)
    assert not hits(graph, max_iterations=1).converged
    full = hits(graph)
    assert full.converged
    assert full.residual <= 1e-10
    assert full.n_iter < 100


@pytest.mark.parametrize("pages", [0, 2], ids=["empty graph", "pages without links"])
def test_a_graph_without_links_has_no_hubs(pages: int) -> None:
    graph = LinkGraph()
    for page in range(pages):
        graph.add_page(page, 0.5, np.empty(0, dtype=np.int64), np.empty(0))
    result = hits(graph)
    assert result.hubs.tolist() == result.authorities.tolist() == [0.0] * pages


def test_senseless_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="iterations must be >= 1, got 0"):
        hits(LinkGraph(), max_iterations=0)
