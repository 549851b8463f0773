"""Contract: scores that change in place, and the limits on what is queued."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.support.contract_support import (
    LEASE,
    MERGED,
    NEW,
    NOW,
    REFUSED,
    FrontierFixtures,
    MakeFrontier,
    a_link,
    an_id,
    popped,
    popped_paths,
    waiting_ids,
    waiting_scores,
)
from topiccrawl.frontier.contract import Frontier, FrontierSize
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


class ScoreContract(FrontierFixtures):
    # -- scores --------------------------------------------------------------------------------

    def test_rescoring_reorders_in_place(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0, host="b.cn"), a_link("3", 1.0)])
        ids = np.array([an_id("1"), an_id("2", "b.cn"), an_id("3")])
        assert frontier.rescore(ids, np.array([1.0, 2.0, 3.0])) == 2
        assert popped_paths(frontier) == ["3", "2", "1"]

    @pytest.mark.parametrize("limits", [FrontierLimits(), FrontierLimits(max_links=10)])
    def test_a_host_whose_best_link_gets_another_score_takes_another_turn(
        self, make_frontier: MakeFrontier, limits: FrontierLimits
    ) -> None:
        frontier = make_frontier(limits)
        frontier.push([a_link(str(i), i, host=f"{i}.cn") for i in range(1, 6)])
        frontier.push([a_link("1", 4.5, host="1.cn")])
        frontier.rescore(np.array([an_id("4", "4.cn")]), np.array([2.5]))
        assert popped_paths(frontier) == ["5", "1", "3", "4", "2"]

    def test_rescoring_shows_in_the_evidence_and_keeps_its_parts(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0, parts={"tih": 1.0})])
        frontier.rescore(np.array([an_id("1")]), np.array([-0.5]))
        assert frontier.evidence(an_id("1")) == LinkEvidence(-0.5, {"tih": 1.0})
        frontier.rescore(np.array([an_id("1")]), np.array([0.5]))
        assert next(frontier.best(1)).evidence == LinkEvidence(0.5, {"tih": 1.0})

    def test_evidence_after_rescoring_is_compared_with_the_present_score(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 3.0, anchor="旧")])
        frontier.rescore(np.array([an_id("1")]), np.array([1.0]))
        frontier.push([a_link("1", 2.0, anchor="新")])
        assert frontier.evidence(an_id("1")) == LinkEvidence(2.0, anchor="新")

    def test_rescoring_skips_leased_done_and_unknown_links(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        popped_paths(frontier)
        frontier.ack([an_id("1")])
        ids = np.array([an_id("1"), an_id("2"), an_id("nowhere")])
        assert frontier.rescore(ids, np.array([9.0, 9.0, 9.0])) == 0
        frontier.reap(NOW + LEASE)
        assert next(frontier.best(1)).evidence.score == 2.0

    def test_links_keep_their_present_scores_while_they_are_leased(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        frontier.rescore(np.array([an_id("1"), an_id("2")]), np.array([0.25, 0.5]))
        assert popped_paths(frontier) == ["2", "1"]
        assert frontier.evidence(an_id("1")) == LinkEvidence(0.25)
        assert frontier.evidence(an_id("2")) == LinkEvidence(0.5)

    def test_a_delayed_link_is_rescored(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        popped_paths(frontier, n=1)
        frontier.fail(an_id("1"), "x", NOW + 5)
        assert frontier.rescore(np.array([an_id("1")]), np.array([1.0])) == 1
        assert popped_paths(frontier, now=NOW + 5) == ["2", "1"]

    def test_of_an_id_given_twice_the_last_score_counts(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        ids = np.array([an_id("1"), an_id("1")])
        frontier.rescore(ids, np.array([9.0, 1.0]))
        assert popped_paths(frontier) == ["2", "1"]

    @pytest.mark.parametrize(
        ("ids", "scores"),
        [
            ([1, 2], [1.0]),  # one score short
            ([[1]], [[1.0]]),  # not a vector
            ([1], [math.nan]),
            ([1], [math.inf]),
        ],
    )
    def test_rescoring_refuses_bad_arrays(self, frontier: Frontier, ids, scores) -> None:
        with pytest.raises(ValueError, match=r"shape|finite"):
            frontier.rescore(np.array(ids), np.array(scores))

    # -- what waits ----------------------------------------------------------------------------

    def test_queued_returns_queued_and_delayed_links_with_their_present_scores(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link(path, float(path)) for path in "1234"])
        popped_paths(frontier, n=2)
        frontier.fail(an_id("4"), "x", NOW + 5)
        scores = np.array([math.nextafter(0.1, 1.0), 0.1])
        frontier.rescore(np.array([an_id("4"), an_id("1")]), scores)
        pieces = list(frontier.queued(piece=2))
        assert all(1 <= len(ids) <= 2 for ids, _ in pieces)
        assert all((ids.dtype, scores.dtype) == (np.int64, np.float64) for ids, scores in pieces)
        expected = {an_id("1"): 0.1, an_id("2"): 2.0, an_id("4"): math.nextafter(0.1, 1.0)}
        assert waiting_scores(frontier) == expected

    def test_queued_comes_in_the_same_order_for_the_same_calls(
        self, make_frontier: MakeFrontier
    ) -> None:
        orders = []
        for _ in range(2):
            frontier = make_frontier(FrontierLimits())
            for i in range(40):
                frontier.push([a_link(str(i), (i * 7) % 5, host=f"{i % 6}.cn")])
            popped_paths(frontier, n=8)
            orders.append([id for ids, _ in frontier.queued(piece=3) for id in ids.tolist()])
        assert len(orders[0]) == 32
        assert orders[0] == orders[1]

    def test_the_frontier_may_change_between_two_pieces_of_what_is_queued(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link(str(i), 1.0, host=f"{i % 4}.cn") for i in range(20)])
        there = set(waiting_ids(frontier))
        pieces = frontier.queued(piece=3)
        first = next(pieces)[0].tolist()
        frontier.push([a_link("new", 9.0)])
        gone = {lease.id for lease in popped(frontier, n=8)}
        frontier.ack(sorted(gone)[:4])
        forgotten = sorted(there - gone - set(first))[:2]
        assert frontier.forget(forgotten) == 2
        gone.update(forgotten)
        left = np.array(sorted(there - gone))
        frontier.rescore(left, np.full(len(left), 3.0))
        rest = {
            id: score
            for ids, scores in pieces
            for id, score in zip(ids.tolist(), scores.tolist(), strict=True)
        }
        assert set(first) <= there
        assert not set(rest) & (gone | set(first))
        assert there - gone <= set(rest) | set(first)
        assert {rest[id] for id in rest if id in there} == {3.0}

    def test_a_waiting_link_is_returned_once_even_if_it_moves_in_between(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link(str(i), float(i)) for i in range(9)])
        pieces = frontier.queued(piece=2)
        found = next(pieces)[0].tolist()
        for lease in popped(frontier, n=9):  # from the queue into the delay
            frontier.fail(lease.id, "x", NOW + 5)
        found += [id for ids, _ in pieces for id in ids.tolist()]
        assert sorted(found) == sorted(an_id(str(i)) for i in range(9))

    # -- limits --------------------------------------------------------------------------------

    def test_over_the_limit_the_worst_is_forgotten(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(max_links=3))
        frontier.push([a_link("1", 1.0), a_link("2", 2.0, host="b.cn"), a_link("3", 3.0)])
        assert frontier.push([a_link("4", 4.0)]) == [NEW]
        assert frontier.size() == FrontierSize(3, 0, 0, 0, 0, 2, forgotten=1)
        assert frontier.known([an_id("1"), an_id("4")]) == [False, True]
        assert frontier.evidence(an_id("1")) is None
        assert popped_paths(frontier) == ["4", "3", "2"]

    def test_a_link_no_better_than_the_worst_is_refused_when_full(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(max_links=2))
        results = frontier.push([a_link("1", 1.0), a_link("2", 2.0), a_link("3", 1.0)])
        assert results == [NEW, NEW, REFUSED]
        assert frontier.known([an_id("3")]) == [False]

    def test_of_equally_bad_links_the_later_one_is_forgotten(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(max_links=2))
        frontier.push([a_link("1", 1.0), a_link("2", 1.0), a_link("3", 2.0)])
        assert popped_paths(frontier) == ["3", "1"]

    def test_a_full_frontier_still_merges(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(max_links=1))
        assert frontier.push([a_link("1", 1.0), a_link("1", 0.5)]) == [NEW, MERGED]

    def test_the_limit_takes_rescored_and_delayed_links_into_account(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(max_links=2, lease_seconds=LEASE))
        frontier.push([a_link("1", 5.0), a_link("2", 2.0)])
        popped_paths(frontier, n=1)
        frontier.fail(an_id("1"), "x", NOW + 5)
        frontier.rescore(np.array([an_id("1"), an_id("2")]), np.array([1.0, 9.0]))
        assert frontier.push([a_link("3", 3.0)]) == [NEW]  # in the place of 1
        assert frontier.next_ready(NOW) is None
        assert popped_paths(frontier, now=NOW + 9) == ["2", "3"]

    def test_the_worst_queued_link_is_the_one_with_the_least_present_score(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(max_links=2))
        frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
        frontier.rescore(np.array([an_id("1")]), np.array([5.0]))
        assert frontier.push([a_link("3", 3.0)]) == [NEW]
        assert popped_paths(frontier) == ["1", "3"]

    def test_leased_links_take_no_place_and_may_exceed_the_limit_when_back(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(max_links=1, lease_seconds=LEASE))
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        assert frontier.push([a_link("2", 2.0)]) == [NEW]
        frontier.reap(NOW + LEASE)
        assert frontier.size().queued == 2
        assert frontier.push([a_link("3", 3.0)]) == [NEW]
        assert frontier.size() == FrontierSize(1, 0, 0, 0, 0, 1, forgotten=2)

    def test_a_host_over_its_budget_loses_its_queue_but_not_its_retries(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=2))
        links = [a_link(path, score) for path, score in zip("1234", (4, 3, 2, 1), strict=True)]
        frontier.push([*links, a_link("5", 0.0, host="b.cn")])
        popped_paths(frontier, n=1)
        frontier.fail(an_id("1"), "x", NOW + 5)
        assert popped_paths(frontier) == ["2", "5"]
        assert frontier.push([a_link("6", 9.0)]) == [REFUSED]
        assert frontier.size().forgotten == 2
        assert popped_paths(frontier, now=NOW + 5) == ["1"]

    def test_a_link_that_was_put_back_survives_the_end_of_its_host_s_budget(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=2))
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier, n=1)
        frontier.put_back(a_link("1", 0.0))
        assert popped_paths(frontier) == ["2", "1"]

    # -- links that are not wanted any longer --------------------------------------------------

    def test_forgotten_links_are_not_handed_out_and_count_as_never_offered(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link(str(i), -float(i)) for i in range(5)])
        delayed = frontier.pop((), NOW)
        assert delayed is not None
        frontier.fail(delayed.id, "timeout", NOW + 60.0)
        leased = frontier.pop((), NOW)
        assert leased is not None
        ids = [an_id(path) for path in ("0", "1", "2", "3", "unknown")]
        assert frontier.forget(ids) == 3, "one link is leased, one is unknown"
        assert frontier.forget(ids) == 0
        assert frontier.size().forgotten == 3
        assert frontier.known(ids) == [False, True, False, False, False]
        assert popped_paths(frontier, now=NOW + 120.0) == ["4"]
        assert frontier.push([a_link("2", 1.0)]) == [NEW]
        assert frontier.ack([leased.id]) == 1

    # -- budgets that grow ---------------------------------------------------------------------

    def test_a_queue_that_was_dropped_once_is_not_dropped_again_within_a_larger_budget(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=1))
        frontier.push([a_link(path, -float(path)) for path in "123"])
        assert popped_paths(frontier) == ["1"]
        frontier.extend_budget("a.cn", 5)
        assert frontier.push([a_link("4", 1.0)]) == [NEW]
        frontier.reap(NOW)
        assert (frontier.size().queued, frontier.size().forgotten) == (1, 2)
        assert popped_paths(frontier) == ["4"]

    def test_a_host_that_has_earned_links_keeps_its_queue_for_longer(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=2))
        frontier.push([a_link(str(i), -float(i)) for i in range(5)])
        frontier.push([a_link(str(i), -9.0, host="b.cn") for i in range(5)])
        popped_paths(frontier, n=1)
        frontier.extend_budget("a.cn", 1)
        assert popped_paths(frontier, busy={"b.cn"}) == ["1", "2"]
        assert popped_paths(frontier) == ["0", "1"]
        assert frontier.size().forgotten == 2 + 3

    def test_a_host_that_was_used_up_takes_links_again_once_it_has_earned_some(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=1))
        frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
        popped_paths(frontier)
        assert frontier.push([a_link("3", 1.0)]) == [REFUSED]
        frontier.extend_budget("a.cn", 1)
        assert frontier.push([a_link("3", 1.0), a_link("4", 0.0)]) == [NEW, NEW]
        assert popped_paths(frontier) == ["3"]
        assert frontier.push([a_link("5", 1.0)]) == [REFUSED]

    def test_links_can_be_allowed_before_the_host_is_known(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=1))
        frontier.extend_budget("a.cn", 1)
        frontier.push([a_link(str(i), -float(i)) for i in range(4)])
        assert popped_paths(frontier) == ["0", "1"]

    def test_without_a_budget_allowing_changes_nothing(self, frontier: Frontier) -> None:
        frontier.extend_budget("a.cn", 1)
        frontier.push([a_link(str(i), -float(i)) for i in range(4)])
        assert popped_paths(frontier) == ["0", "1", "2", "3"]
