"""Random link graphs for property tests, and their dense form for brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from topiccrawl.scoring.graph import LinkGraph

#: Link id, relevance, links as (link id, weight).
Page = tuple[int, float, list[tuple[int, float]]]

IDS = st.sampled_from([-(2**63), -7, 0, 1, 2, 3, 5, 8, 13, 2**63 - 1])
WEIGHTS = st.one_of(st.just(0.0), st.floats(0.01, 5))
PAGES: st.SearchStrategy[list[Page]] = st.lists(
    st.tuples(IDS, st.floats(0, 1), st.lists(st.tuples(IDS, WEIGHTS), max_size=8)),
    max_size=8,
    unique_by=lambda page: page[0],
)


def build(pages: list[Page]) -> LinkGraph:
    graph = LinkGraph()
    for page_id, relevance, links in pages:
        targets = np.array([target for target, _ in links], dtype=np.int64)
        weights = np.array([weight for _, weight in links], dtype=np.float64)
        assert graph.add_page(page_id, relevance, targets, weights)
    return graph


def dense_weights(graph: LinkGraph, pages: list[Page]) -> np.ndarray:
    """A[i, j] = weight of the link i→j by node, the largest of repeated ones."""
    at = {link_id: node for node, link_id in enumerate(graph.ids.tolist())}
    matrix = np.zeros((graph.n_nodes, graph.n_nodes))
    for page_id, _, links in pages:
        for target, weight in links:
            i, j = at[page_id], at[target]
            matrix[i, j] = max(matrix[i, j], weight)
    return matrix


def dense_shares(graph: LinkGraph, pages: list[Page]) -> np.ndarray:
    """W[i, j]: rows of A divided by their sums, 0 where the sum is 0."""
    matrix = dense_weights(graph, pages)
    totals = matrix.sum(axis=1, keepdims=True)
    return np.divide(matrix, totals, out=np.zeros_like(matrix), where=totals > 0)


def drawn_graph(pages: int, links: int, nodes: int, seed: int = 1) -> tuple[LinkGraph, list[Page]]:
    """A larger graph with popular targets."""
    rng = np.random.default_rng(seed)
    made: list[Page] = [
        (
            page,
            float(rng.random()),
            [
                (int(target), float(weight))
                for target, weight in zip(
                    (nodes * rng.random(links) ** 2).astype(int), rng.random(links), strict=True
                )
            ],
        )
        for page in range(pages)
    ]
    return build(made), made
