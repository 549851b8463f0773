"""Bursts of series and of terms, against all sequences of states and against planted ones."""

from __future__ import annotations

import math
from datetime import date, timedelta
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, nbinom, poisson

from tests.support.headlines import START, headline
from topiccrawl.insight.bursts.automaton import best_states, binomial_gain, count_gain, runs_of
from topiccrawl.insight.bursts.terms import share_bursts, term_bursts
from topiccrawl.insight.bursts.volume import volume
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.overview import Overview

_GAINS = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


@given(st.lists(_GAINS, min_size=1, max_size=3), st.sampled_from([0.5, 1.5, 3.0]))
def test_the_states_are_the_cheapest_of_all_sequences(rows: list[list[int]], cost: float) -> None:
    days = min(map(len, rows))
    gain = np.array([row[:days] for row in rows], dtype=float)

    def value(states: tuple[int, ...], row: int) -> float:
        entries = sum(now > before for before, now in zip((0, *states), states, strict=False))
        return sum(g for g, s in zip(gain[row], states, strict=True) if s) - cost * entries

    found = best_states(gain, cost)
    for row in range(len(rows)):
        best = max(value(states, row) for states in product((0, 1), repeat=days))
        assert value(tuple(map(int, found[row])), row) == pytest.approx(best)


@given(st.integers(0, 20), st.integers(0, 20), st.floats(0.001, 0.4), st.floats(1.1, 5))
def test_the_gain_of_a_share_is_the_ratio_of_binomial_probabilities(
    count: int, others: int, rate: float, ratio: float
) -> None:
    total = count + others
    raised = min(rate * ratio, (1 + rate) / 2)
    expected = binom.logpmf(count, total, raised) - binom.logpmf(count, total, rate)
    got = binomial_gain(np.array([count]), np.array([total]), np.array([rate]), ratio)
    assert got[0] == pytest.approx(expected, abs=1e-6)


@given(st.integers(0, 50), st.floats(0.1, 30), st.sampled_from([0.0, 0.05, 0.5]))
def test_the_gain_of_a_count_is_the_ratio_of_its_probabilities(
    count: int, mean: float, spread: float
) -> None:
    def log_probability(of: float) -> float:
        if not spread:
            return float(poisson.logpmf(count, of))
        size = 1 / spread
        return float(nbinom.logpmf(count, size, size / (size + of)))

    got = count_gain(np.array([float(count)]), np.array([mean]), 2.5, spread)
    assert got[0] == pytest.approx(log_probability(2.5 * mean) - log_probability(mean), abs=1e-6)


def test_a_day_without_observation_gains_nothing() -> None:
    assert count_gain(np.array([math.nan]), np.array([9.0]), 2.0).tolist() == [0.0]


def test_runs_are_found_at_the_edges() -> None:
    assert runs_of(np.array([True, False, True, True])) == [(0, 0), (2, 3)]
    assert runs_of(np.zeros(3, dtype=bool)) == []


def _weekly(days: int, level: float, seed: int) -> np.ndarray:
    week = np.array([1.2, 1.2, 1.2, 1.2, 1.2, 0.5, 0.5])
    return np.random.default_rng(seed).poisson(level * week[np.arange(days) % 7]).astype(float)


def test_a_planted_burst_is_found_with_its_days() -> None:
    counts = _weekly(200, 20, 1)
    counts[100:104] *= 4
    (burst,) = volume(counts).bursts
    assert (burst.first, burst.last) == (100, 103)
    assert burst.count == counts[100:104].sum()
    assert 2.5 < burst.ratio < 6


@pytest.mark.parametrize("seed", range(5))
def test_the_rhythm_of_the_week_growth_and_gaps_are_no_bursts(seed: int) -> None:
    days = 300
    counts = np.round(_weekly(days, 10, seed) * np.linspace(1, 6, days))
    counts[120:131] = 0
    assert volume(counts).bursts == ()


#: The number of 2026-01-01, from which the months of the tests are counted.
_JANUARY = date(2026, 1, 1).toordinal() - date(1970, 1, 1).toordinal()


def _on_days_of_the_month(days: int, wanted: set[int], factor: float) -> np.ndarray:
    """Return weekly counts from 2026-01-01 on that are a multiple on the wanted days, 0 for the last of a month."""
    counts = _weekly(days, 20, 4)
    for at in range(days):
        day = date(2026, 1, 1) + timedelta(at)
        if day.day in wanted or (0 in wanted and (day + timedelta(1)).day == 1):
            counts[at] *= factor
    return counts


