"""Intervals and tests, against exact values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from topiccrawl.evaluation.results.statistics import compare, holm, interval, sign_flip


def test_all_differences_of_one_sign_give_the_least_p_that_is_possible() -> None:
    assert sign_flip([0.1, 0.2, 0.3, 0.4, 0.5]) == pytest.approx(2 / 2**5)


def test_the_exact_p_counts_the_sign_patterns_at_least_as_extreme() -> None:
    # Sums of ±1 ±2 ±3 that are >= 4 (observed: -1 + 2 + 3): 6 and 4, two of eight, on both sides.
    assert sign_flip([-1.0, 2.0, 3.0]) == pytest.approx(4 / 8)


def test_no_difference_is_no_evidence() -> None:
    assert sign_flip([0.0, 0.0, 0.0]) == 1
    assert sign_flip([0.7]) == 1
    assert sign_flip([]) is None


def test_many_pairs_are_sampled_and_the_same_seed_gives_the_same_p() -> None:
    values = np.random.default_rng(5).normal(0.3, 1.0, size=24).tolist()
    p = sign_flip(values, seed=3)
    assert p == sign_flip(values, seed=3)
    assert p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, abs=0.03)


def test_holm_multiplies_the_least_by_their_number_and_never_falls() -> None:
    assert holm([0.04, 0.01, 0.03, 0.5]) == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


def test_few_topics_have_the_interval_of_student() -> None:
    low, high = interval([1.0, 2.0, 3.0]) or (0, 0)
    assert (low + high) / 2 == pytest.approx(2)
    assert (high - low) / 2 == pytest.approx(4.303 * 1 / np.sqrt(3), abs=1e-3)


def test_many_topics_have_the_bootstrap_interval_and_it_is_the_same_twice() -> None:
    values = np.random.default_rng(1).normal(size=40).tolist()
    first = interval(values, seed=2)
    assert first is not None
    assert first == interval(values, seed=2)
    assert first[0] < np.mean(values) < first[1]


def test_one_topic_has_no_interval_and_equal_topics_have_an_empty_one() -> None:
    assert interval([0.4]) is None
    assert interval([0.4, 0.4]) == (0.4, 0.4)


def test_a_comparison_has_its_interval_by_topic_and_its_test_by_pair() -> None:
    pairs = [("x", 0.5, 0.3), ("x", 0.7, 0.3), ("y", 0.4, 0.3), ("y", 0.4, 0.1)]
    found = compare(pairs)
    assert found.pairs == 4
    assert found.difference == pytest.approx(0.25)
    assert found.p == pytest.approx(2 / 16)
    assert found.low is not None
    assert found.high is not None
    # Topic means .3 and .2: t of one degree of freedom is 12.706.
    assert found.high - found.low == pytest.approx(2 * 12.706 * 0.05, abs=1e-3)
    with pytest.raises(ValueError, match="no pairs"):
        compare([])


def test_a_difference_is_the_mean_over_topics_however_many_seed_sets_they_have() -> None:
    found = compare([*[("x", 0.5, 0.1)] * 9, ("y", 0.2, 0.2), ("z", 0.2, 0.21)])
    assert found.difference == pytest.approx(0.13)
    assert found.low is not None
    assert found.high is not None
    assert found.difference == pytest.approx((found.low + found.high) / 2)
