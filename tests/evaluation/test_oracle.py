"""Orders of the oracle and of chance on a drawn graph, and what can be reached."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.evaluation.judging.graph import WebGraph, build_graph
from topiccrawl.evaluation.judging.oracle import oracle_order, random_order

# 0 -> 1, 2    1 -> 3    2 -> 4, 5    4 -> 6 (relevant)    5 -> 7    3 -> 8 -> 9 (relevant)
_LINKS = {0: [1, 2], 1: [3], 2: [4, 5], 3: [8], 4: [6], 5: [7], 6: [0], 7: [], 8: [9], 9: []}


def url(node: int) -> str:
    return f"http://w.example/{node}"


@pytest.fixture(name="graph")
def drawn_graph() -> WebGraph:
    return build_graph({url(n): (200, [url(t) for t in out]) for n, out in _LINKS.items()})


def relevant(*nodes: int) -> np.ndarray:
    return np.isin(np.arange(10), nodes)


def test_the_oracle_goes_the_shortest_way_to_the_nearest_relevant_page(graph: WebGraph) -> None:
    # 6 is two links behind 2, 9 three behind 1; then 9; then what was discovered, by number.
    expected = [0, 2, 4, 6, 1, 3, 8, 9, 5, 7]
    assert oracle_order(graph, [0], relevant(6, 9), 100) == expected


def test_the_oracle_fetches_seeds_first_and_stops_at_its_budget(graph: WebGraph) -> None:
    assert oracle_order(graph, [0, 5], relevant(6), 3) == [0, 5, 2]


def test_the_oracle_goes_on_when_nothing_relevant_is_left(graph: WebGraph) -> None:
    assert oracle_order(graph, [5], relevant(), 100) == [5, 7]


def test_chance_is_drawn_by_its_seed_and_fetches_all_there_is_once(graph: WebGraph) -> None:
    first = random_order(graph, [0], 100, seed=1)
    assert first == random_order(graph, [0], 100, seed=1)
    assert sorted(first) == list(range(10))
    assert first[0] == 0
    assert len({tuple(random_order(graph, [0], 100, seed=k)) for k in range(20)}) > 1


def test_every_page_of_a_random_order_was_discovered_before(graph: WebGraph) -> None:
    for seed in range(20):
        seen = {0}
        for node in random_order(graph, [0], 100, seed):
            assert node in seen
            seen.update(_LINKS[node])


def test_reachable_is_what_links_lead_to(graph: WebGraph) -> None:
    assert np.flatnonzero(graph.reachable([url(3)])).tolist() == [3, 8, 9]


def test_redirects_lead_to_the_page_behind_them_and_are_no_pages() -> None:
    graph = build_graph(
        {
            "http://w.example/a": (200, ["http://w.example/old", "http://w.example/a"]),
            "http://w.example/old": (302, ["http://w.example/older"]),
            "http://w.example/older": (302, ["http://w.example/b"]),
            "http://w.example/b": (200, ["http://w.example/round"]),
            "http://w.example/round": (302, ["http://w.example/round"]),
            "http://w.example/c": (404, []),
        }
    )
    assert list(graph.urls) == ["http://w.example/a", "http://w.example/b"]
    assert [targets.tolist() for targets in graph.out] == [[1], []]
    assert graph.nodes(["https://w.example/old#x", "http://w.example/c"]) == [1]
