"""The pace of one address with many names."""

from __future__ import annotations

import pytest

from topiccrawl.politeness import addresses
from topiccrawl.politeness.addresses import AddressPaces


def test_many_names_of_one_address_get_as_many_requests_as_the_limit_in_each_delay() -> None:
    paces = AddressPaces(most=4, delay=1.0)
    due = {f"n{i}.wild.test": 0.0 for i in range(200)}
    begun: list[float] = []
    asked = 0
    now = 0.0
    while due:
        host, now = min(due.items(), key=lambda item: item[1])
        asked += 1
        wait = paces.begin("192.0.2.1", host, now)
        if wait:
            due[host] = now + wait
        else:
            begun.append(now)
            paces.end("192.0.2.1")
            del due[host]
    assert 45.0 < now < 60.0  # 200 requests, 4 in a second
    for second in range(int(now)):
        assert sum(second <= at < second + 1 for at in begun) <= 5
    # Each host comes twice: it is told when its turn is.
    assert asked < 2.1 * 200


def test_slow_answers_hold_no_more_than_the_limit() -> None:
    paces = AddressPaces(most=4, delay=0.0)
    waits = [paces.begin("192.0.2.1", f"n{i}.test", 0.0) for i in range(10)]
    assert waits[:4] == [0.0] * 4
    assert all(waits[4:])
    assert paces.begin("192.0.2.2", "other.test", 0.0) == 0.0
    paces.end("192.0.2.1")
    assert paces.begin("192.0.2.1", "n4.test", waits[4]) == 0.0
    assert paces.begin("192.0.2.1", "n5.test", waits[5]) > 0.0


def test_without_a_limit_nothing_waits() -> None:
    paces = AddressPaces(most=0, delay=1.0)
    assert not any(paces.begin("192.0.2.1", f"n{i}.test", 0.0) for i in range(1000))


def test_of_many_addresses_only_those_without_requests_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_ADDRESSES", 3)
    paces = AddressPaces(most=1, delay=0.0)
    assert paces.begin("busy", "a.test", 0.0) == 0.0
    for n in range(10):
        assert paces.begin(f"idle{n}", f"n{n}.test", 0.0) == 0.0
        paces.end(f"idle{n}")
    assert paces.begin("busy", "b.test", 0.0) > 0.0


def test_the_end_of_a_request_that_never_began_frees_no_place() -> None:
    paces = AddressPaces(most=1, delay=0.0)
    paces.end("192.0.2.1")
    assert paces.begin("192.0.2.1", "a.test", 0.0) == 0.0
    paces.end("192.0.2.1")
    paces.end("192.0.2.1")
    assert paces.begin("192.0.2.1", "b.test", 0.0) == 0.0
    assert paces.begin("192.0.2.1", "c.test", 0.0) > 0.0
