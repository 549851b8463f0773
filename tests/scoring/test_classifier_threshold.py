"""Size of the topic and threshold beside brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from topiccrawl.scoring.classifier.start import LEAST_POSITIVES
from topiccrawl.scoring.classifier.threshold import (
    ABOVE,
    BALANCES,
    BELOW,
    LARGEST,
    LEAST_APART,
    MOST_MASS,
    Calibration,
    calibrate,
    choose_threshold,
    topic_size,
    with_words,
)


def calibrated(z: np.ndarray, typical: float, words: int) -> Calibration:
    return calibrate(z, topic_size(z, typical, words))


probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def test_the_border_is_where_few_pages_lie_near_the_estimated_size() -> None:
    # Twelve look typical, the words name eight: about ten.  After the twelfth is a gap.
    z = np.append(np.linspace(8, 4, 12), np.linspace(-2, -4, 200))
    assert calibrated(z, 1.0, 8).border == pytest.approx(4.0)


def test_the_border_is_the_k_th_largest_of_few_pages() -> None:
    z = np.array([5.0, -9, 3, 4, -8, 2, -7, 1])
    # Five look typical, and the words name 20: K = sqrt(5 * 20) is more than all.
    assert calibrated(z, 1.0, 20).border == -9
    # K = sqrt(5 * 2) = 3.2.
    assert calibrated(z, 1.0, 2).border == 3.0
    assert calibrated(np.array([-50.0, -60.0]), 1.0, 1).border == -50.0


def test_a_large_topic_is_not_far_when_few_pages_have_its_words() -> None:
    # Forty pages look typical.  Among them lie 40 of 40 pages near the border, among the next 160 only 160 of 200.
    z = np.array([*[3.0] * 40, *[-1.2] * 160, *[-9.0] * 800])
    assert topic_size(z, 1.0, LEAST_POSITIVES + 1) == 40
    assert topic_size(z, 1.0, LEAST_POSITIVES) == 200


def test_a_topic_is_not_smaller_than_its_estimate() -> None:
    # Thirty pages look typical, 53 have the words: K₀ is 40.  A sparse place at 30 is no border.
    z = np.array([*[8.0] * 20, *[5.0] * 10, *[-1.0] * 60, *[-9.0] * 910])
    assert topic_size(z, 1.0, 53) == 90


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=200), st.integers(1, 100))
def test_the_size_of_the_topic_cannot_leave_the_keywords_behind(
    values: list[float], words: int
) -> None:
    z = np.array(values)
    kept = int((z > calibrated(z, 0.9, words).border).sum())
    assert kept <= LARGEST * math.sqrt(len(z) * words) + 1


def test_probability_is_a_half_at_the_border() -> None:
    found = Calibration(2.0, 0.5, 1.5).probability(np.array([-1e9, 0.0, 2.0, 6.0, 1e9]))
    assert found[[0, 2, 4]].tolist() == [0, 0.5, 1]
    assert found[1] == pytest.approx(1 / (1 + math.exp(3.0)))
    assert found[3] == pytest.approx(1 / (1 + math.exp(-2.0)))


@given(st.floats(0.01, 100))
def test_probabilities_do_not_depend_on_the_scale_of_the_model(scale: float) -> None:
    z = np.append(np.linspace(3, 4, 20), np.linspace(-4, 0, 300))
    found = calibrated(z * 10, 0.0, 20).probability(z * 10)
    scaled = calibrated(z * 10 * max(scale, 0.1), 0.0, 20).probability(z * 10 * max(scale, 0.1))
    assert scaled == pytest.approx(found)


def test_each_side_of_the_border_has_its_own_slope() -> None:
    z = np.array([*[6.0] * 5, *[4.0] * 5, *[-4.0] * 500])
    found = calibrated(z, 0.9, 10)
    assert found.border == 4.0
    assert found.above == pytest.approx(ABOVE / 1)
    assert found.below == pytest.approx(BELOW / 8)


def test_the_slope_grows_until_the_probabilities_add_up_to_the_topics_size() -> None:
    close = np.append(np.full(10, 0.002), np.full(500, -0.002))
    found = calibrated(close, 1.25, 10)
    assert found.below >= 2 * BELOW / LEAST_APART
    assert found.above == ABOVE / LEAST_APART
    assert found.probability(close).sum() <= MOST_MASS * 10


def f1(p: np.ndarray, kept: np.ndarray) -> float:
    return 2 * float(p[kept].sum()) / (int(kept.sum()) + float(p.sum()))


@given(probabilities)
def test_balanced_has_the_largest_expected_f1_within_the_bounds(values: list[float]) -> None:
    p = np.array(values)
    at = choose_threshold(p, "balanced")
    assert 0.1 <= at <= 0.9
    if 0.1 < at < 0.9:
        best = max(f1(p, p >= each) for each in p)
        assert f1(p, p >= at) == pytest.approx(best)


@given(probabilities)
@example([0.95, 0.9, 0.88, 0.6, 0.3, 0.2, 0.05])
def test_recall_and_precision_reach_what_they_promise(values: list[float]) -> None:
    p = np.array(values)
    recall = choose_threshold(p, "recall")
    if recall > 0.1:
        assert p[p >= recall].sum() >= 0.9 * p.sum() - 1e-9
    precision = choose_threshold(p, "precision")
    above = p[p > precision]
    if 0.1 < precision < 0.9 and len(above):
        assert above.mean() >= 0.9 - 1e-9


@given(probabilities)
def test_precision_keeps_no_more_than_balanced_and_recall_no_less(values: list[float]) -> None:
    p = np.array(values)
    kept = [int((p >= choose_threshold(p, balance)).sum()) for balance in BALANCES]
    assert BALANCES == ("precision", "balanced", "recall")
    assert kept == sorted(kept)


def test_doubtful_pages_do_not_fill_up_a_precise_collection() -> None:
    p = np.append(np.ones(100), np.full(20, 0.1))
    assert (p >= choose_threshold(p, "precision")).sum() == 100


def test_without_pages_the_threshold_is_a_half() -> None:
    assert choose_threshold(np.empty(0), "recall") == 0.5


def test_the_words_count_much_after_few_pages_and_always_where_they_are_sure() -> None:
    learned, own = np.array([0.0, 1.0, 0.0]), np.array([1.0, 1.0, 4.0])
    assert with_words(learned, own, 100).tolist() == [0.25, 0.75, 0.8]
    assert with_words(learned, own, 300).tolist() == [0.125, 0.875, 0.8]
    assert with_words(learned, own, 0).tolist() == [0.5, 0.5, 0.8]
