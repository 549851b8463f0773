"""The effective delay of a host and what the settings of politeness accept."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.politeness.delays import HostDelays, ready_at
from topiccrawl.politeness.options import PolitenessOptions


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


def test_absent_settings_take_their_defaults() -> None:
    assert PolitenessOptions.from_settings({}) == PolitenessOptions()


def test_settings_from_the_command_line_are_texts() -> None:
    options = PolitenessOptions.from_settings({"TOPICCRAWL_BACKOFF_SECONDS": "2.5"})
    assert options.backoff == 2.5


@pytest.mark.parametrize("value", ["soon", -1, "nan", math.inf, None])
@pytest.mark.parametrize(
    "name",
    [
        "TOPICCRAWL_RETRY_AFTER_MAX_SECONDS",
        "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS",
        "TOPICCRAWL_BACKOFF_SECONDS",
    ],
)
def test_wrong_seconds_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ConfigurationError) as error:
        PolitenessOptions.from_settings({name: value})
    assert str(error.value) == f"{name} must be a number of seconds >= 0, got {value!r}"


def test_windows_must_be_a_mapping() -> None:
    with pytest.raises(ConfigurationError, match=r"TOPICCRAWL_HOST_WINDOWS must map .* 'x'"):
        PolitenessOptions.from_settings({"TOPICCRAWL_HOST_WINDOWS": "x"})
