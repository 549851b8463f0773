"""What every frontier must do, whatever it is made of.

A backend's test file subclasses :class:`FrontierContract`, gives it a ``make_frontier`` fixture, and
runs :func:`frontier_machine` (random calls against a naive model).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from topiccrawl.frontier.contract import (
    Evidence,
    Frontier,
    FrontierSize,
    Lease,
    PushResult,
    QueuedLink,
    link_id,
)
from topiccrawl.frontier.options import FrontierLimits

MakeFrontier = Callable[[FrontierLimits], Frontier]

NEW, MERGED, SEEN, REFUSED = (
    PushResult.NEW,
    PushResult.MERGED,
    PushResult.SEEN,
    PushResult.REFUSED,
)
NOW = 1_000.0
LEASE = 60.0


def a_link(path: str, score: float, *, host: str = "a.cn", depth: int = 0, **more: object):
    evidence = Evidence(
        score=score,
        parts=more.get("parts", {}),
        parent=more.get("parent"),
        anchor=more.get("anchor", ""),
        depth=depth,
    )
    return QueuedLink(f"http://{host}/{path}", host, evidence, more.get("request", {}))


def an_id(path: str, host: str = "a.cn") -> int:
    return link_id(f"http://{host}/{path}")


def waiting_ids(frontier: Frontier) -> list[int]:
    """All queued ids, sorted."""
    return sorted(id for piece in frontier.queued_ids() for id in piece.tolist())


def popped_paths(frontier: Frontier, busy=frozenset(), now: float = NOW, n: int = 1_000):
    """Pop until nothing is ready; the paths in that order."""
    paths = []
    while len(paths) < n and (lease := frontier.pop(busy, now)) is not None:
        paths.append(lease.link.url.rsplit("/", 1)[1])
    return paths


class FrontierContract:
    @pytest.fixture
    def make_frontier(self) -> MakeFrontier:
        raise NotImplementedError

    @pytest.fixture
    def frontier(self, make_frontier: MakeFrontier) -> Frontier:
        return make_frontier(FrontierLimits(lease_seconds=LEASE, max_attempts=3))

    # -- order ---------------------------------------------------------------------------------

    def test_a_new_frontier_is_empty(self, frontier: Frontier) -> None:
        assert frontier.pop(frozenset(), NOW) is None
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 0, 0)
        assert frontier.next_ready() is None
        assert waiting_ids(frontier) == []
        assert list(frontier.best(3)) == []

    def test_the_best_link_goes_first_over_all_hosts(self, frontier: Frontier) -> None:
        frontier.push(
            [a_link("2", 0.5), a_link("1", 0.75, host="b.cn"), a_link("3", -1.0, host="c.cn")]
        )
        assert popped_paths(frontier) == ["1", "2", "3"]

    def test_scores_are_compared_as_floats_not_as_rounded_priorities(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("2", 0.1), a_link("1", math.nextafter(0.1, 1.0))])
        assert popped_paths(frontier) == ["1", "2"]

    def test_equal_scores_leave_in_the_order_of_their_first_push(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 1.0, host="b.cn"), a_link("3", 0.0)])
        frontier.push([a_link("4", 1.0, host="b.cn"), a_link("3", 1.0)])
        assert popped_paths(frontier) == ["1", "2", "3", "4"]

    def test_busy_hosts_are_stepped_over_and_lose_nothing(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0, host="b.cn"), a_link("3", 1.0)])
        assert popped_paths(frontier, busy={"a.cn"}) == ["2"]
        assert popped_paths(frontier, busy={"a.cn"}) == []
        assert popped_paths(frontier) == ["1", "3"]

    def test_best_lists_queued_links_whatever_their_host_does(self, frontier: Frontier) -> None:
        frontier.push([a_link("2", 1.0), a_link("1", 2.0, host="b.cn"), a_link("3", 0.0)])
        assert [link.url[-1] for link in frontier.best(2)] == ["1", "2"]
        assert frontier.size().queued == 3

    # -- pushing and merging -------------------------------------------------------------------

    def test_a_lease_carries_the_link_as_pushed(self, frontier: Frontier) -> None:
        link = a_link(
            "侨情?q=%C7%C8",
            0.5,
            depth=2,
            parts={"tih": 0.25},
            parent="http://a.cn/",
            anchor="侨务政策（二）",
            request={"headers": {"X": ["1"]}, "meta": {"名": [1, None, True]}},
        )
        assert frontier.push([link]) == [NEW]
        lease = frontier.pop(frozenset(), NOW)
        assert lease == Lease(link.id, link, 1, NOW + LEASE)

    @pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
    def test_a_score_that_is_not_finite_is_refused_and_nothing_is_pushed(
        self, frontier: Frontier, score: float
    ) -> None:
        with pytest.raises(ValueError, match="finite"):
            frontier.push([a_link("1", 1.0), a_link("2", score)])
        assert frontier.size().queued == 0

    def test_a_better_in_link_raises_the_score_and_replaces_the_evidence(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0, anchor="旧", depth=2), a_link("2", 2.0)])
        assert frontier.push([a_link("1", 3.0, anchor="新", depth=5)]) == [MERGED]
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert lease.link.evidence == Evidence(3.0, anchor="新", depth=2)

    def test_a_worse_in_link_changes_only_the_depth(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, anchor="旧", depth=4)])
        assert frontier.push([a_link("1", 0.5, anchor="新", depth=1)]) == [MERGED]
        assert frontier.evidence(an_id("1")) == Evidence(1.0, anchor="旧", depth=1)

    def test_an_equal_in_link_keeps_the_older_evidence(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, anchor="旧")])
        frontier.push([a_link("1", 1.0, anchor="新")])
        assert frontier.evidence(an_id("1")) == Evidence(1.0, anchor="旧")

    def test_merging_keeps_the_first_request(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, request={"method": "HEAD"})])
        frontier.push([a_link("1", 2.0, request={})])
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert lease.link.request == {"method": "HEAD"}

    def test_one_call_with_the_same_link_twice_queues_it_once(self, frontier: Frontier) -> None:
        assert frontier.push([a_link("1", 1.0), a_link("1", 2.0)]) == [NEW, MERGED]
        assert popped_paths(frontier) == ["1"]

    def test_leased_done_and_given_up_links_are_seen(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier)
        frontier.ack([an_id("2")])
        frontier.fail(an_id("3"), "404", None)
        assert frontier.push([a_link(path, 9.0) for path in "123"]) == [SEEN, SEEN, SEEN]
        assert frontier.pop(frozenset(), NOW) is None

    def test_again_queues_done_and_given_up_links_afresh(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier)
        frontier.ack([an_id("1")])
        frontier.fail(an_id("2"), "404", None)
        links = [a_link(path, 5.0, request={"dont_filter": True}) for path in "213"]
        assert frontier.push(links, again=True) == [NEW, NEW, SEEN]
        assert frontier.size() == FrontierSize(2, 0, 1, 0, 0, 1)
        first = frontier.pop(frozenset(), NOW)
        assert first is not None
        assert (first.id, first.attempt) == (an_id("2"), 1)
        assert first.link.request == {"dont_filter": True}

    def test_again_gives_a_queued_link_the_new_request(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        assert frontier.push([a_link("1", 0.0, request={"a": 1})], again=True) == [MERGED]
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert (lease.link.request, lease.link.evidence.score) == ({"a": 1}, 1.0)

    def test_known_tells_links_ever_pushed_in_any_state(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 4.0), a_link("2", 3.0), a_link("3", 2.0), a_link("4", 1.0)])
        popped_paths(frontier, n=3)
        frontier.ack([an_id("1")])
        frontier.fail(an_id("2"), "x", None)
        ids = [an_id(path) for path in "12345"]
        assert frontier.known(ids) == [True, True, True, True, False]

    # -- outcomes ------------------------------------------------------------------------------

    def test_a_leased_link_is_handed_out_once(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        assert popped_paths(frontier) == ["1"]
        assert frontier.pop(frozenset(), NOW) is None
        assert frontier.size() == FrontierSize(0, 0, 1, 0, 0, 0)

    def test_ack_ends_a_link_and_tells_how_many_were_leased(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 2.0, anchor="侨"), a_link("2", 1.0)])
        popped_paths(frontier, n=1)
        ids = [an_id("1"), an_id("2"), an_id("nowhere")]
        assert [frontier.ack(ids), frontier.ack(ids)] == [1, 0]
        assert frontier.size() == FrontierSize(1, 0, 0, 1, 0, 1)
        assert frontier.evidence(an_id("1")) == Evidence(2.0, anchor="侨")

    def test_a_failed_link_comes_back_at_its_time_and_not_before(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        assert frontier.fail(an_id("1"), "timeout", NOW + 30) is True
        assert frontier.next_ready() == NOW + 30
        assert frontier.size() == FrontierSize(0, 1, 0, 0, 0, 0)
        assert frontier.pop(frozenset(), NOW + 29.9) is None
        lease = frontier.pop(frozenset(), NOW + 30)
        assert lease is not None
        assert (lease.attempt, lease.expires_at) == (2, NOW + 30 + LEASE)
        assert frontier.next_ready() is None
        assert frontier.reason(an_id("1")) == "timeout"

    def test_a_delayed_link_gathers_evidence(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        frontier.fail(an_id("1"), "timeout", NOW + 30)
        assert frontier.push([a_link("1", 2.0), a_link("2", 1.5)]) == [MERGED, NEW]
        assert popped_paths(frontier, now=NOW + 30) == ["1", "2"]

    def test_a_link_is_given_up_with_its_reason(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        assert frontier.fail(an_id("1"), "404 不存在", None) is False
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 1, 0)
        assert frontier.reason(an_id("1")) == "404 不存在"

    def test_the_last_attempt_ends_in_giving_up(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        outcomes = []
        for attempt in (1, 2, 3):
            lease = frontier.pop(frozenset(), NOW + attempt)
            assert lease is not None
            assert lease.attempt == attempt
            outcomes.append(frontier.fail(lease.id, f"try {attempt}", NOW))
        assert outcomes == [True, True, False]
        assert frontier.reason(an_id("1")) == "try 3"

    def test_failing_what_is_not_leased_changes_nothing(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        assert frontier.fail(an_id("1"), "late", None) is None
        assert frontier.fail(an_id("nowhere"), "late", NOW) is None
        assert frontier.size().queued == 1
        assert frontier.reason(an_id("1")) is None

    def test_a_retry_time_must_be_finite(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        with pytest.raises(ValueError, match="finite"):
            frontier.fail(an_id("1"), "x", math.nan)

    def test_requeue_puts_a_leased_link_back_without_counting_an_attempt(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 1.0)])
        assert popped_paths(frontier, n=1) == ["1"]
        assert frontier.requeue(a_link("1", 1.0, request={"meta": {"retry_times": 1}}))
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert (lease.link.url[-1], lease.attempt) == ("1", 1)  # before 2: its place is kept
        assert lease.link.request == {"meta": {"retry_times": 1}}

    @pytest.mark.parametrize("state", ["unknown", "queued", "done"])
    def test_requeue_is_for_leased_links_only(self, frontier: Frontier, state: str) -> None:
        if state != "unknown":
            frontier.push([a_link("1", 1.0)])
        if state == "done":
            popped_paths(frontier)
            frontier.ack([an_id("1")])
        before = frontier.size()
        assert not frontier.requeue(a_link("1", 9.0))
        assert frontier.size() == before

    def test_expired_leases_return_with_their_scores(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier, n=1)
        popped_paths(frontier, n=1, now=NOW + 10)
        assert frontier.reap(NOW + LEASE - 0.001) == 0
        assert frontier.reap(NOW + LEASE) == 1
        assert popped_paths(frontier, now=NOW + LEASE) == ["1", "3"]

    def test_a_settled_lease_does_not_expire(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        popped_paths(frontier)
        frontier.ack([an_id("1")])
        frontier.fail(an_id("2"), "x", NOW + 9 * LEASE)
        assert frontier.reap(NOW + LEASE) == 0

    def test_a_link_that_always_loses_its_worker_is_given_up(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        now = NOW
        for attempt in (1, 2, 3):
            lease = frontier.pop(frozenset(), now)
            assert lease is not None
            assert lease.attempt == attempt
            now += LEASE
            assert frontier.reap(now) == 1
        assert frontier.size().given_up == 1
        assert frontier.reason(an_id("1")) == "lease expired"

    # -- scores --------------------------------------------------------------------------------

    def test_rescoring_reorders_in_place(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0, host="b.cn"), a_link("3", 1.0)])
        ids = np.array([an_id("1"), an_id("2", "b.cn"), an_id("3")])
        assert frontier.rescore(ids, np.array([1.0, 2.0, 3.0])) == 2
        assert popped_paths(frontier) == ["3", "2", "1"]

    def test_rescoring_shows_in_the_evidence_and_keeps_its_parts(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0, parts={"tih": 1.0})])
        frontier.rescore(np.array([an_id("1")]), np.array([-0.5]))
        assert frontier.evidence(an_id("1")) == Evidence(-0.5, {"tih": 1.0})
        assert next(frontier.best(1)).evidence.score == -0.5

    def test_evidence_after_rescoring_is_compared_with_the_present_score(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link("1", 3.0, anchor="旧")])
        frontier.rescore(np.array([an_id("1")]), np.array([1.0]))
        frontier.push([a_link("1", 2.0, anchor="新")])
        assert frontier.evidence(an_id("1")) == Evidence(2.0, anchor="新")

    def test_rescoring_skips_leased_done_and_unknown_links(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 3.0), a_link("2", 2.0)])
        popped_paths(frontier)
        frontier.ack([an_id("1")])
        ids = np.array([an_id("1"), an_id("2"), an_id("nowhere")])
        assert frontier.rescore(ids, np.array([9.0, 9.0, 9.0])) == 0
        frontier.reap(NOW + LEASE)
        assert next(frontier.best(1)).evidence.score == 2.0

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

    def test_queued_ids_are_those_of_queued_and_delayed_links(self, frontier: Frontier) -> None:
        frontier.push(
            [a_link(path, score) for path, score in zip("1234", (4, 3, 2, 1), strict=True)]
        )
        popped_paths(frontier, n=2)
        frontier.fail(an_id("1"), "x", NOW + 5)
        pieces = list(frontier.queued_ids(piece=2))
        assert all(1 <= len(piece) <= 2 for piece in pieces)
        assert all(piece.dtype == np.int64 for piece in pieces)
        assert waiting_ids(frontier) == sorted(an_id(path) for path in "134")

    def test_the_frontier_may_change_between_two_pieces_of_queued_ids(
        self, frontier: Frontier
    ) -> None:
        frontier.push([a_link(path, 1.0) for path in "1234"])
        pieces = frontier.queued_ids(piece=2)
        first = next(pieces).tolist()
        frontier.push([a_link("5", 1.0)])
        popped = [frontier.pop(frozenset(), NOW).id for _ in range(4)]
        rest = [id for piece in pieces for id in piece.tolist()]
        assert set(first) <= {an_id(path) for path in "1234"}
        assert not set(rest) & set(popped)

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

    def test_the_limit_knows_rescored_and_delayed_links(self, make_frontier: MakeFrontier) -> None:
        frontier = make_frontier(FrontierLimits(max_links=2, lease_seconds=LEASE))
        frontier.push([a_link("1", 5.0), a_link("2", 2.0)])
        popped_paths(frontier, n=1)
        frontier.fail(an_id("1"), "x", NOW + 5)
        frontier.rescore(np.array([an_id("1"), an_id("2")]), np.array([1.0, 9.0]))
        assert frontier.push([a_link("3", 3.0)]) == [NEW]  # in the place of 1
        assert frontier.next_ready() is None
        assert popped_paths(frontier, now=NOW + 9) == ["2", "3"]

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

    def test_a_requeued_link_survives_the_end_of_its_host_s_budget(
        self, make_frontier: MakeFrontier
    ) -> None:
        frontier = make_frontier(FrontierLimits(host_budget=2))
        frontier.push([a_link("1", 3.0), a_link("2", 2.0), a_link("3", 1.0)])
        popped_paths(frontier, n=1)
        frontier.requeue(a_link("1", 0.0))
        assert popped_paths(frontier) == ["2", "1"]

    # -- sizes ---------------------------------------------------------------------------------

    def test_sizes_count_every_link_once(self, frontier: Frontier) -> None:
        frontier.push([a_link(str(i), -i, host=f"{i % 3}.cn") for i in range(9)])
        popped_paths(frontier, n=4)
        frontier.ack([an_id("0", "0.cn")])
        frontier.fail(an_id("1", "1.cn"), "x", None)
        frontier.fail(an_id("2", "2.cn"), "x", NOW + 5)
        assert frontier.size() == FrontierSize(5, 1, 1, 1, 1, 3)


# -- random calls against a naive model ----------------------------------------------------------

PATHS = st.sampled_from([f"{host}/{i}" for host in ("a", "b", "c") for i in range(4)])
SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0])  # few, so that there are ties
LINKS = st.builds(
    lambda path, score, depth: QueuedLink(
        f"http://{path}", path[0], Evidence(score, anchor=f"{score}", depth=depth)
    ),
    PATHS,
    SCORES,
    st.integers(0, 2),
)


class NaiveModel:
    """The contract in its most obvious form: one dict of links, sorted at every pop."""

    def __init__(self, limits: FrontierLimits) -> None:
        self.limits = limits
        self.links: dict[int, dict] = {}
        self.forgotten = 0
        self.order = 0
        self.started: dict[str, int] = {}

    def among(self, *states: str) -> list[dict]:
        return [link for link in self.links.values() if link["state"] in states]

    def push(self, links: list[QueuedLink], again: bool) -> list[PushResult]:
        return [self._push_one(link, again) for link in links]

    def _push_one(self, new: QueuedLink, again: bool) -> PushResult:
        old = self.links.get(new.id)
        if old and old["state"] in ("queued", "delayed"):
            if new.evidence.score > old["score"]:
                old["score"], old["anchor"] = new.evidence.score, new.evidence.anchor
            old["depth"] = min(old["depth"], new.evidence.depth)
            return MERGED
        if old and (old["state"] == "leased" or not again):
            return SEEN
        budget = self.limits.host_budget
        if budget and self.started.get(new.host, 0) >= budget:
            return REFUSED
        while (
            self.limits.max_links and len(self.among("queued", "delayed")) >= self.limits.max_links
        ):
            worst = min(self.among("queued", "delayed"), key=lambda x: (x["score"], -x["order"]))
            if new.evidence.score <= worst["score"]:
                return REFUSED
            self.forget(worst)
        self.order += 1
        self.links[new.id] = {
            "id": new.id,
            "host": new.host,
            "score": new.evidence.score,
            "anchor": new.evidence.anchor,
            "depth": new.evidence.depth,
            "state": "queued",
            "order": self.order,
            "failures": 0,
            "started": False,
            "until": 0.0,
        }
        return NEW

    def forget(self, link: dict) -> None:
        del self.links[link["id"]]
        self.forgotten += 1

    def pop(self, busy: set[str], now: float) -> tuple[int, int] | None:
        for link in self.among("delayed"):
            if link["until"] <= now:
                link["state"] = "queued"
        ready = [link for link in self.among("queued") if link["host"] not in busy]
        if not ready:
            return None
        best = min(ready, key=lambda link: (-link["score"], link["order"]))
        best["state"], best["until"] = "leased", now + self.limits.lease_seconds
        if not best["started"]:
            best["started"] = True
            host = best["host"]
            self.started[host] = self.started.get(host, 0) + 1
            if self.limits.host_budget and self.started[host] >= self.limits.host_budget:
                for link in self.among("queued"):
                    if link["host"] == host and not link["started"]:
                        self.forget(link)
        return best["id"], best["failures"] + 1

    def fail(self, id: int, retry_at: float | None) -> bool | None:
        link = self.links.get(id)
        if not link or link["state"] != "leased":
            return None
        link["failures"] += 1
        again = retry_at is not None and link["failures"] < self.limits.max_attempts
        link["state"] = "delayed" if again else "given_up"
        link["until"] = retry_at
        return again

    def reap(self, now: float) -> int:
        expired = [link for link in self.among("leased") if link["until"] <= now]
        for link in expired:
            link["failures"] += 1
            over = link["failures"] >= self.limits.max_attempts
            link["state"] = "given_up" if over else "queued"
        return len(expired)


def frontier_machine(make_frontier: MakeFrontier) -> type[RuleBasedStateMachine]:
    """Return a state machine whose ``TestCase`` compares the backend with :class:`NaiveModel`."""

    class FrontierMachine(RuleBasedStateMachine):
        @initialize(
            max_links=st.sampled_from([0, 0, 3, 6]),
            host_budget=st.sampled_from([0, 0, 3]),
        )
        def start(self, max_links: int, host_budget: int) -> None:
            limits = FrontierLimits(max_links, host_budget, lease_seconds=10.0, max_attempts=2)
            self.frontier = make_frontier(limits)
            self.model = NaiveModel(limits)
            self.now = NOW

        @rule(links=st.lists(LINKS, min_size=1, max_size=6), again=st.booleans())
        def push(self, links: list[QueuedLink], again: bool) -> None:
            assert self.frontier.push(links, again=again) == self.model.push(links, again)

        @rule(busy=st.sets(st.sampled_from("abc"), max_size=2))
        def pop(self, busy: set[str]) -> None:
            lease = self.frontier.pop(busy, self.now)
            expected = self.model.pop(busy, self.now)
            assert (lease and (lease.id, lease.attempt)) == expected
            if lease is not None:
                model = self.model.links[lease.id]
                assert lease.link.evidence == Evidence(
                    model["score"], anchor=model["anchor"], depth=model["depth"]
                )

        @rule(seconds=st.sampled_from([1.0, 4.0, 10.0]))
        def wait(self, seconds: float) -> None:
            self.now += seconds

        @rule(path=PATHS)
        def ack(self, path: str) -> None:
            id = link_id(f"http://{path}")
            model = self.model.links.get(id)
            leased = model is not None and model["state"] == "leased"
            assert self.frontier.ack([id]) == leased
            if leased:
                model["state"] = "done"

        @rule(path=PATHS, delay=st.sampled_from([None, 0.0, 3.0, 20.0]))
        def fail(self, path: str, delay: float | None) -> None:
            id = link_id(f"http://{path}")
            retry_at = None if delay is None else self.now + delay
            assert self.frontier.fail(id, "x", retry_at) == self.model.fail(id, retry_at)

        @rule(link=LINKS)
        def requeue(self, link: QueuedLink) -> None:
            model = self.model.links.get(link.id)
            leased = model is not None and model["state"] == "leased"
            assert self.frontier.requeue(link) == leased
            if leased:
                model["state"] = "queued"
                model["score"], model["anchor"] = link.evidence.score, link.evidence.anchor
                model["depth"] = link.evidence.depth

        @rule(scores=st.dictionaries(PATHS, SCORES, min_size=1))
        def rescore(self, scores: dict[str, float]) -> None:
            by_id = {link_id(f"http://{path}"): score for path, score in scores.items()}
            changed = 0
            for link in self.model.among("queued", "delayed"):
                if link["id"] in by_id and link["score"] != by_id[link["id"]]:
                    link["score"] = by_id[link["id"]]
                    changed += 1
            ids = np.fromiter(by_id, dtype=np.int64)
            assert self.frontier.rescore(ids, np.array(list(by_id.values()))) == changed

        @rule()
        def reap(self) -> None:
            assert self.frontier.reap(self.now) == self.model.reap(self.now)

        @invariant()
        def looks_like_the_model(self) -> None:
            if not hasattr(self, "model"):
                return
            among = self.model.among
            queued = among("queued")
            assert self.frontier.size() == FrontierSize(
                len(queued),
                len(among("delayed")),
                len(among("leased")),
                len(among("done")),
                len(among("given_up")),
                len({link["host"] for link in queued}),
                self.model.forgotten,
            )
            waiting = among("queued", "delayed")
            assert waiting_ids(self.frontier) == sorted(link["id"] for link in waiting)
            ordered = sorted(queued, key=lambda link: (-link["score"], link["order"]))
            assert [link.id for link in self.frontier.best(5)] == [x["id"] for x in ordered[:5]]
            times = [link["until"] for link in among("delayed")]
            assert self.frontier.next_ready() == min(times, default=None)

        def teardown(self) -> None:
            if hasattr(self, "frontier"):
                self.frontier.close()

    return FrontierMachine
