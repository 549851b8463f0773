"""Exponential back-off: growth, caps and jitter."""

from __future__ import annotations

import math

import pytest

from topiccrawl.backoff import JitteredBackoff, exponential_delay


def test_delays_grow_by_the_factor_up_to_the_cap() -> None:
    delays = [exponential_delay(n, base=30, factor=4, cap=1000) for n in range(1, 6)]
    assert delays == [30, 120, 480, 1000, 1000]


def test_a_huge_attempt_number_gives_the_cap_and_no_overflow() -> None:
    assert exponential_delay(10**9, base=0.5, cap=30.0) == 30.0
    assert exponential_delay(10**9, base=0.5) == math.inf
    assert exponential_delay(10**9, base=0.0) == 0.0


def test_attempts_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="counted from 1, got 0"):
        exponential_delay(0, base=1)


def test_waits_grow_up_to_the_maximum_and_are_repeatable() -> None:
    backoff = JitteredBackoff(initial_seconds=1, factor=2, max_seconds=5, seed=7)
    waits = [backoff.next_seconds() for _ in range(6)]
    for wait, top in zip(waits, [1, 2, 4, 5, 5, 5], strict=True):
        assert top / 2 <= wait <= top
    backoff.reset()
    assert backoff.next_seconds() <= 1
    again = JitteredBackoff(initial_seconds=1, factor=2, max_seconds=5, seed=7)
    assert [again.next_seconds() for _ in range(6)] == waits


@pytest.mark.parametrize(
    "options",
    [{"initial_seconds": 0}, {"factor": 0.5}, {"initial_seconds": 9, "max_seconds": 1}],
    ids=str,
)
def test_impossible_waits_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="JitteredBackoff needs"):
        JitteredBackoff(**options)  # type: ignore[arg-type]
