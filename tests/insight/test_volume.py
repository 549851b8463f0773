"""Baselines of volumes: against scipy's distributions, and on histories drawn from many processes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from topiccrawl.insight.bursts.intervals import (
    DAY,
    HOUR,
    Baseline,
    Rhythm,
    VolumeTest,
    baseline,
    judge,
)

Rng = np.random.Generator
Counts = NDArray[np.int64]


def test_probabilities_are_those_of_the_negative_binomial_distribution() -> None:
    for mean, phi in ((3.0, 0.2), (40.0, 0.05), (0.4, 1.5)):
        expected = Baseline(mean, phi, 30)
        size = 1 / phi
        oracle = stats.nbinom(size, size / (size + mean))
        for count in (0, 1, 2, 5, 17, 80, 200):
            assert expected.at_least(count) == pytest.approx(oracle.sf(count - 1), rel=1e-6)
            assert expected.at_most(count) == pytest.approx(oracle.cdf(count), rel=1e-6)


def test_without_dispersion_they_are_those_of_the_poisson_distribution() -> None:
    expected = Baseline(7.5, 0.0, 30)
    for count in (0, 1, 7, 20):
        assert expected.at_least(count) == pytest.approx(stats.poisson(7.5).sf(count - 1))
        assert expected.at_most(count) == pytest.approx(stats.poisson(7.5).cdf(count))


@pytest.mark.parametrize(("rhythm", "days"), [(DAY, 13), (HOUR, 13)])
def test_nothing_is_judged_before_two_weeks_were_observed(rhythm: Rhythm, days: int) -> None:
    n = days * 86_400 // rhythm.seconds
    assert baseline([10] * n, 0, rhythm) is None
    unseen: list[int | None] = [None] * (10 * rhythm.week)
    assert baseline(unseen + [10] * n, 0, rhythm) is None
    assert baseline([10] * (n + 86_400 // rhythm.seconds), 0, rhythm) is not None


def test_weekdays_are_compared_with_the_same_weekdays() -> None:
    weeks = [50, 50, 50, 50, 50, 4, 4] * 6
    friday = baseline(weeks[:-3], 0, DAY)
    saturday = baseline(weeks[:-2], 0, DAY)
    assert friday is not None
    assert saturday is not None
    assert friday.mean == pytest.approx(50, rel=0.15)
    assert saturday.mean == pytest.approx(4, abs=2.5)
    assert judge(40, saturday, VolumeTest()) is not None
    assert judge(50, friday, VolumeTest()) is None


def test_an_earlier_burst_does_not_hide_the_next_one() -> None:
    counts = [int(it) for it in np.random.default_rng(3).poisson(20, 56)]
    counts[30] = 400
    expected = baseline(counts, 0, DAY)
    assert expected is not None
    assert expected.mean == pytest.approx(20, rel=0.2)
    assert judge(90, expected, VolumeTest()) is not None


def _months(rng: Rng, days: int, factor: float) -> tuple[list[int], int]:
    """Return counts of days from 2026-01-01 on, and its number; the last two days of a month have more."""
    first = date(2026, 1, 1)
    mean = np.full(days, 30.0)
    for at in range(days):
        if (first + timedelta(at + 2)).day <= 2:
            mean[at] *= factor
    return [int(it) for it in rng.poisson(mean)], (first - date(1970, 1, 1)).days


def test_the_end_of_a_month_is_compared_with_earlier_ends() -> None:
    counts, first = _months(np.random.default_rng(5), 120, 3.0)
    third, fourth = 31 + 28 + 31 - 1, 120 - 1
    for end in (third, fourth):
        expected = baseline(counts[:end], first, DAY)
        assert expected is not None
        assert expected.mean == pytest.approx(90, rel=0.3)
        assert judge(counts[end], expected, VolumeTest()) is None
        assert judge(270, expected, VolumeTest()) is not None
        before = baseline(counts[: end - 4], first, DAY)
        assert before is not None
        assert before.mean == pytest.approx(30, rel=0.2)
    second = baseline(counts[: 31 + 28 - 1], first, DAY)
    assert second is not None
    assert second.mean == pytest.approx(30, rel=0.3)


def test_one_burst_at_the_end_of_a_month_hides_no_other() -> None:
    counts, first = _months(np.random.default_rng(6), 90, 1.0)
    counts[31 + 28 - 1] = 100
    expected = baseline(counts[:89], first, DAY)
    assert expected is not None
    assert expected.mean == pytest.approx(30, rel=0.2)


def test_the_sum_of_three_days_shows_what_no_day_shows_alone() -> None:
    rng = np.random.default_rng(8)
    counts = [int(it) for it in rng.negative_binomial(6, 6 / 46, 60)]
    one, three = baseline(counts, 0, DAY), baseline(counts, 0, DAY, ahead=3)
    assert one is not None
    assert three is not None
    assert three.mean == pytest.approx(120, rel=0.3)
    assert three.dispersion < 0.5 * one.dispersion
    assert judge(125, one, VolumeTest()) is None
    assert judge(375, three, VolumeTest()) is not None


def test_days_that_follow_each_other_alike_make_no_sum_surprising() -> None:
    rng = np.random.default_rng(9)
    found = []
    for _ in range(8):
        counts = rng.poisson(40 * np.repeat(rng.gamma(3, 1 / 3, 20), 3))
        for drawn in (counts, rng.permutation(counts)):
            expected = baseline([int(it) for it in drawn], 0, DAY, ahead=3)
            assert expected is not None
            found.append(expected.dispersion)
    alike, mixed = np.median(found[::2]), np.median(found[1::2])
    assert alike > 1.3 * mixed


def test_a_collection_without_any_page_is_no_reason_for_a_warning_of_few_pages() -> None:
    expected = baseline([0] * 30, 0, DAY)
    assert expected is not None
    test = VolumeTest()
    assert judge(0, expected, test) is None
    assert judge(test.least - 1, expected, test) is None
    assert judge(test.least, expected, test) is not None


def _week(rng: Rng, n: int, rhythm: Rhythm, level: float) -> NDArray[np.float64]:
    """Means with a rhythm: weekdays, and for hours also times of the day."""
    rows = rhythm.phases(0, n)
    weekend = rng.uniform(0.1, 0.8, 2)
    mean: NDArray[np.float64] = np.full(n, level) * np.r_[np.ones(5), weekend][rows[-1]]
    if rhythm is HOUR:
        mean *= np.exp(np.sin((np.arange(24) - 8) / 24 * 2 * np.pi))[rows[0]] / 24
    return mean


def _steady(rng: Rng, mean: NDArray[np.float64]) -> Counts:
    return rng.poisson(mean)


def _noisy(rng: Rng, mean: NDArray[np.float64]) -> Counts:
    return rng.poisson(mean * rng.gamma(8, 1 / 8, len(mean)))


def _growing(rng: Rng, mean: NDArray[np.float64]) -> Counts:
    return rng.poisson(mean * np.exp(np.linspace(0, 1.2, len(mean))))


def _drifting(rng: Rng, mean: NDArray[np.float64]) -> Counts:
    steps = rng.normal(0, 0.12, len(mean))
    drift = np.zeros(len(mean))
    for i in range(1, len(mean)):
        drift[i] = 0.9 * drift[i - 1] + steps[i]
    return rng.poisson(mean * np.exp(drift))


@pytest.mark.parametrize("process", [_steady, _noisy, _growing, _drifting])
@pytest.mark.parametrize("rhythm", [DAY, HOUR])
def test_ten_normal_histories_are_silent_and_a_burst_in_each_is_seen(
    process: Callable[[Rng, NDArray[np.float64]], Counts], rhythm: Rhythm
) -> None:
    rng = np.random.default_rng(16)
    alarms = 0
    for _ in range(10):
        n = 10 * rhythm.week
        level = float(rng.uniform(20, 80)) * (1 if rhythm is DAY else 6)
        mean = _week(rng, n, rhythm, level)
        counts = process(rng, mean)
        test = VolumeTest()
        for now in range(4 * rhythm.week, n, 1 if rhythm is DAY else 29):
            expected = baseline([int(it) for it in counts[:now]], 0, rhythm)
            assert expected is not None
            change = judge(int(counts[now]), expected, test, rhythm)
            alarms += change is not None and change.direction == "rise"
        busy = max(range(n - rhythm.week, n), key=lambda it: mean[it])
        expected = baseline([int(it) for it in counts[:busy]], 0, rhythm)
        assert expected is not None
        assert judge(int(6 * expected.mean), expected, test) is not None
    assert alarms == 0
