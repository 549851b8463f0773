"""Which proxy a request takes, by what earlier requests have shown."""

from __future__ import annotations

from topiccrawl.proxies.address import ProxyAddress
from topiccrawl.proxies.health import LONGEST_REST_SECONDS
from topiccrawl.proxies.roster import DEAD_AFTER_RESTS, ProxyRoster

A, B, C = (ProxyAddress(f"10.0.0.{n}", 8080) for n in (1, 2, 3))


def test_a_site_keeps_its_proxy_while_that_works() -> None:
    roster = ProxyRoster([A, B, C])
    roster.succeeded(B, "a.cn", 0.0, 5.0)
    roster.succeeded(A, "b.cn", 0.0, 0.1)
    assert roster.choose("a.cn", 1.0) == B
    roster.failed(B, 2.0, at_once=True)
    assert roster.choose("a.cn", 2.0) != B


def test_sites_are_spread_over_the_proxies() -> None:
    roster = ProxyRoster([A, B, C])
    for n in range(9):
        proxy = roster.choose(f"{n}.cn", float(n))
        assert proxy is not None
        roster.began(proxy)
        roster.ended(proxy)
        roster.succeeded(proxy, f"{n}.cn", float(n), 0.5)
    kept = [roster.choose(f"{n}.cn", 10.0) for n in range(9)]
    assert {kept.count(proxy) for proxy in (A, B, C)} == {3}


def test_without_stickiness_requests_take_turns() -> None:
    roster = ProxyRoster([A, B], sticky=False)
    taken = []
    for n in range(4):
        proxy = roster.choose("a.cn", float(n))
        assert proxy is not None
        roster.began(proxy)
        roster.ended(proxy)
        roster.succeeded(proxy, "a.cn", float(n), 0.5)
        taken.append(proxy)
    assert taken.count(A) == taken.count(B) == 2


def test_one_failure_of_a_good_proxy_is_forgiven_two_in_a_row_are_not() -> None:
    roster = ProxyRoster([A], first_rest=10.0)
    for n in range(5):
        roster.succeeded(A, "a.cn", float(n), 0.1)
    assert not roster.failed(A, 6.0)
    assert roster.choose("a.cn", 6.0) == A
    assert roster.failed(A, 7.0)
    assert roster.choose("a.cn", 8.0) is None
    assert roster.ready_at("a.cn", 8.0) == 17.0


def test_after_a_rest_one_request_at_a_time_tests_the_proxy() -> None:
    roster = ProxyRoster([A], first_rest=10.0)
    roster.failed(A, 0.0, at_once=True)
    assert roster.choose("a.cn", 10.0) == A
    roster.began(A)
    assert roster.choose("a.cn", 10.0) is None
    roster.ended(A)
    roster.succeeded(A, "a.cn", 11.0, 0.1)
    roster.began(A)
    assert roster.choose("a.cn", 11.0) == A


def test_rests_grow_and_are_limited() -> None:
    roster = ProxyRoster([A], first_rest=10.0)
    now, rests = 0.0, []
    for _ in range(12):
        roster.failed(A, now, at_once=True)
        rests.append(roster.ready_at("a.cn", now) - now)
        now += rests[-1]
    assert rests[:3] == [10.0, 20.0, 40.0]
    assert rests[-1] == LONGEST_REST_SECONDS


def test_failures_of_requests_under_way_do_not_lengthen_a_rest() -> None:
    roster = ProxyRoster([A], first_rest=10.0)
    assert [roster.failed(A, 0.0, at_once=True) for _ in range(8)] == [True] + [False] * 7
    assert roster.ready_at("a.cn", 0.0) == 10.0


def test_a_site_that_refuses_a_proxy_does_not_cost_it_its_other_sites() -> None:
    roster = ProxyRoster([A, B])
    roster.succeeded(A, "a.cn", 0.0, 0.1)
    roster.succeeded(A, "b.cn", 0.0, 0.1)
    roster.blocked(A, "a.cn", 1.0)
    assert roster.choose("a.cn", 1.0) == B
    assert roster.choose("b.cn", 1.0) == A


def test_a_proxy_without_tunnels_gets_no_https() -> None:
    plain = ProxyAddress("10.0.0.9", 80, https=False)
    roster = ProxyRoster([plain])
    assert roster.choose("a.cn", 0.0, https=True) is None
    assert roster.choose("a.cn", 0.0) == plain


def test_another_try_prefers_a_proxy_that_has_just_worked() -> None:
    roster = ProxyRoster([A, B, C])
    roster.succeeded(C, "b.cn", 0.0, 9.0)
    assert roster.choose("a.cn", 1.0, without={A}, proven=True) == C


def test_the_faster_proxy_is_taken() -> None:
    roster = ProxyRoster([A, B])
    roster.succeeded(A, "x.cn", 0.0, 2.0)
    roster.succeeded(B, "y.cn", 0.0, 0.2)
    assert roster.choose("z.cn", 1.0) == B


def test_proxies_of_a_pool_that_fail_every_test_leave_and_those_of_a_list_stay() -> None:
    roster = ProxyRoster([A], first_rest=1.0)
    roster.add(B, from_pool=True)
    now = 0.0
    for _ in range(DEAD_AFTER_RESTS):
        now = max(roster.ready_at("a.cn", now), now) + LONGEST_REST_SECONDS
        roster.failed(A, now, at_once=True)
        roster.failed(B, now, at_once=True)
    assert roster.take_dead() == [B]
    assert roster.proxies == [A]
