"""Contract: hosts open and close, by transfers, delays and moments before which nothing may go."""

from __future__ import annotations

import pytest

from tests.support.contract_support import (
    LEASE,
    NOW,
    FrontierFixtures,
    MakeFrontier,
    a_link,
    an_id,
    path_of,
    popped_paths,
)
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.options import FrontierLimits


def three_of_a_and_one_of_b() -> list:
    """Links 1, 2, 3 of a.cn, best first, and the worst, 9, of b.cn."""
    return [a_link("1", 4.0), a_link("2", 3.0), a_link("3", 2.0), a_link("9", 1.0, host="b.cn")]


class HostContract(FrontierFixtures):
    # -- concurrency ---------------------------------------------------------------------------

    def test_a_host_has_as_many_transfers_as_its_concurrency(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=2))
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier) == ["1", "2", "9"]
        frontier.transfer_finished(an_id("2"), NOW)
        assert popped_paths(frontier) == ["3"]

    def test_single_hosts_have_their_own_concurrency(self, make_frontier: MakeFrontier) -> None:
        limits = FrontierLimits(host_concurrency=1, host_concurrencies={"a.cn": 2, "b.cn": 0})
        frontier = make_frontier(limits)
        frontier.push(
            [
                a_link(str(i), -float(i), host=host)
                for host in ("a.cn", "b.cn", "c.cn")
                for i in (1, 2, 3)
            ]
        )
        assert sorted(popped_paths(frontier)) == ["1", "1", "1", "2", "2", "3"]

    def test_a_link_whose_transfer_is_over_is_still_leased(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=1))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier, n=1)
        frontier.transfer_finished(an_id("1"), NOW)
        assert frontier.size().leased == 1
        assert popped_paths(frontier, n=1) == ["2"]
        assert frontier.ack([an_id("1")]) == 1

    def test_landing_twice_ends_one_transfer(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=2))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier, n=2)
        frontier.transfer_finished(an_id("1"), NOW)
        frontier.transfer_finished(an_id("1"), NOW + 50, delay=9.0)
        assert popped_paths(frontier) == ["3", "9"]

    def test_landing_of_what_is_not_leased_changes_nothing(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=2))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier, n=1)
        frontier.ack([an_id("1")])
        for path in ("1", "2", "nowhere"):
            frontier.transfer_finished(an_id(path), NOW + 50, delay=9.0)
        assert popped_paths(frontier) == ["2", "3", "9"]

    def test_the_end_of_a_lease_ends_its_transfer(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=1, lease_seconds=LEASE))
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier, busy={"b.cn"}) == ["1"]
        frontier.ack([an_id("1")])
        assert popped_paths(frontier, busy={"b.cn"}) == ["2"]
        frontier.fail(an_id("2"), "x", NOW + 5)
        assert popped_paths(frontier, busy={"b.cn"}) == ["3"]
        frontier.fail(an_id("3"), "x", None)
        assert popped_paths(frontier, busy={"b.cn"}, now=NOW + 5) == ["2"]
        frontier.put_back(a_link("2", 9.0))
        assert popped_paths(frontier, busy={"b.cn"}, now=NOW + 6) == ["2"]
        assert popped_paths(frontier, busy={"b.cn"}, now=NOW + 7) == []
        assert frontier.reap(NOW + 6 + LEASE) == 1
        assert popped_paths(frontier, busy={"b.cn"}, now=NOW + 6 + LEASE) == ["2"]

    def test_a_transfer_does_not_outlive_its_lease_without_reaping(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=1, lease_seconds=LEASE))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier, n=1)
        assert popped_paths(frontier, now=NOW + LEASE - 0.5) == ["9"]
        assert popped_paths(frontier, now=NOW + LEASE) == ["2"]

    def test_landing_then_settling_ends_one_transfer(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_concurrency=2))
        frontier.push([a_link(str(i), -float(i)) for i in range(6)])
        popped_paths(frontier, n=2)
        frontier.transfer_finished(an_id("0"), NOW)
        frontier.ack([an_id("0")])
        assert popped_paths(frontier) == ["2"]

    # -- delays and moments --------------------------------------------------------------------

    def test_a_host_waits_for_its_delay_from_the_beginning_of_a_transfer(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=2.0))
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier) == ["1", "9"]
        assert frontier.next_ready(NOW) == NOW + 2
        assert popped_paths(frontier, now=NOW + 1.9) == []
        assert popped_paths(frontier, now=NOW + 2) == ["2"]

    def test_the_end_of_a_transfer_sets_when_the_host_is_ready_and_its_delay_from_then_on(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=2.0))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier)
        frontier.transfer_finished(an_id("1"), NOW + 7, delay=20.0)
        assert frontier.next_ready(NOW) == NOW + 7
        assert popped_paths(frontier, now=NOW + 6) == []
        assert popped_paths(frontier, now=NOW + 8) == ["2"]
        assert frontier.next_ready(NOW + 8) == NOW + 28
        assert popped_paths(frontier, now=NOW + 27) == []
        assert popped_paths(frontier, now=NOW + 28) == ["3"]

    def test_a_landing_without_a_delay_leaves_the_delay(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=2.0))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier)
        frontier.transfer_finished(an_id("1"), NOW, delay=5.0)
        assert popped_paths(frontier, now=NOW + 2) == ["2"]
        frontier.transfer_finished(an_id("2"), NOW)
        assert frontier.next_ready(NOW + 2) == NOW + 7

    def test_a_delay_of_zero_counts(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=2.0))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier)
        frontier.transfer_finished(an_id("1"), NOW, delay=0.0)
        assert popped_paths(frontier, now=NOW + 2) == ["2", "3"]

    def test_the_moment_of_a_host_is_never_moved_back(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=1.0))
        frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
        popped_paths(frontier)
        frontier.hold_host("a.cn", NOW + 30)
        frontier.hold_host("a.cn", NOW + 10)
        frontier.transfer_finished(an_id("1"), NOW + 5)
        assert frontier.next_ready(NOW) == NOW + 30
        assert popped_paths(frontier, now=NOW + 29) == []
        assert popped_paths(frontier, now=NOW + 30) == ["2"]

    def test_a_held_host_hands_out_nothing_and_blocks_no_other(self, frontier: Frontier) -> None:
        frontier.hold_host("a.cn", NOW + 30)
        assert frontier.next_ready(NOW) is None  # nothing of it is queued
        frontier.push(three_of_a_and_one_of_b())
        assert frontier.next_ready(NOW) == NOW + 30
        assert popped_paths(frontier) == ["9"]
        assert [link.url[-1] for link in frontier.best(1)] == ["1"]
        assert popped_paths(frontier, now=NOW + 30) == ["1", "2", "3"]

    def test_links_that_come_while_their_host_is_closed_wait_with_it(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=5.0, host_concurrency=1))
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        frontier.push([a_link("2", 9.0), a_link("9", 1.0, host="b.cn")])
        assert popped_paths(frontier) == ["9"]
        frontier.ack([an_id("1")])
        assert popped_paths(frontier, now=NOW + 4) == []
        assert popped_paths(frontier, now=NOW + 5) == ["2"]

    def test_a_host_that_is_ready_but_has_no_transfer_free_stays_closed(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=5.0, host_concurrency=1))
        frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
        popped_paths(frontier)
        assert popped_paths(frontier, now=NOW + 6) == []
        assert frontier.next_ready(NOW + 6) is None  # time alone opens nothing
        frontier.transfer_finished(an_id("1"), NOW + 7)
        assert popped_paths(frontier, now=NOW + 6) == []
        assert popped_paths(frontier, now=NOW + 7) == ["2"]

    def test_a_pop_at_an_earlier_moment_finds_the_host_closed(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("9", 1.0, host="b.cn")])
        frontier.hold_host("a.cn", NOW + 2)
        assert path_of(frontier.pop(frozenset(), NOW + 2)) == "1"
        assert path_of(frontier.pop(frozenset(), NOW + 1)) == "9"

    def test_the_order_is_that_of_the_scores_when_a_host_opens(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=5.0))
        frontier.push([a_link("1", 3.0), a_link("3", 1.0), a_link("2", 2.0, host="b.cn")])
        frontier.hold_host("b.cn", NOW + 5)
        assert popped_paths(frontier) == ["1"]
        frontier.push([a_link("4", 0.0, host="b.cn"), a_link("3", 1.5)])
        assert popped_paths(frontier, now=NOW + 5) == ["2", "3"]

    # -- what comes next -----------------------------------------------------------------------

    def test_the_next_moment_is_the_earliest_of_hosts_and_delayed_links(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 3.0), *(a_link("2", 1.0, host=f"{i}.cn") for i in "bc")])
        popped_paths(frontier, n=1)
        frontier.fail(an_id("1"), "x", NOW + 20)
        assert frontier.next_ready(NOW) == NOW + 20
        frontier.hold_host("b.cn", NOW + 30)
        frontier.hold_host("c.cn", NOW + 10)
        assert frontier.next_ready(NOW) == NOW + 10
        assert frontier.next_ready(NOW + 9.5) == NOW + 10
        assert frontier.next_ready(NOW + 10) == NOW + 20
        assert frontier.next_ready(NOW + 20) == NOW + 30
        assert frontier.next_ready(NOW + 30) is None

    def test_hosts_without_queued_links_do_not_wake_anybody(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_delay=5.0))
        frontier.push([a_link("1", 1.0), a_link("1", 0.5, host="b.cn")])
        popped_paths(frontier, n=1)
        assert frontier.next_ready(NOW) is None
        frontier.push([a_link("2", 1.0)])
        assert frontier.next_ready(NOW) == NOW + 5
        popped_paths(frontier, now=NOW + 5)
        assert frontier.next_ready(NOW + 5) is None

    # -- a clock that is set back ----------------------------------------------------------------

    @pytest.mark.parametrize("step", [3_600.0, 86_400.0])
    def test_a_clock_that_is_set_back_takes_the_hosts_moments_with_it(
        self, make_frontier: MakeFrontier, step: float
    ) -> None:
        start = NOW + 1_000_000.0
        frontier = make_frontier(FrontierLimits(host_delay=5.0))
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier, now=start, n=1) == ["1"]
        frontier.hold_host("b.cn", start + 30.0)
        back = start - step
        assert popped_paths(frontier, now=back) == []
        assert frontier.next_ready(back) == pytest.approx(back + 5.0)
        assert popped_paths(frontier, now=back + 5.0) == ["2"]
        assert popped_paths(frontier, now=back + 30.0) == ["3", "9"]

    def test_a_clock_that_is_set_back_takes_delayed_links_and_leases_with_it(
        self, make_frontier: MakeFrontier
    ) -> None:
        start = NOW + 1_000_000.0
        frontier = make_frontier(FrontierLimits(lease_seconds=100.0))
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier, now=start, n=2) == ["1", "2"]
        frontier.fail(an_id("1"), "timeout", start + 60.0)
        back = start - 7_200.0
        assert popped_paths(frontier, now=back) == ["3", "9"]
        assert popped_paths(frontier, now=back + 60.0) == ["1"]
        assert frontier.reap(back + 99.0) == 0
        assert frontier.reap(back + 100.0) == 3

    def test_a_small_step_back_changes_nothing(self, make_frontier: MakeFrontier) -> None:
        start = NOW + 1_000_000.0
        frontier = make_frontier(FrontierLimits(host_delay=5.0))
        frontier.push(three_of_a_and_one_of_b())
        popped_paths(frontier, now=start, n=1)
        assert popped_paths(frontier, now=start - 30.0) == ["9"]
        assert popped_paths(frontier, now=start + 4.0) == []

    def test_implausible_moments_are_cut(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits())
        frontier.push(three_of_a_and_one_of_b())
        assert popped_paths(frontier, n=2) == ["1", "2"]
        frontier.fail(an_id("1"), "timeout", NOW + 1e12)
        frontier.fail(an_id("2"), "timeout", NOW + 86_400.0)
        frontier.hold_host("a.cn", NOW + 1e12)
        frontier.hold_host("b.cn", NOW + 86_400.0)
        assert popped_paths(frontier) == []
        frontier.reap(NOW + 1.0)
        assert popped_paths(frontier, now=NOW + 1.0) == ["1", "3"]
