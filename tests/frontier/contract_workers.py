"""What must hold when workers of one frontier die, lead, close and return."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontier.contract_shared_fixtures import (
    LIMITS,
    SILENT,
    OpenWorker,
    SharedFixtures,
    alive,
)
from tests.support.contract_support import (
    LEASE,
    NOW,
    SEEN,
    a_link,
    an_id,
    path_of,
    popped,
    popped_paths,
    waiting_ids,
    waiting_scores,
)
from topiccrawl.frontier.contract import Frontier, FrontierSize, return_delay
from topiccrawl.frontier.options import FrontierLimits


class SharedWorkerContract(SharedFixtures):
    # -- workers that die ----------------------------------------------------------------------

    def test_the_links_of_a_silent_worker_return(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link(path, -float(path)) for path in "123"])
        popped(a, n=2)
        popped(b, n=1)
        now = NOW + SILENT + 1
        alive(b, now)
        assert b.reap(now) == 2
        assert b.size() == FrontierSize(2, 0, 1, 0, 0, 1)
        leases = popped(b, now=now)
        assert [(path_of(lease), lease.attempt) for lease in leases] == [("1", 1), ("2", 1)]
        assert b.reap(now) == 0

    def test_a_page_that_kills_worker_after_worker_waits_and_is_given_up(
        self, open_worker: OpenWorker
    ) -> None:
        limits = FrontierLimits(lease_seconds=1e9, worker_seconds=SILENT, max_returns=2)
        survivor, now, deaths = open_worker("survivor", limits), NOW, []
        survivor.push([a_link("1", 1.0)])
        for death in (1, 2, 3):
            victim = alive(open_worker(f"victim {death}", limits), now)
            assert path_of(victim.pop(frozenset(), now)) == "1"
            now += SILENT + 1
            alive(survivor, now)
            assert survivor.reap(now) == 1
            deaths.append(survivor.size())
            if death == 2:
                back = now + return_delay(an_id("1"), 2)
                assert survivor.next_ready(now) == pytest.approx(back)
                now = back + 1
        assert deaths == [
            FrontierSize(1, 0, 0, 0, 0, 1),
            FrontierSize(0, 1, 0, 0, 0, 0),
            FrontierSize(0, 0, 0, 0, 1, 0),
        ]

    def test_a_worker_that_beats_keeps_its_leases(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link("1", 1.0)])
        popped(a)
        for i in range(1, 6):
            now = NOW + i * 0.4 * SILENT
            alive(a, now)
            alive(b, now)
            assert b.reap(now) == 0
        assert a.size().leased == 1

    def test_a_worker_taken_for_dead_that_lives_records_its_outcomes(
        self, a: Frontier, b: Frontier
    ) -> None:
        a.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped(a)
        now = NOW + SILENT + 1
        alive(b, now)
        b.reap(now)
        assert a.fail(an_id("3"), "late", None) is None
        assert not a.put_back(a_link("3", 99.0))
        assert a.ack([an_id("1")]) == 1
        assert popped_paths(b, now=now) == ["2", "3"]
        assert a.ack([an_id("2")]) == 0  # b is fetching it, and its request is under way
        assert b.ack([an_id("2")]) == 1
        assert b.size() == FrontierSize(0, 0, 1, 2, 0, 0)

    @pytest.mark.parametrize("outcome", ["ack", "fail", "fail, later", "put_back", "transfer"])
    def test_a_late_outcome_leaves_the_lease_and_the_transfer_of_the_next_worker(
        self, open_worker: OpenWorker, outcome: str
    ) -> None:
        limits = FrontierLimits(host_concurrency=1, host_delay=5.0, worker_seconds=SILENT)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link("1", 2.0), a_link("2", 1.0)])
        assert popped_paths(a) == ["1"]
        now = NOW + SILENT + 1
        alive(b, now)
        assert b.reap(now) == 1
        assert popped_paths(b, now=now) == ["1"]
        alive(a, now)
        id, before = an_id("1"), b.size()
        match outcome:
            case "ack":
                assert a.ack([id]) == 0
            case "put_back":
                assert not a.put_back(a_link("1", 9.0))
            case "transfer":
                a.transfer_finished(id, now)
            case _:
                assert a.fail(id, "late", now if outcome == "fail, later" else None) is None
        assert b.size() == before
        assert popped_paths(a, now=now + 50) == [], "the host is still being contacted"
        b.transfer_finished(id, now + 50)
        assert popped_paths(a, now=now + 50) == ["2"]
        assert b.ack([id]) == 1
        assert b.size().elsewhere == 1

    def test_leases_of_others_are_not_failed_put_back_or_ended(
        self, open_worker: OpenWorker
    ) -> None:
        limits = FrontierLimits(host_concurrency=1)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link("1", 2.0), a_link("2", 1.0)])
        lease = a.pop(frozenset(), NOW)
        assert lease is not None
        before = a.size()
        assert b.fail(lease.id, "not mine", None) is None
        assert b.fail(lease.id, "not mine", NOW) is None
        assert b.ack([lease.id]) == 0
        assert not b.put_back(a_link("1", 9.0))
        b.transfer_finished(lease.id, NOW + 50)
        assert a.size() == before
        assert a.reason(lease.id) is None
        assert popped_paths(b) == []
        a.transfer_finished(lease.id, NOW)
        assert popped_paths(b) == ["2"]
        assert a.fail(lease.id, "mine", NOW + 1) is True

    def test_the_leases_of_a_worker_that_closes_return_without_a_mark(
        self, open_worker: OpenWorker, a: Frontier
    ) -> None:
        a.push([a_link("1", 1.0)])
        for round in range(12):  # more than max_returns
            b = alive(open_worker(f"b{round}", LIMITS))
            assert path_of(b.pop(frozenset(), NOW)) == "1"
            b.close()
            assert a.size() == FrontierSize(1, 0, 0, 0, 0, 1)
        lease = a.pop(frozenset(), NOW)
        assert lease is not None
        assert lease.attempt == 1

    def test_closing_leaves_the_leases_of_others(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link("1", 2.0), a_link("2", 1.0)])
        popped(a, n=1)
        popped(b, n=1)
        a.close()
        assert b.size() == FrontierSize(1, 0, 1, 0, 0, 1)
        assert b.ack([an_id("2")]) == 1

    # -- who ranks -----------------------------------------------------------------------------

    def test_exactly_one_worker_leads(self, a: Frontier, b: Frontier) -> None:
        assert [a.try_lead(NOW), b.try_lead(NOW), a.try_lead(NOW + 60), b.try_lead(NOW + 120)] == [
            True,
            False,
            True,
            False,
        ]

    def test_a_leader_that_does_not_ask_any_more_is_followed(
        self, a: Frontier, b: Frontier
    ) -> None:
        assert a.try_lead(NOW)
        now = NOW + SILENT + 1
        alive(b, now)
        assert b.try_lead(now)
        alive(a, now)
        assert not a.try_lead(now)

    def test_a_leader_that_closes_is_followed_at_once(self, a: Frontier, b: Frontier) -> None:
        assert a.try_lead(NOW)
        a.close()
        assert b.try_lead(NOW)

    # -- again another day ---------------------------------------------------------------------

    def test_closing_and_opening_keeps_everything(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(
            max_links=8, host_budget=3, host_delay=1.0, worker_seconds=SILENT, max_attempts=2
        )
        a = alive(open_worker("a", limits))
        draw = np.random.default_rng(1)
        links = [
            a_link(
                f"{i}", draw.random(), host=f"{i}.cn", depth=i, anchor="侨务", parts={"t": i / 3}
            )
            for i in range(7)
        ]
        a.push([*links, a_link("tie", 5.0), a_link("tie2", 5.0), a_link("7", 6.0, host="x.cn")])
        assert a.size().forgotten == 2
        popped(a, n=1)
        a.fail(an_id("7", "x.cn"), "超时", NOW + 500)
        assert popped_paths(a, n=1) == ["tie"]
        a.transfer_finished(an_id("tie"), NOW + 70, delay=40.0)
        a.ack([an_id("tie")])
        a.extend_budget("a.cn", 1)
        a.push([a_link("tie3", 5.0)])
        ids = np.array(waiting_ids(a))[2:6]
        a.rescore(ids, draw.random(4) * 1e-300)
        seen = (a.size(), waiting_scores(a), list(a.best(20)), a.next_ready(NOW))
        evidence = {id: a.evidence(id) for id in waiting_ids(a)}
        a.close()
        b = alive(open_worker("b", limits))
        assert (b.size(), waiting_scores(b), list(b.best(20)), b.next_ready(NOW)) == seen
        assert {id: b.evidence(id) for id in waiting_ids(b)} == evidence
        assert b.known([an_id("tie"), an_id("7", "x.cn"), an_id("no")]) == [True, True, False]
        assert b.push([a_link("tie", 9.0)]) == [SEEN]
        assert b.reason(an_id("7", "x.cn")) == "超时"
        every = {f"{i}.cn" for i in range(7)} | {"x.cn"}
        assert popped_paths(b, busy=every, now=NOW + 69) == []
        assert popped_paths(b, busy=every, now=NOW + 70) == ["tie2"]
        assert popped_paths(b, busy=every, now=NOW + 109) == []
        assert popped_paths(b, busy=every, now=NOW + 110) == ["tie3"]
        b.push([a_link("4", 1.0), a_link("5", 0.9), a_link("6", 0.8)])
        # Three and one that was earned: "tie", "tie2", "tie3" and this one.
        assert popped_paths(b, busy=every, now=NOW + 150) == ["4"]
        assert popped_paths(b, busy=every, now=NOW + 190) == []
        lease = next(x for x in popped(b, now=NOW + 500) if path_of(x) == "7")
        assert b.fail(lease.id, "a second time", NOW) is False  # one failure is from before

    def test_returns_are_counted_over_restarts(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(lease_seconds=LEASE, max_returns=2)
        now = NOW
        for name in ("a", "b"):
            worker = alive(open_worker(name, limits), now)
            worker.push([a_link("1", 1.0)])
            worker.pop(frozenset(), now)
            now += LEASE
            assert worker.reap(now) == 1
            worker.close()
        worker = alive(open_worker("c", limits), now)
        assert worker.size().delayed == 1
        worker.pop(frozenset(), now + 100)
        worker.reap(now + 100 + LEASE)
        assert worker.size().given_up == 1

    def test_a_worker_that_vanished_leaves_everything_to_the_next(
        self, open_worker: OpenWorker, a: Frontier
    ) -> None:
        a.push([a_link(str(i), -float(i)) for i in range(30)])
        popped(a, n=10)
        a.ack([an_id(str(i)) for i in range(4)])
        now = NOW + SILENT + 1
        b = alive(open_worker("b", LIMITS), now)
        b.reap(now)
        assert b.size() == FrontierSize(26, 0, 0, 4, 0, 1)
        assert popped_paths(b, now=now) == [str(i) for i in range(4, 30)]
