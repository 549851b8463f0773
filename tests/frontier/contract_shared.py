"""What must hold when several workers, each with its own frontier object, share one frontier."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.frontier.contract_journal import JournalContract
from tests.support.contract_support import (
    LEASE,
    MERGED,
    NEW,
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
from topiccrawl.scoring.evidence import LinkEvidence

#: After so many seconds without a beat a worker of these tests is dead.
SILENT = 100.0
LIMITS = FrontierLimits(lease_seconds=10 * SILENT, worker_seconds=SILENT, max_attempts=3)

OpenWorker = Callable[[str, FrontierLimits], Frontier]
OpenTopic = Callable[[str], Frontier]


class SharedFixtures(JournalContract):
    """Two fixtures that a backend gives, and two workers who are alive at ``NOW``."""

    @pytest.fixture
    def open_worker(self) -> OpenWorker:
        """Opens another worker, by name, on the same frontier.

        Workers that a test does not close are closed after it, or left.
        """
        raise NotImplementedError

    @pytest.fixture
    def open_topic(self) -> OpenTopic:
        """Opens the frontier of a topic, always in the same place."""
        raise NotImplementedError

    @pytest.fixture
    def a(self, open_worker: OpenWorker) -> Frontier:
        return alive(open_worker("a", LIMITS))

    @pytest.fixture
    def b(self, open_worker: OpenWorker, a: Frontier) -> Frontier:
        return alive(open_worker("b", LIMITS))


def alive(frontier: Frontier, now: float = NOW) -> Frontier:
    frontier.heartbeat(now)
    return frontier


class SharedFrontierContract(SharedFixtures):
    # -- one queue -----------------------------------------------------------------------------

    def test_it_is_marked_as_shared(self, a: Frontier) -> None:
        assert a.shared

    def test_two_workers_never_hold_the_same_link(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link(str(i), -float(i), host=f"{i % 7}.cn") for i in range(50)])
        order = []
        while leases := [lease for x in (a, b, b) if (lease := x.pop(frozenset(), NOW))]:
            order += [path_of(lease) for lease in leases]
        assert order == [str(i) for i in range(50)]

    def test_what_one_worker_pushes_and_changes_the_other_sees(
        self, a: Frontier, b: Frontier
    ) -> None:
        a.push([a_link("1", 1.0, anchor="侨"), a_link("2", 2.0), a_link("3", 3.0)])
        assert b.push([a_link("1", 1.5, anchor="务"), a_link("4", 0.0)]) == [MERGED, NEW]
        assert a.evidence(an_id("1")) == LinkEvidence(1.5, anchor="务")
        b.rescore(np.array([an_id("2")]), np.array([math.nextafter(0.1, 1)]))
        assert waiting_scores(a)[an_id("2")] == math.nextafter(0.1, 1)
        assert b.known([an_id("3"), an_id("5")]) == [True, False]
        assert [link.url[-1] for link in b.best(9)] == ["3", "1", "2", "4"]
        assert a.size() == b.size() == FrontierSize(4, 0, 0, 0, 0, 1)

    def test_equal_scores_leave_in_the_order_of_the_pushes_of_all_workers(
        self, a: Frontier, b: Frontier
    ) -> None:
        for i in range(6):
            (a, b)[i % 2].push([a_link(str(i), 1.0, host=f"{i % 3}.cn")])
        assert popped_paths(b) == ["0", "1", "2", "3", "4", "5"]

    def test_outcomes_count_for_all(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link(path, -float(path)) for path in "1234"])
        popped(a, n=3)
        a.ack([an_id("1")])
        a.fail(an_id("2"), "404", None)
        a.fail(an_id("3"), "503", NOW + 5)
        assert b.size() == FrontierSize(1, 1, 0, 1, 1, 1)
        assert b.push([a_link("1", 9.0), a_link("2", 9.0)]) == [SEEN, SEEN]
        assert (b.reason(an_id("2")), b.reason(an_id("3"))) == ("404", "503")
        assert b.next_ready(NOW) == NOW + 5
        assert popped_paths(b, now=NOW + 5) == ["3", "4"]

    def test_sizes_include_what_other_workers_hold(self, a: Frontier, b: Frontier) -> None:
        a.push([a_link(path, -float(path)) for path in "123"])
        popped(a, n=2)
        popped(b, n=1)
        assert (a.size().leased, a.size().elsewhere) == (3, 1)
        assert (b.size().leased, b.size().elsewhere) == (3, 2)

    def test_limits_are_those_of_all_workers_together(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(max_links=3, host_budget=3)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link("1", 1.0), a_link("2", 2.0)])
        b.push([a_link("3", 3.0), a_link("4", 4.0)])
        assert a.size() == b.size() == FrontierSize(3, 0, 0, 0, 0, 1, forgotten=1)
        a.extend_budget("a.cn", 0)
        assert (path_of(a.pop(frozenset(), NOW)), path_of(b.pop(frozenset(), NOW))) == ("4", "3")
        b.push([a_link("5", 0.5)])
        b.extend_budget("a.cn", 1)
        assert [path_of(x.pop(frozenset(), NOW)) for x in (a, b, a)] == ["2", "5", None]

    # -- hosts ---------------------------------------------------------------------------------

    def test_concurrency_is_that_of_all_workers_together(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(host_concurrency=2)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link(path, -float(path)) for path in "12345"])
        assert popped_paths(a, n=1) + popped_paths(b) == ["1", "2"]
        assert popped_paths(a) == []
        b.transfer_finished(an_id("2"), NOW)
        assert popped_paths(a) == ["3"]
        a.ack([an_id("1")])
        assert popped_paths(b) == ["4"]

    def test_the_delay_is_that_of_all_workers_together(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(host_delay=2.0)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link(path, -float(path)) for path in "12345"])
        assert popped_paths(a) == ["1"]
        assert popped_paths(b, now=NOW + 1.9) == []
        assert b.next_ready(NOW + 1.9) == NOW + 2
        assert popped_paths(b, now=NOW + 2) == ["2"]
        assert popped_paths(a, now=NOW + 3.9) == []
        a.transfer_finished(an_id("1"), NOW + 4, delay=30.0)
        assert popped_paths(b, now=NOW + 4) == ["3"]
        assert popped_paths(a, now=NOW + 33) == []
        assert popped_paths(a, now=NOW + 34) == ["4"]

    def test_a_host_that_one_worker_holds_is_held_for_all(self, a: Frontier, b: Frontier) -> None:
        b.push([a_link("1", 2.0), a_link("9", 1.0, host="b.cn")])
        a.hold_host("a.cn", NOW + 30)
        assert popped_paths(b) == ["9"]
        assert b.next_ready(NOW) == NOW + 30
        assert popped_paths(b, now=NOW + 30) == ["1"]

    def test_the_transfers_of_a_dead_worker_end(self, open_worker: OpenWorker) -> None:
        limits = FrontierLimits(host_concurrency=1, worker_seconds=SILENT)
        a, b = (alive(open_worker(name, limits)) for name in "ab")
        a.push([a_link("1", 2.0), a_link("2", 1.0)])
        popped(a)
        assert popped_paths(b) == []
        alive(b, NOW + SILENT + 1)
        assert b.reap(NOW + SILENT + 1) == 1
        assert popped_paths(b, now=NOW + SILENT + 1) == ["1"]

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
        assert a.ack([an_id("2")]) == 1  # b fetches it for nothing
        assert b.ack([an_id("2")]) == 0
        assert b.size() == FrontierSize(0, 0, 1, 2, 0, 0)

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

    # -- topics --------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("侨情", "侨务"),
            ("topic", "Topic"),
            ("a", "a:b"),
            ("a b", "a_b"),
            ("a/b", "b"),
            ("{t}", "t"),
        ],
    )
    def test_topics_in_one_place_never_see_each_other(
        self, open_topic: OpenTopic, one: str, other: str
    ) -> None:
        a, b = alive(open_topic(one)), alive(open_topic(other))
        a.push([a_link("1", 2.0), a_link("2", 1.0)])
        a.hold_host("a.cn", NOW + 50)
        a.journal.append([b"1"])
        assert a.try_lead(NOW)
        assert b.size() == FrontierSize(0, 0, 0, 0, 0, 0)
        assert b.known([an_id("1")]) == [False]
        assert b.push([a_link("1", 1.0)]) == [NEW]
        assert popped_paths(b) == ["1"]
        assert b.journal.read_new() == []
        assert b.try_lead(NOW)
        b.ack([an_id("1")])
        assert a.size() == FrontierSize(2, 0, 0, 0, 0, 1)
        assert a.evidence(an_id("1")) == LinkEvidence(2.0)
        assert a.next_ready(NOW) == NOW + 50
