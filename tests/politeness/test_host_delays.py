"""The effective delay of a host."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.politeness.delays import HostDelays, ready_at


@dataclass
class FakeSlot:
    delay: float


def test_the_longer_of_crawl_delay_and_the_crawlers_own_delay_counts() -> None:
    delays = HostDelays()
    delays.ask("a", 5)
    assert delays.effective("a", FakeSlot(1)) == 5
    assert delays.effective("a", FakeSlot(9)) == 9
    assert delays.effective("b", FakeSlot(1)) == 1


def test_a_long_crawl_delay_is_capped() -> None:
    delays = HostDelays(crawl_delay_max=60)
    assert delays.ask("a", 86_400)
    assert delays.effective("a", FakeSlot(1)) == 60
    delays.ask("b", math.inf)
    assert delays.effective("b", FakeSlot(1)) == 60


def test_a_cap_of_zero_ignores_crawl_delays() -> None:
    delays = HostDelays(crawl_delay_max=0)
    assert not delays.ask("a", 5)
    assert delays.effective("a", FakeSlot(1)) == 1


@pytest.mark.parametrize("value", [None, 0, -3, math.nan])
def test_what_is_no_delay_is_ignored(value: float | None) -> None:
    delays = HostDelays()
    assert not delays.ask("a", value)
    assert delays.asked("a") == 0


def test_a_host_with_two_robots_txt_gets_the_longer_delay() -> None:
    delays = HostDelays()
    delays.ask("a", 5, "a")
    delays.ask("a", 2, "a:8080")
    assert delays.asked("a") == 5
    delays.ask("a", 1, "a")
    assert delays.asked("a") == 2


@pytest.mark.parametrize(("later", "delay"), [(2.0, 2.0), (None, 1.0), (-1.0, 1.0)])
def test_a_robots_txt_that_asks_for_less_later_gets_less(later: float | None, delay: float) -> None:
    delays, slot = HostDelays(), FakeSlot(1)
    delays.ask("a", 5)
    delays.raise_slot("a", slot)
    assert slot.delay == 5
    delays.ask("a", later)
    delays.raise_slot("a", slot)
    assert slot.delay == delays.effective("a", slot) == delay


def test_a_host_that_has_recovered_gets_its_own_delay_again() -> None:
    delays, slot = HostDelays(), FakeSlot(0.5)
    for least in (5, 5, 0):
        delays.raise_slot("a", slot, least)
    assert slot.delay == 0.5


def test_a_delay_that_autothrottle_has_changed_since_is_the_hosts_own() -> None:
    delays, slot = HostDelays(), FakeSlot(1)
    delays.raise_slot("a", slot, 5)
    slot.delay = 7
    delays.raise_slot("a", slot, 5)
    delays.raise_slot("a", slot)
    assert slot.delay == 7


def test_the_delay_of_a_new_slot_is_its_own() -> None:
    delays = HostDelays()
    delays.raise_slot("a", FakeSlot(1), 5)
    slot = FakeSlot(5)
    delays.raise_slot("a", slot)
    assert slot.delay == 5


def test_the_delay_counts_from_the_moment_the_server_had_seen_the_request() -> None:
    assert ready_at(lambda: 100.0, 7.0, 1.0, lambda: 7.25) == 100.75


@given(st.floats(0, 1e9), st.floats(-10, 1e6), st.floats(0, 1e4))
def test_ready_at_is_never_past_and_never_later_than_a_delay_from_now(
    now: float, seen_ago: float, delay: float
) -> None:
    assert now <= ready_at(lambda: now, -seen_ago, delay, lambda: 0.0) <= now + delay


def test_a_process_that_stalls_while_it_reads_its_clocks_asks_no_sooner() -> None:
    moments = itertools.count(start=10.0, step=0.25)

    def stalling() -> float:
        return next(moments)

    assert ready_at(stalling, 9.5, 1.0, stalling) == 10.75
