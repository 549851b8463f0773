"""Activity of directories, estimated from the visits to their pages."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.freshness.bursts import DAYS, MODELS, Bursts

NOW = 1_000.0
RATE = 0.1
EQUAL = np.full((MODELS, 1), 1 / MODELS)


def estimated(bursts: Bursts, directories: list[int], rounds: int = 1, now: float = NOW) -> Bursts:
    """Estimate the activity for pages of equal rate in *directories* of one site."""
    directory = np.array(directories)
    site_of = np.zeros(int(directory.max()) + 1, dtype=np.int64)
    for _ in range(rounds):
        bursts.estimate(now, np.full(len(directory), RATE), directory, site_of, EQUAL)
    return bursts


def daily(bursts: Bursts, row: int, days: range, changed_on: set[int]) -> None:
    """Record a visit a day; *days* count back from ``NOW``."""
    for day in days:
        bursts.observe(row, NOW - day - 1, NOW - day, day in changed_on)


def test_time_is_its_own_without_visits() -> None:
    bursts = estimated(Bursts(), [0, 0])
    ago = np.array([0.0, 1.0, 40.0, DAYS - 1.0, DAYS + 10.0, 400.0])
    elapsed = bursts.elapsed(np.zeros(len(ago), dtype=np.int64), NOW - ago, NOW)
    np.testing.assert_allclose(elapsed.quiet, ago)
    np.testing.assert_allclose(elapsed.quiet_area, ago**2 / 2)
    assert not elapsed.excess.any()
    assert not elapsed.excess_area.any()
    for days in ago.tolist():
        np.testing.assert_allclose(bursts.times(0, NOW - days, NOW), days)


@pytest.mark.parametrize("known", [False, True])
def test_visits_of_a_forgotten_row_teach_nothing(known: bool) -> None:
    bursts = Bursts()
    daily(bursts, 0, range(30), {3, 4, 5})
    if known:
        estimated(bursts, [0])
    bursts.forget(0)
    np.testing.assert_allclose(estimated(bursts, [0]).times(0, NOW - 10, NOW), 10)


def test_estimates_come_to_rest_without_new_visits() -> None:
    bursts = Bursts()
    for row in range(4):
        daily(bursts, row, range(60), {3})
    before = estimated(bursts, [0] * 4, 60).times(0, NOW - 4, NOW - 3)
    after = estimated(bursts, [0] * 4, 60).times(0, NOW - 4, NOW - 3)
    np.testing.assert_allclose(before, after, rtol=0.01)


def test_a_burst_of_the_site_is_expected_in_a_directory_that_was_not_visited() -> None:
    bursts = Bursts()
    for row in range(4):
        daily(bursts, row, range(60), {3})
    estimated(bursts, [0] * 4 + [1], 3)
    steady, independent, persistent = bursts.times(1, NOW - 4, NOW - 3)
    assert steady == pytest.approx(1.0)
    assert min(independent, persistent) > 2
    quiet = bursts.times(1, NOW - 40, NOW - 39)
    assert (quiet[1:] < 1).all()
