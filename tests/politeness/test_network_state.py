"""When a network counts as lost or missing."""

from __future__ import annotations

from topiccrawl.politeness.outage import UNREACHED_HOSTS, NetworkState


def test_a_network_is_lost_when_three_hosts_that_answered_fail_in_a_row() -> None:
    state = NetworkState(patience=100.0)
    for host in "abcd":
        state.answered(host)
    assert [state.failed(host, 0.0) for host in ("x", "y", "z", "a", "b")] == [False] * 5
    assert state.failed("c", 0.0)
    assert state.lost
    assert state.paused(5.0)
    assert not state.paused(10.0)


def test_an_answer_between_the_failures_shows_that_the_network_is_there() -> None:
    state = NetworkState(patience=100.0)
    for host in "abc":
        state.answered(host)
    for _ in range(10):
        assert not state.failed("a", 0.0)
        assert not state.failed("b", 0.0)
        state.answered("c")
    assert not state.lost


def test_dead_hosts_alone_are_no_lost_network() -> None:
    state = NetworkState(patience=100.0)
    state.answered("a")
    state.answered("b")
    assert not any(state.failed("a", 0.0) for _ in range(10))
    assert not any(state.failed(f"dead{n}", 0.0) for n in range(100))


def test_the_only_host_of_a_crawl_is_waited_for_like_the_network() -> None:
    state = NetworkState(patience=100.0)
    state.answered("a")
    assert [state.failed("a", 0.0) for _ in range(3)] == [False, False, True]


def test_pauses_grow_to_a_minute_and_end_with_the_first_answer() -> None:
    state = NetworkState(patience=1000.0)
    state.answered("a")
    for _ in range(3):
        state.failed("a", 0.0)
    ends = []
    now = 0.0
    for _ in range(5):
        while state.paused(now):
            now += 1.0
        ends.append(now)
        state.failed("a", now)
    assert ends == [10.0, 30.0, 70.0, 130.0, 190.0]
    assert state.answered("a")
    assert not state.paused(now)
    assert not state.given_up(1e9)


def test_a_lost_network_is_given_up_after_the_patience() -> None:
    state = NetworkState(patience=100.0)
    state.answered("a")
    for _ in range(3):
        state.failed("a", 50.0)
    assert not state.given_up(149.0)
    assert state.given_up(150.0)


def test_without_any_answer_the_network_is_missing_when_all_hosts_were_tried() -> None:
    state = NetworkState(patience=100.0)
    assert not state.missing(2, 0)
    state.tried("a")
    assert not state.missing(2, 0)
    state.tried("b")
    assert not state.missing(2, 1)
    assert state.missing(2, 0)
    state.answered("b")
    assert not state.missing(0, 0)


def test_many_dead_hosts_without_an_answer_are_enough() -> None:
    state = NetworkState(patience=100.0)
    for n in range(UNREACHED_HOSTS):
        assert not state.missing(1000, 5)
        state.tried(f"h{n}")
    assert state.missing(1000, 5)
