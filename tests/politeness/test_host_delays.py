"""The effective delay of a host."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.politeness.delays import HostDelays, ready_at


def test_the_longer_of_crawl_delay_and_the_crawlers_own_delay_counts() -> None:
    delays = HostDelays()
    delays.ask("a", 5)
    assert delays.effective("a", 1) == 5
    assert delays.effective("a", 9) == 9
    assert delays.effective("b", 1) == 1


def test_a_long_crawl_delay_is_capped() -> None:
    delays = HostDelays(crawl_delay_max=60)
    assert delays.ask("a", 86_400)
    assert delays.effective("a", 1) == 60
    delays.ask("b", math.inf)
    assert delays.effective("b", 1) == 60


def test_a_cap_of_zero_ignores_crawl_delays() -> None:
    delays = HostDelays(crawl_delay_max=0)
    assert not delays.ask("a", 5)
    assert delays.effective("a", 1) == 1


@pytest.mark.parametrize("value", [None, 0, -3, math.nan])
def test_what_is_no_delay_is_ignored(value: float | None) -> None:
    delays = HostDelays()
    assert not delays.ask("a", value)
    assert delays.asked("a") == 0


def test_a_host_with_two_robots_txt_gets_the_longer_delay() -> None:
    delays = HostDelays()
    delays.ask("a", 5)
    delays.ask("a", 2)
    assert delays.asked("a") == 5


def test_the_delay_counts_from_the_moment_the_server_had_seen_the_request() -> None:
    assert ready_at(100.0, 0.25, 1.0) == 100.75


@given(st.floats(0, 1e9), st.floats(-10, 1e6), st.floats(0, 1e4))
def test_ready_at_is_never_past_and_never_later_than_a_delay_from_now(
    now: float, seen_ago: float, delay: float
) -> None:
    assert now <= ready_at(now, seen_ago, delay) <= now + delay