@pytest.mark.parametrize("wanted", [{0}, {1}, {15, 16}])
def test_days_of_the_month_that_always_have_more_are_no_bursts(wanted: set[int]) -> None:
    counts = _on_days_of_the_month(300, wanted, 3)
    found = volume(counts, _JANUARY)
    assert found.bursts == ()
    end_of_march = 31 + 28 + 31 - 1
    around = found.expected[[end_of_march - 7, end_of_march + 7]].mean()
    assert found.expected[end_of_march] == pytest.approx(
        around * (3 if 0 in wanted else 1), rel=0.3
    )


def test_a_burst_at_the_end_of_a_month_is_found_where_all_ends_have_more() -> None:
    counts = _on_days_of_the_month(300, {0}, 3)
    end_of_may = 31 + 28 + 31 + 30 + 31 - 1
    counts[end_of_may - 1 : end_of_may + 2] *= 5
    (burst,) = volume(counts, _JANUARY).bursts
    assert (burst.first, burst.last) == (end_of_may - 1, end_of_may + 1)


def test_bursts_at_the_ends_of_two_months_are_no_rhythm() -> None:
    counts = _weekly(300, 20, 4)
    march, april = 31 + 28 + 31 - 1, 31 + 28 + 31 + 30 - 1
    counts[[march, april]] *= 5
    assert [(it.first, it.last) for it in volume(counts, _JANUARY).bursts] == [
        (march, march),
        (april, april),
    ]


def test_a_new_level_is_no_burst() -> None:
    counts = _weekly(300, 20, 3)
    counts[150:] *= 2
    assert all(it.last - it.first < 31 for it in volume(counts).bursts)


def test_a_small_burst_is_found_beside_a_large_one() -> None:
    counts = np.full(120, 20.0)
    counts[40:43], counts[60:62] = 200, 70
    large, small = volume(counts).bursts
    assert (large.first, large.last, small.first, small.last) == (40, 42, 60, 61)
    assert large.weight > 3 * small.weight > 30


def test_two_weeks_are_enough_history_for_a_burst() -> None:
    (burst,) = volume([20] * 11 + [200, 20, 20]).bursts
    assert (burst.first, burst.last) == (11, 11)


@pytest.mark.parametrize(
    "counts",
    [[], [5], [0] * 60, [3] * 13, [math.nan] * 40, [0] * 39 + [9], [20] * 10 + [200, 20, 20]],
)
def test_too_little_history_has_no_bursts(counts: list[float]) -> None:
    assert volume(counts).bursts == ()


def test_a_share_that_rises_is_a_burst_whatever_the_volume() -> None:
    totals = np.array([100, 20, 0, 300, 50] * 12)
    steady = totals // 10
    rising = steady.copy()
    rising[30:34] = totals[30:34] // 2
    none, (burst,) = share_bursts(np.array([steady, rising]), totals)
    assert none == []
    assert (burst.first, burst.last) == (30, 33)
    assert burst.expected == pytest.approx(totals[30:34].sum() / 10, rel=0.1)


def test_a_term_of_a_few_pages_is_a_burst_when_it_is_new() -> None:
    pages = [headline(n, day=n % 60, keywords=("侨务",)) for n in range(600)]
    pages += [headline(1000 + n, day=41 + n % 2, keywords=("侨务", "台风")) for n in range(6)]
    overview = Overview.of(pages)
    first = day_of_moment(START)
    (found,) = term_bursts(overview, ~overview.is_copy, first, first + 59)
    assert (found.term, found.first_day - first, found.last_day - first) == ("台风", 41, 42)


def test_without_pages_there_are_no_bursts() -> None:
    overview = Overview.of([])
    assert term_bursts(overview, ~overview.is_copy, 0, 10) == []
    assert share_bursts(np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)) == [[], []]


def test_a_term_that_most_pages_have_does_not_burst_when_others_come_between() -> None:
    pages = [headline(n, day=n % 100, keywords=("侨务",)) for n in range(400)]
    pages += [headline(1000 + n, day=80 + n % 2, keywords=("台风",)) for n in range(40)]
    overview = Overview.of(pages)
    first = day_of_moment(START)
    found = term_bursts(overview, ~overview.is_copy, first, first + 99)
    assert [it.term for it in found] == ["台风"]
