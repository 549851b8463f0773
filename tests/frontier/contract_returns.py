"""Contract: leases that end without an outcome, late outcomes, and the end of a worker."""

from __future__ import annotations

from dataclasses import replace

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
from topiccrawl.frontier.contract import Frontier, FrontierSize, return_delay
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


def lose(frontier: Frontier, now: float) -> float:
    """Pop one link and let its lease expire; the moment of the end."""
    lease = frontier.pop(frozenset(), now)
    assert lease is not None
    assert frontier.reap(lease.expires_at) == 1
    return lease.expires_at


class ReturnContract(FrontierFixtures):
    # -- leases that expire --------------------------------------------------------------------

    def test_expired_leases_return_with_their_scores(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0, anchor="侨"), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier, n=1)
        popped_paths(frontier, n=1, now=NOW + 10)
        assert frontier.reap(NOW + LEASE - 0.001) == 0
        assert frontier.reap(NOW + LEASE) == 1
        assert frontier.evidence(an_id("1")) == LinkEvidence(3.0, anchor="侨")
        assert popped_paths(frontier, now=NOW + LEASE) == ["1", "3"]

    def test_a_settled_lease_does_not_expire(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        popped_paths(frontier)
        frontier.ack([an_id("1")])
        frontier.fail(an_id("2"), "x", NOW + 9 * LEASE)
        assert frontier.reap(NOW + LEASE) == 0

    def test_a_return_is_no_failure(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        lease = frontier.pop(frozenset(), now)
        assert lease is not None
        assert lease.attempt == 1
        assert frontier.reason(an_id("1")) is None
        assert frontier.fail(lease.id, "x", now) is True  # the first of three failures

    def test_the_first_return_is_at_once_and_the_next_ones_wait_longer_and_longer(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        assert frontier.size().queued == 1
        for returns in (2, 3, 4):
            now = lose(frontier, now)
            back = now + return_delay(an_id("1"), returns)
            assert frontier.size() == FrontierSize(0, 1, 0, 0, 0, 0)
            assert frontier.next_ready(now) == pytest.approx(back)
            assert frontier.pop(frozenset(), back - 0.01) is None
            now = back + 0.001
        assert path_of(frontier.pop(frozenset(), now)) == "1"

    def test_a_link_that_always_loses_its_worker_is_given_up(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, max_returns=2))
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        now = lose(frontier, now) + 1000
        assert frontier.size().given_up == 0
        lose(frontier, now)
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 1, 0)
        assert frontier.reason(an_id("1"))

    def test_without_any_return_allowed_the_first_gives_up(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, max_returns=0))
        frontier.push([a_link("1", 1.0)])
        lose(frontier, NOW)
        assert frontier.size().given_up == 1

    def test_returns_are_counted_over_failures_and_requeues(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, max_returns=1))
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        popped_paths(frontier, now=now)
        assert frontier.put_back(a_link("1", 1.0))
        popped_paths(frontier, now=now)
        frontier.fail(an_id("1"), "x", now)
        lose(frontier, now)
        assert frontier.size().given_up == 1

    def test_again_forgives_returns(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, max_returns=1))
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        popped_paths(frontier, now=now)
        frontier.ack([an_id("1")])
        frontier.push([a_link("1", 1.0)], again=True)
        lose(frontier, now)
        assert frontier.size().queued == 1

    # -- outcomes that come late ---------------------------------------------------------------

    def test_a_returned_link_whose_outcome_is_recorded_after_all_is_done(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 0.5)])
        now = lose(frontier, NOW)
        assert frontier.ack([an_id("1"), an_id("2")]) == 1  # 2 was never handed out
        assert frontier.size() == FrontierSize(1, 0, 0, 1, 0, 1)
        assert popped_paths(frontier, now=now) == ["2"]

    def test_a_returned_link_that_waits_for_its_delay_can_be_done_too(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, lose(frontier, NOW))
        assert frontier.ack([an_id("1")]) == 1
        assert frontier.size() == FrontierSize(0, 0, 0, 1, 0, 0)
        assert frontier.pop(frozenset(), now + 1000) is None

    def test_a_failed_link_is_not_done_by_a_late_ack(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        frontier.fail(an_id("1"), "x", NOW + 5)
        assert frontier.ack([an_id("1")]) == 0
        assert popped_paths(frontier, now=NOW + 5) == ["1"]

    def test_a_link_that_came_back_and_failed_since_is_not_done_by_a_late_ack(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0)])
        now = lose(frontier, NOW)
        popped_paths(frontier, now=now)
        frontier.fail(an_id("1"), "x", now + 5)
        assert frontier.ack([an_id("1")]) == 0
        assert popped_paths(frontier, now=now + 5) == ["1"]

    def test_a_link_that_waits_after_its_return_leaves_its_host_free(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, host_concurrency=1))
        frontier.push([a_link("1", 2.0)])
        now = lose(frontier, lose(frontier, NOW))
        frontier.push([a_link("2", 1.0)])
        assert frontier.size().delayed == 1
        assert popped_paths(frontier, now=now) == ["2"]

    def test_after_its_return_a_link_cannot_be_failed_or_requeued_by_its_former_lease(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0)])
        lose(frontier, NOW)
        before = frontier.size()
        assert frontier.fail(an_id("1"), "late", None) is None
        assert not frontier.put_back(a_link("1", 9.0))
        assert frontier.size() == before
        assert frontier.evidence(an_id("1")) == LinkEvidence(1.0)
        assert frontier.reason(an_id("1")) is None

    def test_a_returned_link_is_merged_and_rescored_like_any_other(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
        popped_paths(frontier, n=2)
        frontier.reap(NOW + LEASE)
        frontier.push([a_link("1", 3.0)])
        assert popped_paths(frontier, now=NOW + LEASE) == ["1", "2"]

    # -- beating and closing -------------------------------------------------------------------

    def test_a_worker_does_not_take_itself_for_dead(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(lease_seconds=LEASE, worker_seconds=5.0))
        frontier.heartbeat(NOW)
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        assert frontier.reap(NOW + 20) == 0
        frontier.heartbeat(NOW + 20)
        assert frontier.reap(NOW + 21) == 0

    def test_a_worker_alone_leads(self, frontier: Frontier) -> None:
        assert frontier.try_lead(NOW)
        assert frontier.try_lead(NOW + 1)
        assert frontier.try_lead(NOW + 1_000_000)

    def test_a_worker_does_not_read_its_own_entries(self, frontier: Frontier) -> None:
        frontier.journal.append([b"1", b"\x00\xff"])
        assert frontier.journal.read_new() == []

    def test_nothing_is_elsewhere_while_one_worker_holds_all(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 0.0)])
        popped_paths(frontier, n=1)
        assert frontier.size() == replace(frontier.size(), leased=1, elsewhere=0)
