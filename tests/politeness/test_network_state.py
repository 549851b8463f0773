"""When a network counts as lost or missing."""

from __future__ import annotations

from topiccrawl.politeness.outage import UNREACHED_HOSTS, NetworkState


def after_answers(*hosts: str) -> NetworkState:
    """A network in which *hosts* have answered, in this order."""
    state = NetworkState(patience=100.0)
    for host in hosts:
        state.answered(host, f"http://{host}.test", 0.0)
    return state


def test_three_hosts_that_answered_and_fail_in_a_row_bring_the_network_in_doubt() -> None:
    state = after_answers("a", "b", "c", "d")
    assert [state.failed(host, 0.0) for host in ("x", "y", "z", "a", "b")] == [False] * 5
    assert state.failed("c", 0.0)
    assert state.in_doubt
    assert not state.lost
    assert not state.failed("c", 0.0)  # it is being asked


def test_those_are_asked_that_answered_last_and_have_not_failed() -> None:
    state = after_answers("a", "b", "c", "d", "e")
    for host in ("e", "d", "c"):
        state.failed(host, 0.0)
    assert state.witnesses == ["http://b.test", "http://a.test", "http://e.test"]


def test_an_answer_ends_the_doubt_for_a_minute() -> None:
    state = after_answers("a")
    assert [state.failed("a", 0.0) for _ in range(3)] == [False, False, True]
    assert not state.answered("a", "http://a.test", 10.0)
    assert not state.in_doubt
    assert not any(state.failed("a", 69.0) for _ in range(10))
    assert state.failed("a", 71.0)


def test_an_answer_between_the_failures_shows_that_the_network_is_there() -> None:
    state = after_answers("a", "b", "c")
    for _ in range(10):
        assert not state.failed("a", 0.0)
        assert not state.failed("b", 0.0)
        state.answered("c", "http://c.test", 0.0)


def test_dead_hosts_alone_bring_no_doubt() -> None:
    state = after_answers("a", "b")
    assert not any(state.failed("a", 0.0) for _ in range(10))
    assert not any(state.failed(f"dead{n}", 0.0) for n in range(100))


def test_pauses_grow_to_a_minute_and_a_lost_network_is_given_up_after_the_patience() -> None:
    state = after_answers("a")
    for _ in range(3):
        state.failed("a", 50.0)
    assert [state.no_answer(50.0) for _ in range(5)] == [10.0, 20.0, 40.0, 60.0, 60.0]
    assert state.lost
    assert not state.given_up(149.0)
    assert state.given_up(150.0)
    assert state.answered("a", "http://a.test", 150.0)
    assert not state.lost
    assert not state.given_up(1e9)


def test_without_any_answer_the_network_is_missing_when_all_hosts_were_tried() -> None:
    state = NetworkState(patience=100.0)
    assert not state.missing(2, 0)
    state.tried("a")
    assert not state.missing(2, 0)
    state.tried("b")
    assert not state.missing(2, 1)
    assert state.missing(2, 0)
    state.answered("b", "http://b.test", 0.0)
    assert not state.missing(0, 0)


def test_many_dead_hosts_without_an_answer_are_enough() -> None:
    state = NetworkState(patience=100.0)
    for n in range(UNREACHED_HOSTS):
        assert not state.missing(1000, 5)
        state.tried(f"h{n}")
    assert state.missing(1000, 5)


def test_failures_are_counted_from_the_last_answer_on() -> None:
    state = after_answers("a")
    assert not any(state.failed("a", 0.0) for _ in range(2))
    state.answered("a", "http://a.test", 0.0)
    assert [state.failed("a", 0.0) for _ in range(3)] == [False, False, True]


def test_as_long_as_nobody_has_answered_nobody_can_be_asked() -> None:
    state = after_answers()
    assert not any(state.failed(f"h{n}", 0.0) for n in range(20))
    assert not state.in_doubt
