"""The parts of adaptive: values smoothed along links, evidence in sums, a model around its prior."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.scoring.arrays import sigmoid
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.strategies.adaptive import value as values
from topiccrawl.scoring.strategies.adaptive.features import BLOCK_ROWS, FeatureTable
from topiccrawl.scoring.strategies.adaptive.model import (
    LEAST_EXAMPLES,
    MOST_EXAMPLES,
    PRIOR,
    LinkModel,
    examples,
)
from topiccrawl.scoring.strategies.adaptive.observations import NUMBERS, LinkObservations
from topiccrawl.scoring.strategy import N_FEATURES, LinkBatch
from topiccrawl.steps import run_steps


def graph_of(links: dict[int, list[int]], relevance: dict[int, float]) -> LinkGraph:
    graph = LinkGraph()
    for page, targets in links.items():
        ids = np.array(targets, dtype=np.int64)
        graph.add_page(page, relevance.get(page, 0.0), ids, np.ones(len(ids)))
    return graph


#: Numbers of a link.
WIDTH = len(NUMBERS)
#: Places of three links by IPageRank.
PLACES = np.array([0.5, 1.0, 0.0])


def batch(
    n: int,
    features: list[list[int]] | None = None,
    anchor: float = 0.0,
    url_hit: list[bool] | None = None,
    metadata: float = 0.0,
) -> LinkBatch:
    zero, no = np.zeros(n), np.zeros(n, dtype=bool)
    features = np.array(features if features is not None else np.empty((n, 0)), dtype=np.int32)
    return LinkBatch(
        targets=np.arange(n, dtype=np.int64),
        rw_relevance=np.full(n, metadata),
        url_hit=no if url_hit is None else np.array(url_hit),
        text_hit=no,
        title_hit=no,
        anchor_similarity=np.full(n, anchor),
        context_similarity=zero,
        features=features,
    )


def add(
    evidence: LinkObservations,
    nodes: list[int],
    links: LinkBatch,
    value: float,
    waiting: list[int] | None = None,
    size: int = 3,
) -> None:
    evidence.add(
        np.array(nodes, dtype=np.int64),
        links,
        relevance=value,
        value=value,
        size=size,
        waiting=np.array(range(len(nodes)) if waiting is None else waiting, dtype=np.int64),
    )


class TestValue:
    def test_one_round_is_the_formula(self) -> None:
        # 1 -> 2 -> 3, and 1 -> 9, which is not fetched and says nothing.
        graph = graph_of({1: [2, 9], 2: [3], 3: []}, {})
        own = np.array([1.0, 0.0, 0.4])
        found = run_steps(values.smoothed_steps(graph, own, smoothing=0.5))
        k = values.OWN_WEIGHT
        around = [(k * 1.0 + 0.0) / (k + 1), (0.0 + 1.0 + 0.4) / (k + 2), (k * 0.4 + 0.0) / (k + 1)]
        assert found.tolist() == pytest.approx((0.5 * own + 0.5 * np.array(around)).tolist())

    def test_a_page_without_neighbors_keeps_its_value(self) -> None:
        graph = graph_of({1: [8], 2: []}, {})
        own = np.array([0.7, 0.2])
        assert run_steps(values.smoothed_steps(graph, own)).tolist() == pytest.approx([0.7, 0.2])

    def test_a_chance_match_among_off_topic_pages_falls_below_a_miss_among_relevant_ones(
        self,
    ) -> None:
        off = {i: [1] for i in range(2, 8)}
        on = {i: [11] for i in range(12, 18)}
        graph = graph_of({1: [2, 3], **off, 11: [12, 13], **on}, {})
        order = graph.ids[graph.page_nodes].tolist()
        own = np.array([1.0 if p == 1 or p > 11 else 0.0 for p in order])
        found = dict(zip(order, run_steps(values.smoothed_steps(graph, own)), strict=True))
        assert found[11] > found[2]
        assert found[1] < 1.0

    def test_pages_that_come_between_the_steps_are_left_out(self) -> None:
        graph = graph_of({1: [2], 2: [1]}, {})
        steps = values.smoothed_steps(graph, np.array([1.0, 0.0]))
        next(steps)
        graph.add_page(3, 0.0, np.array([1], dtype=np.int64), np.ones(1))
        alone = run_steps(
            values.smoothed_steps(graph_of({1: [2], 2: [1]}, {}), np.array([1.0, 0.0]))
        )
        assert run_steps(steps).tolist() == alone.tolist()


class TestEvidence:
    def test_numbers_agree_with_the_pages(self) -> None:
        evidence = LinkObservations()
        add(evidence, [0, 1], batch(2, anchor=0.5, url_hit=[True, False], metadata=0.25), 0.8)
        add(evidence, [1], batch(1, anchor=0.1, metadata=1.0), 0.2)
        found = evidence.numbers(np.array([0, 1, 2]), np.array([1, 2, 0], dtype=np.int32), PLACES)
        by_name = dict(zip(NUMBERS, found.T.tolist(), strict=True))
        assert by_name["bias"] == [1, 1, 1]
        assert by_name["mean"] == pytest.approx([0.8, 0.5, 0])
        assert by_name["best"] == pytest.approx([0.8, 0.8, 0])
        assert by_name["degree"] == pytest.approx(np.log([2, 3, 1]).tolist())
        assert by_name["anchor"] == pytest.approx([0.5, 0.5, 0])
        assert by_name["metadata"] == [0.25, 1.0, 0]
        assert by_name["url"] == [1, 0, 0]
        assert by_name["ipagerank"] == PLACES.tolist()

    def test_features_are_those_of_the_most_relevant_page_until_the_link_is_fetched(self) -> None:
        evidence = LinkObservations()
        node = np.array([0])
        add(evidence, [0], batch(1, [[7]]), 0.3)
        add(evidence, [0], batch(1, [[8]]), 0.1)
        assert evidence.feature_ids(node).tolist() == [[7]]
        add(evidence, [0], batch(1, [[9]]), 0.9)
        assert evidence.feature_ids(node).tolist() == [[9]]
        add(evidence, [0], batch(1, [[5]]), 1.0, waiting=[])
        assert evidence.feature_ids(node).tolist() == [[9]]

    def test_values_anew_are_the_same_as_values_from_the_start(self) -> None:
        links = {1: [2, 3, 4], 2: [3], 3: [1, 4], 5: []}
        graph = graph_of(links, {})
        given = [0.9, 0.1, 0.4, 0.7]

        def evidence_of(worth: list[float]) -> LinkObservations:
            evidence = LinkObservations()
            for value, targets in zip(worth, links.values(), strict=True):
                nodes = graph.nodes(np.array(targets, dtype=np.int64))
                add(evidence, nodes.tolist(), batch(len(nodes)), value, size=graph.n_nodes)
            return evidence

        again = evidence_of([0.5, 0.5, 0.5, 0.5])
        run_steps(again.revalue_steps(graph, np.array(given)))
        everything, none = np.arange(graph.n_nodes), np.zeros(graph.n_nodes)
        assert again.numbers(everything, graph.in_degree, none) == pytest.approx(
            evidence_of(given).numbers(everything, graph.in_degree, none), abs=1e-6
        )


class TestFeatureTable:
    def test_rows_stay_where_they_are_when_the_table_grows(self) -> None:
        table, far = FeatureTable(), 3 * BLOCK_ROWS + 5
        table.reserve(10, 2)
        table.put(np.array([3]), np.array([[7, 8]], dtype=np.int32))
        table.reserve(far + 1, 2)
        table.put(np.array([far, 4]), np.array([[9], [6]], dtype=np.int32))
        found = table.get(np.array([far, 3, 4, 5]))
        assert found.tolist() == [[9, -1], [7, 8], [6, -1], [-1, -1]]

    def test_a_wider_row_makes_room_and_a_table_without_features_holds_nothing(self) -> None:
        table = FeatureTable()
        table.reserve(5, 0)
        assert table.get(np.array([4])).shape == (1, 0)
        table.reserve(5, 1)
        table.put(np.array([4]), np.array([[2]], dtype=np.int32))
        table.reserve(5, 3)
        assert table.get(np.array([4])).tolist() == [[2, -1, -1]]


class TestModel:
    def test_without_examples_the_model_is_its_prior(self) -> None:
        model = LinkModel()
        numbers = np.eye(len(NUMBERS))
        model.fit(numbers, np.zeros((WIDTH, 1), dtype=np.int32), np.ones(WIDTH))
        by_number, learned = model.contributions(numbers, np.zeros((WIDTH, 1), dtype=np.int32))
        assert by_number.diagonal().tolist() == list(PRIOR)
        assert learned.tolist() == [0.0] * WIDTH

    def test_a_word_that_leads_to_good_pages_earns_weight_and_another_loses_it(self) -> None:
        model, n = LinkModel(), 40
        numbers = np.tile(np.eye(1, WIDTH), (2 * n, 1))
        features = np.array([[11, -1]] * n + [[22, -1]] * n, dtype=np.int32)
        model.fit(numbers, features, np.array([1.0] * n + [0.0] * n))
        _, learned = model.contributions(
            numbers[:3], np.array([[11, -1], [22, -1], [33, -1]], dtype=np.int32)
        )
        assert learned[0] > 0.5 > 0 > learned[1]
        assert learned[2] == 0.0

    def test_the_fit_is_the_minimum_that_an_independent_method_finds(self) -> None:
        draw = np.random.default_rng(7)
        numbers = np.column_stack([np.ones(60), draw.random((60, WIDTH - 1))])
        features = draw.integers(0, 5, (60, 3)).astype(np.int32)
        features[features[:, 0] == 4, 1:] = -1
        goal = draw.random(60)
        model = LinkModel()
        model.fit(numbers, features, goal)
        # Newton's method on the same objective, dense, with short steps as it begins far from the minimum.
        design = np.column_stack(
            [numbers, [[float((r == s).sum()) for s in range(5)] for r in features]]
        )
        start = np.array([*PRIOR, *[0.0] * 5])
        penalty = np.array([1.0] * WIDTH + [8.0] * 5)
        weights = start.copy()
        for _ in range(200):
            p = sigmoid(design @ weights)
            gradient = design.T @ (p - goal) + penalty * (weights - start)
            hessian = (design.T * (p * (1 - p))) @ design + np.diag(penalty)
            weights -= 0.2 * np.linalg.solve(hessian, gradient)
        assert model.numbers == pytest.approx(weights[:WIDTH], abs=0.05)

    def test_a_fit_forgets_the_one_before(self) -> None:
        numbers = np.tile(np.eye(1, WIDTH), (LEAST_EXAMPLES, 1))
        features = np.full((LEAST_EXAMPLES, 1), 3, dtype=np.int32)
        used, fresh = LinkModel(), LinkModel()
        used.fit(numbers, features + 1, np.ones(LEAST_EXAMPLES))
        for model in (used, fresh):
            model.fit(numbers, features, np.zeros(LEAST_EXAMPLES))
        assert used.numbers.tolist() == fresh.numbers.tolist()
        assert used.contributions(numbers, features + 1)[1].tolist() == [0.0] * LEAST_EXAMPLES

    def test_a_fit_sees_a_bounded_sample_with_the_best_pages_in_it(self) -> None:
        worth = np.zeros(50_000)
        worth[49_000:49_200] = 1.0
        chosen = examples(worth)
        assert len(chosen) == len(set(chosen.tolist())) == MOST_EXAMPLES
        assert set(range(49_000, 49_200)) <= set(chosen.tolist())
        assert chosen.min() < 1_000, "the others come from the whole crawl"
        assert examples(np.zeros(5)).tolist() == [0, 1, 2, 3, 4]

    def test_the_highest_feature_is_learned_and_the_filling_never(self) -> None:
        n = LEAST_EXAMPLES
        numbers = np.tile(np.eye(1, WIDTH), (n, 1))
        features = np.tile(np.array([N_FEATURES - 1, -1], dtype=np.int32), (n, 1))
        model = LinkModel()
        model.fit(numbers, features, np.ones(n))
        _, learned = model.contributions(
            numbers[:2], np.array([[N_FEATURES - 1, -1], [-1, -1]], dtype=np.int32)
        )
        assert learned[0] > 0
        assert learned[1] == 0
