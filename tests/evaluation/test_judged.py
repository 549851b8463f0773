"""Figures of the crawler's judgments of pages, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from topiccrawl.evaluation.results.judged import (
    Calibration,
    auc_of,
    calibration_error,
    calibration_of,
    judged_pages,
    pooled,
    selection_of,
)


def flags(text: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([c == "1" for c in text], dtype=bool)


def test_precision_is_of_the_kept_pages_and_recall_of_the_relevant_ones() -> None:
    found = selection_of(flags("111100"), flags("110111"))
    assert (found.kept, found.right) == (4, 3)
    assert found.precision == pytest.approx(3 / 4)
    assert found.recall == pytest.approx(3 / 5)
    assert found.f1 == pytest.approx(2 * 3 / (4 + 5))


def test_who_keeps_nothing_has_no_precision_and_an_f1_of_zero() -> None:
    found = selection_of(flags("000"), flags("110"))
    assert (found.precision, found.recall, found.f1) == (None, 0, 0)


def test_keeping_pages_where_none_is_relevant_has_no_recall_and_an_f1_of_zero() -> None:
    found = selection_of(flags("110"), flags("000"))
    assert (found.precision, found.recall, found.f1) == (0, None, 0)
    nothing = selection_of(flags("00"), flags("00"))
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    # Pairs of a relevant and another page: (.9, .4) and (.9, .1), (.4, .4) is a tie, (.4, .1).
    p, y = np.array([0.9, 0.4, 0.4, 0.1]), flags("1100")
    assert auc_of(p, y) == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert auc_of(p, flags("1111")) is None
    assert auc_of(p, flags("0000")) is None


def test_pages_without_a_probability_rank_last() -> None:
    assert auc_of(np.array([0.0, math.nan]), flags("10")) == 1
    assert auc_of(np.array([0.0, math.nan]), flags("01")) == 0


def test_calibration_bins_have_equal_width_and_the_last_one_contains_1() -> None:
    found = calibration_of(np.array([0.0, 0.05, 0.5, 0.95, 1.0, math.nan]), flags("010111"))
    assert found is not None
    assert found.pages == [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]
    assert found.relevant == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert found.probability == pytest.approx([0.05, 0, 0, 0, 0, 0.5, 0, 0, 0, 1.95])


def test_the_calibration_error_weighs_the_gap_of_each_bin_by_its_pages() -> None:
    # Four pages at .75 of which three are relevant: no gap.  One at .15, not relevant: a gap of .15.
    found = calibration_of(np.array([0.75, 0.75, 0.75, 0.75, 0.15]), flags("11100"))
    assert found is not None
    assert calibration_error(found) == pytest.approx(0.15 / 5)


def test_a_judge_that_is_sure_and_wrong_has_a_calibration_error_of_one() -> None:
    found = calibration_of(np.array([1.0, 0.0]), flags("01"))
    assert found is not None
    assert calibration_error(found) == 1


def test_opposite_errors_of_two_runs_cancel_out_when_pages_are_pooled() -> None:
    high, low = Calibration([2], [1.2], [2]), Calibration([2], [1.2], [0])
    both = pooled([high, low])
    assert both == Calibration([4], [pytest.approx(2.4)], [2])
    assert both is not None
    assert calibration_error(both) == pytest.approx(0.4 / 4)
    assert calibration_error(high) == pytest.approx(0.4)
    assert pooled([]) is None


def test_pages_that_do_not_count_change_nothing() -> None:
    found = judged_pages(
        100,
        probability=[0.9, 0.2, 0.8, 0.1],
        kept=[True, False, True, False],
        naive={"one": [True, True, False, False]},
        relevant=[True, True, False, False],
        counted=[True, True, False, True],
    )
    assert (found.at, found.pages, found.relevant) == (100, 3, 2)
    assert (found.kept.precision, found.kept.recall) == (1, 0.5)
    assert found.naive["one"].f1 == 1
    assert found.auc == 1
    assert found.calibration is not None
    assert sum(found.calibration.pages) == 3


def test_a_judge_without_probabilities_has_neither_area_nor_calibration() -> None:
    found = judged_pages(1, [math.nan] * 2, [True, False], {}, [True, False], [True, True])
    assert (found.auc, found.calibration) == (None, None)
    assert found.kept.f1 == 1
