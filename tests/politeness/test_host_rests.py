"""Rests of hosts that answer with block pages."""

from __future__ import annotations

from topiccrawl.politeness.rests import LONGEST_REST_SECONDS, HostRests

HOST = "a.example"


def rests() -> HostRests:
    return HostRests(pause=10, rest=600, slow=5)


def test_pauses_come_before_rests_that_grow_to_six_hours() -> None:
    host, now = rests(), 0.0
    seconds = []
    for _ in range(12):
        rest = host.blocked(HOST, now)
        seconds.append(rest.seconds)
        now += rest.seconds
    assert seconds[:5] == [10, 20, 600, 1200, 2400]
    assert seconds[-1] == LONGEST_REST_SECONDS


def test_blocks_during_a_pause_count_once() -> None:
    host = rests()
    assert host.blocked(HOST, 0).growing
    late = host.blocked(HOST, 4)
    assert (late.seconds, late.number, late.growing) == (6, 1, False)


def test_content_ends_the_series() -> None:
    host = rests()
    host.blocked(HOST, 0)
    host.blocked(HOST, 20)
    host.content(HOST, "http://a.example/1")
    assert host.blocking() == []
    assert host.until(HOST) == 0
    assert host.blocked(HOST, 100).seconds == 10


def test_a_host_that_has_blocked_is_slow_until_it_has_given_many_pages() -> None:
    host = rests()
    assert host.delay(HOST) == 0
    host.blocked(HOST, 0)
    assert host.delay(HOST) == 5
    for n in range(50):
        host.content(HOST, f"http://a.example/{n}")
    assert host.delay(HOST) == 0


def test_a_refusal_with_a_pause_of_its_own_does_not_slow_the_host() -> None:
    host = rests()
    host.refused(HOST)
    assert (host.delay(HOST), host.blocking()) == (0, [HOST])
    host.content(HOST, "http://a.example/1")
    assert host.blocking() == []


def test_a_host_that_gives_pages_may_ask_for_a_pause() -> None:
    host = rests()
    host.content(HOST, "http://a.example/1")
    host.refused(HOST)
    host.refused(HOST)
    assert (host.blocking(), host.gives_content(HOST)) == ([], True)
    host.refused(HOST)
    assert host.blocking() == [HOST]
    host.blocked(HOST, 0)
    assert not host.gives_content(HOST)


def test_hosts_are_in_the_order_in_which_they_blocked_or_refused_last() -> None:
    host = rests()
    host.refused(HOST)
    host.refused("b.example")
    host.refused(HOST)
    assert host.blocking() == ["b.example", HOST]


def test_a_known_page_is_asked_for_before_a_rest_only() -> None:
    host = rests()
    host.content(HOST, "http://a.example/1")
    assert host.doubtful(HOST, 0) == ""
    host.blocked(HOST, 0)
    host.blocked(HOST, 10)
    assert host.doubtful(HOST, 20) == ""  # still in its pause
    assert host.doubtful(HOST, 30) == "http://a.example/1"


def test_a_page_that_is_blocked_twice_beside_others_is_the_cause() -> None:
    host = rests()
    host.blocked(HOST, 0)
    host.suspect(HOST, "http://a.example/secret")
    assert not host.confirmed(HOST, "http://a.example/other")
    assert host.confirmed(HOST, "http://a.example/secret")
    believed = [host.forbidden(HOST) for _ in range(21)]
    assert believed == [True] * 20 + [False]


def test_a_suspected_page_that_is_given_after_all_is_not_the_cause() -> None:
    host = rests()
    host.suspect(HOST, "http://a.example/slow")
    host.content(HOST, "http://a.example/other")
    assert host.confirmed(HOST, "http://a.example/slow")
    host.content(HOST, "http://a.example/slow")
    assert not host.confirmed(HOST, "http://a.example/slow")
