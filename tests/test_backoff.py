"""Delays grow by a factor from one attempt to the next, up to a cap."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.backoff import exponential_delay


@pytest.mark.parametrize(
    ("attempt", "options", "seconds"),
    [
        (1, {"base": 10.0}, 10.0),
        (4, {"base": 10.0}, 80.0),
        (3, {"base": 30.0, "factor": 4.0}, 480.0),
        (5, {"base": 30.0, "factor": 4.0, "cap": 600.0}, 600.0),
        (1, {"base": 30.0, "cap": 5.0}, 5.0),
        (7, {"base": 30.0, "factor": 1.0}, 30.0),
        (9, {"base": 0.0, "cap": 60.0}, 0.0),
    ],
)
def test_the_delay_is_base_times_a_power_of_the_factor(attempt, options, seconds) -> None:
    assert exponential_delay(attempt, **options) == seconds


@pytest.mark.parametrize(
    ("base", "cap", "seconds"),
    [(10.0, 3600.0, 3600.0), (10.0, math.inf, math.inf), (0.0, 3600.0, 0.0)],
)
def test_a_huge_attempt_number_does_not_overflow(base: float, cap: float, seconds: float) -> None:
    assert exponential_delay(1_000_000, base=base, cap=cap) == seconds


@given(
    st.integers(1, 5_000),
    st.floats(0, 1e6),
    st.floats(1, 10),
    st.floats(0, 1e6),
)
def test_delays_never_shrink_and_never_exceed_the_cap(
    attempt: int, base: float, factor: float, cap: float
) -> None:
    first = exponential_delay(attempt, base=base, factor=factor, cap=cap)
    second = exponential_delay(attempt + 1, base=base, factor=factor, cap=cap)
    assert 0 <= first <= second <= cap
