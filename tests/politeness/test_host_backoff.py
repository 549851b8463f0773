"""Pauses after refusals and failures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.politeness import backoff
from topiccrawl.politeness.backoff import HostBackoff, parse_retry_after

NOW = datetime(2026, 11, 21, 6, 0, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Sat, 21 Nov 2026 06:01:30 GMT", 90.0),
        # The obsolete forms of RFC 9110 section 5.6.7 must be read, too.
        ("Saturday, 21-Nov-26 06:01:30 GMT", 90.0),
        ("Sat Nov 21 06:01:30 2026", 90.0),
        ("Sat, 21 Nov 2026 05:00:00 GMT", 0.0),
        # Not allowed, but written by servers that use their own time.
        ("Sat, 21 Nov 2026 14:01:30 +0800", 90.0),
        ("9" * 400, float("inf")),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("Sat, 99 Nov 2026 06:01:30 GMT", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds


@given(st.text())
def test_reading_retry_after_never_raises(header: str) -> None:
    seconds = parse_retry_after(header, NOW)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize("status", [429, 503])
def test_the_pause_that_a_server_asks_for_is_kept_up_to_the_longest(status: int) -> None:
    hosts = HostBackoff(base=10, longest=3600)
    assert hosts.answered("a", status, 7, 1) == 7
    assert hosts.answered("a", status, float("inf"), 1) == 3600


def test_without_retry_after_the_pause_doubles_up_to_the_longest() -> None:
    hosts = HostBackoff(base=10, longest=100)
    pauses = [hosts.answered("a", 503, None, 1) for _ in range(6)]
    assert pauses == [10, 20, 40, 80, 100, 100]


def test_the_pause_begins_with_the_delay_of_a_slow_host() -> None:
    hosts = HostBackoff(base=10, longest=3600)
    assert hosts.answered("a", 429, None, 45) == 45
    assert hosts.answered("a", 429, None, 45) == 90


def test_a_thousand_refusals_in_a_row_overflow_nothing() -> None:
    hosts = HostBackoff(base=10, longest=3600)
    for _ in range(3_000):
        pause = hosts.answered("a", 429, None, 1)
    assert pause == 3600


@pytest.mark.parametrize(("status", "next_pause"), [(200, 10), (404, 10), (301, 10), (500, 20)])
def test_a_good_answer_ends_the_row_and_another_server_error_does_not(
    status: int, next_pause: float
) -> None:
    hosts = HostBackoff(base=10)
    hosts.answered("a", 429, None, 1)
    assert hosts.answered("a", status, None, 1) is None
    assert hosts.answered("a", 429, None, 1) == next_pause


def test_retry_after_on_another_status_is_no_pause() -> None:
    assert HostBackoff().answered("a", 301, 60, 1) is None


def test_hosts_do_not_share_their_rows() -> None:
    hosts = HostBackoff(base=10)
    hosts.answered("a", 429, None, 1)
    assert hosts.answered("b", 429, None, 1) == 10


def test_the_third_failure_in_a_row_slows_a_host_down_for_minutes_at_most() -> None:
    hosts = HostBackoff(base=10)
    assert [hosts.failed("a", 1) for _ in range(4)] == [None, None, 10, 20]
    assert max(hosts.failed("a", 1) or 0 for _ in range(20)) == 320
    assert hosts.is_down("a")
    assert not hosts.is_down("b")


@pytest.mark.parametrize("status", [200, 500, 503])
def test_any_answer_ends_a_row_of_failures(status: int) -> None:
    hosts = HostBackoff(base=10)
    for _ in range(3):
        hosts.failed("a", 1)
    hosts.answered("a", status, None, 1)
    assert not hosts.is_down("a")
    assert hosts.failed("a", 1) is None


def test_pauses_after_failures_keep_to_the_longest_pause() -> None:
    hosts = HostBackoff(base=10, longest=15)
    assert [hosts.failed("a", 1) for _ in range(5)] == [None, None, 10, 15, 15]


def test_only_so_many_hosts_in_trouble_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "HOSTS_REMEMBERED", 2)
    hosts = HostBackoff(base=10)
    for host in ("a", "b", "a", "c"):
        hosts.answered(host, 429, None, 1)
    # b was longest without trouble.
    assert hosts.answered("a", 429, None, 1) == 40
    assert hosts.answered("b", 429, None, 1) == 10


def test_a_host_is_gone_after_ten_failures_in_a_row_and_back_with_any_answer() -> None:
    hosts = HostBackoff()
    for _ in range(backoff.GONE_AFTER - 1):
        hosts.failed("a", 1)
    assert not hosts.is_gone("a")
    hosts.failed("a", 1)
    assert hosts.is_gone("a")
    assert not hosts.is_gone("b")
    hosts.answered("a", 500, None, 1)
    assert not hosts.is_gone("a")
