"""What must hold when several workers, each with its own frontier object, share one frontier."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.frontier.contract_shared_fixtures import SILENT, OpenTopic, OpenWorker, alive
from tests.frontier.contract_workers import SharedWorkerContract
from tests.support.contract_support import (
    MERGED,
    NEW,
    NOW,
    SEEN,
    a_link,
    an_id,
    path_of,
    popped,
    popped_paths,
    waiting_scores,
)
from topiccrawl.frontier.contract import Frontier, FrontierSize
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


class SharedFrontierContract(SharedWorkerContract):
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
