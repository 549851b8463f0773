"""Age, freshness, the age index and the optimum of the lecture slides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.freshness.formulas import age_index, expected_age, index_at_age, mean_age
from topiccrawl.freshness.types import FloatArray
from topiccrawl.freshness.waterfilling import optimal_frequencies

rates = st.floats(1e-4, 10)
days = st.floats(0.1, 500)


def test_a_page_that_changes_weekly_is_2_6_days_old_after_seven_days() -> None:
    assert float(expected_age(np.array(1 / 7), np.array(7.0))) == pytest.approx(2.575, abs=1e-3)


def freshness(rate: FloatArray, frequency: FloatArray) -> FloatArray:
    """The mean freshness of pages visited so often a day at equal distances, as in docs/freshness.md."""
    r = rate / np.maximum(frequency, 1e-12)
    return -np.expm1(-r) / r


def test_the_optimum_of_five_visits_gives_the_fastest_page_none() -> None:
    rates = np.arange(1.0, 6.0)
    optimum = optimal_frequencies(rates, 5)
    assert optimum == pytest.approx([1.15, 1.36, 1.35, 1.14, 0], abs=0.01)
    assert freshness(rates, optimum).mean() == pytest.approx(0.374, abs=1e-3)
    assert freshness(rates, np.ones(5)).mean() == pytest.approx(0.365, abs=1e-3)
    assert freshness(rates, rates / 3).mean() == pytest.approx(0.317, abs=1e-3)


@given(rates, days)
def test_the_mean_age_is_the_mean_of_the_expected_age(rate: float, interval: float) -> None:
    times = (np.arange(4000) + 0.5) * interval / 4000
    sampled = expected_age(np.array(rate), times).mean()
    assert float(mean_age(np.array(rate), np.array(interval))) == pytest.approx(sampled, rel=1e-3)


@given(rates, days, st.floats(1.01, 3))
def test_the_index_grows_with_time_and_with_the_rate(
    rate: float, since: float, more: float
) -> None:
    here = float(age_index(np.array(rate), np.array(since)))
    assert float(age_index(np.array(rate), np.array(since * more))) > here
    assert float(age_index(np.array(rate * more), np.array(since))) > here * (1 - 1e-9)


@given(st.floats(1e-3, 5), days)
def test_the_index_at_an_age_is_the_index_at_its_time(rate: float, since: float) -> None:
    age = expected_age(np.array(rate), np.array(since))
    found = float(index_at_age(np.array(rate), age))
    assert found == pytest.approx(float(age_index(np.array(rate), np.array(since))), rel=2e-3)


@given(st.lists(st.just(0.0) | st.floats(1e-6, 20), min_size=1, max_size=20), st.floats(0.1, 50))
def test_the_optimum_spends_what_is_given(rates: list[float], visits: float) -> None:
    optimum = optimal_frequencies(np.array(rates), visits)
    spent = visits if any(rate > 0 for rate in rates) else 0.0
    assert float(optimum.sum()) == pytest.approx(spent, rel=1e-6)
    assert (optimum >= 0).all()
