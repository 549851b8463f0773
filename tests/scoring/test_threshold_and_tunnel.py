from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from topiccrawl.scoring.threshold import (
    TUNNEL_HOPS,
    DynamicThreshold,
    TunnelRate,
    tunnel,
    wilson_upper,
)


def test_the_threshold_follows_its_formula_page_by_page() -> None:
    threshold = DynamicThreshold(0.5)
    assert threshold.update(True) == pytest.approx(0.5 + 0.02 * (0.6 - (0.98 * 0.6 + 0.02)))
    assert threshold.precision == pytest.approx(0.608)
    before = threshold.value
    assert threshold.update(False) == pytest.approx(before + 0.02 * (0.6 - 0.98 * 0.608))


def test_a_good_crawl_lowers_the_threshold_to_its_floor_and_a_bad_one_raises_it_to_its_ceiling() -> (
    None
):
    good, bad = DynamicThreshold(0.5), DynamicThreshold(0.5)
    for _ in range(300):
        good.update(True)
        bad.update(False)
    assert good.value == 0.2
    assert bad.value == 0.7


def test_a_start_outside_the_bounds_is_brought_inside() -> None:
    assert DynamicThreshold(0.9).value == 0.7
    assert DynamicThreshold(0.0).value == 0.2


@given(st.floats(0, 1), st.lists(st.booleans(), max_size=100))
def test_the_threshold_stays_in_its_bounds(start: float, judged: list[bool]) -> None:
    threshold = DynamicThreshold(start, low=0.3, high=0.4)
    for relevant in judged:
        assert 0.3 <= threshold.update(relevant) <= 0.4
        assert 0 <= threshold.precision <= 1


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"low": 0.8}, "0 <= low <= high <= 1, got 0.8, 0.7"),
        ({"high": 1.5}, "0 <= low <= high <= 1, got 0.2, 1.5"),
        ({"target": 2.0}, r"target must be in \[0, 1\], got 2.0"),
    ],
)
def test_impossible_bounds_are_refused(bounds: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DynamicThreshold(0.5, **bounds)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_bound_equals_scipys(counts: tuple[int, int]) -> None:
    successes, trials = counts
    expected = binomtest(successes, trials).proportion_ci(0.95, method="wilson").high
    assert wilson_upper(successes, trials) == pytest.approx(expected, abs=1e-9)


def test_the_wilson_bound_without_trials_says_nothing() -> None:
    assert wilson_upper(0, 0) == 1.0


@pytest.mark.parametrize("counts", [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="0 <= successes <= trials"):
        wilson_upper(*counts)
    with pytest.raises(ValueError, match="0 <= relevant <= followed"):
        TunnelRate(counts[1], counts[0])


def test_survival_starts_at_five_percent_and_then_lies_above_the_estimate() -> None:
    rate = TunnelRate()
    assert rate.survival == 0.05
    for _ in range(29):
        rate.update(False)
    assert rate.survival == 0.05, "under the smallest sample the start value holds"
    many = TunnelRate(1000, 30)
    assert many.survival == pytest.approx(1.5 * wilson_upper(30, 1000))
    assert 0.03 < many.upper < many.survival


def test_survival_never_exceeds_its_ceiling() -> None:
    assert TunnelRate(100, 90).survival == 0.15


def test_counted_pages_move_the_rate() -> None:
    rate = TunnelRate(99, 0)
    rate.update(True)
    assert rate.upper == wilson_upper(1, 100)


RULE = {"threshold": 0.5, "survival": 0.1}


@pytest.mark.parametrize(
    ("case", "follow", "hops"),
    [
        pytest.param((0.5, False, 0, 0.9), True, 3, id="own evidence needs no luck and no budget"),
        pytest.param((0.2, True, 0, 0.05), True, 3, id="a relevant parent renews the budget"),
        pytest.param(
            (0.2, True, 3, 0.10), False, 3, id="a draw at the probability does not survive"
        ),
        pytest.param((0.2, False, 3, 0.05), True, 2, id="an irrelevant parent takes a hop"),
        pytest.param((0.2, False, 1, 0.05), True, 0, id="the last hop"),
        pytest.param((0.2, False, 0, 0.05), False, 0, id="the budget is spent"),
    ],
)
def test_the_tunnel_rule_case_by_case(
    case: tuple[float, bool, int, float], follow: bool, hops: int
) -> None:
    score, parent_relevant, left, draw = case
    ruled = tunnel(score, parent_relevant=parent_relevant, hops=left, draw=draw, **RULE)
    assert (ruled.follow, ruled.score, ruled.hops) == (follow, score, hops)


def test_a_tunnel_passes_three_irrelevant_pages_and_not_a_fourth() -> None:
    link = tunnel(0.0, parent_relevant=True, hops=0, draw=0.0, **RULE)
    passed = 0
    while True:
        link = tunnel(0.0, parent_relevant=False, hops=link.hops, draw=0.0, **RULE)
        if not link.follow:
            break
        passed += 1
    assert passed == TUNNEL_HOPS == 3
