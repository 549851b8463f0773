"""Figures of a run, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from topiccrawl.evaluation.experiment import Fetch
from topiccrawl.evaluation.results.metrics import (
    area,
    curve_points,
    harvest,
    hits,
    measure,
    normalized,
    pages_to,
    recall,
    windowed_harvest,
)

FOUND = np.array([True, False, True, True, False])


def test_the_harvest_rate_is_relevant_over_fetched() -> None:
    assert harvest(FOUND).tolist() == pytest.approx([1, 1 / 2, 2 / 3, 3 / 4, 3 / 5])


def test_a_run_that_ended_early_keeps_its_count_while_the_pages_go_on() -> None:
    assert harvest(FOUND[:1], 4).tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert harvest(FOUND[:0], 2).tolist() == [0, 0]


def test_the_window_looks_back_over_the_last_pages_only() -> None:
    assert windowed_harvest(FOUND, 2).tolist() == pytest.approx([1, 1 / 2, 1 / 2, 1, 1 / 2])
    with pytest.raises(ValueError, match="window must be >= 1"):
        windowed_harvest(FOUND, 0)


def test_the_area_is_the_mean_of_the_cumulative_rates() -> None:
    assert area(FOUND) == pytest.approx((1 + 1 / 2 + 2 / 3 + 3 / 4 + 3 / 5) / 5)
    assert area(FOUND, 2) == pytest.approx(3 / 4)
    assert area(FOUND[:0]) == 0


def test_stopping_early_does_not_raise_the_area() -> None:
    assert area(FOUND[:1], 5) < area(FOUND, 5)


def test_a_page_counts_once_however_often_it_is_fetched() -> None:
    assert hits(["a", "b", "a"], {"a"}).tolist() == [True, False, False]


def test_recall_counts_hidden_targets() -> None:
    assert recall(FOUND, 4).tolist() == pytest.approx([1 / 4, 1 / 4, 2 / 4, 3 / 4, 3 / 4])


def test_pages_to_a_share_of_the_targets() -> None:
    assert pages_to(FOUND, 4, 0.5) == 3
    assert pages_to(FOUND, 4, 0.8) is None
    assert pages_to(FOUND, 3, 0.9) == 4
    assert pages_to(FOUND, 0, 0.5) is None


def test_normalized_is_zero_for_chance_and_one_for_the_oracle() -> None:
    assert normalized(0.2, 0.2, 0.6) == 0
    assert normalized(0.6, 0.2, 0.6) == 1
    assert normalized(0.4, 0.2, 0.6) == pytest.approx(0.5)
    assert normalized(0.1, 0.3, 0.3) is None


def test_all_figures_of_a_run() -> None:
    fetches = [
        Fetch("http://a.cn/seed", 100, 0.5),
        Fetch("http://a.cn/1", 50, 0.9),
        Fetch("http://b.cn/2", 10, math.nan),
        Fetch("http://b.cn/3", 40, 0.1),
    ]
    relevant = {"http://a.cn/seed", "http://a.cn/1", "http://b.cn/3", "http://c.cn/4"}
    targets = relevant - {"http://a.cn/seed"}
    found = measure(fetches, relevant, targets, 4)
    assert (found.fetched, found.relevant, found.relevant_hosts, found.bytes) == (4, 3, 2, 200)
    assert found.harvest == 0.75
    assert found.recall == pytest.approx(2 / 3)
    assert found.auc == pytest.approx((1 + 1 + 2 / 3 + 3 / 4) / 4)
    assert (found.pages_to_50, found.pages_to_80, found.pages_to_90) == (4, None, None)
    assert found.mean_similarity == pytest.approx(0.5)


def test_a_run_without_a_page_has_figures_too() -> None:
    found = measure([], {"x"}, {"x"}, 0)
    assert (found.fetched, found.auc, found.recall, found.mean_similarity) == (0, 0, 0, None)


def test_curves_end_with_the_last_page() -> None:
    assert curve_points(0) == []
    assert curve_points(3) == [1, 2, 3]
    assert curve_points(2_001, 100)[-1] == 2_001
    assert len(curve_points(2_001, 100)) <= 100
