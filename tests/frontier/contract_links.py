"""Contract: order, merging, and the outcomes of links."""

from __future__ import annotations

import math

import pytest

from tests.support.contract_support import (
    LEASE,
    MERGED,
    NEW,
    NOW,
    SEEN,
    FrontierFixtures,
    a_link,
    an_id,
    popped_paths,
    waiting_ids,
)
from topiccrawl.frontier.contract import Frontier, FrontierSize, Lease
from topiccrawl.scoring.evidence import LinkEvidence


class LinkContract(FrontierFixtures):
    # -- order ---------------------------------------------------------------------------------

    def test_a_new_frontier_is_empty(self, frontier: Frontier) -> None:
        assert frontier.pop(frozenset(), NOW) is None
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 0, 0)
        assert frontier.next_ready(NOW) is None
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
        better = a_link("1", 3.0, anchor="新", depth=5, context="新侨")
        assert frontier.push([better]) == [MERGED]
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert lease.link.evidence == LinkEvidence(3.0, anchor="新", depth=2, context="新侨")

    def test_a_worse_in_link_changes_only_the_depth(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, anchor="旧", depth=4)])
        assert frontier.push([a_link("1", 0.5, anchor="新", depth=1)]) == [MERGED]
        assert frontier.evidence(an_id("1")) == LinkEvidence(1.0, anchor="旧", depth=1)

    def test_an_equal_in_link_keeps_the_older_evidence(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, anchor="旧")])
        frontier.push([a_link("1", 1.0, anchor="新")])
        assert frontier.evidence(an_id("1")) == LinkEvidence(1.0, anchor="旧")

    def test_merging_keeps_the_first_request(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0, request={"method": "HEAD"})])
        frontier.push([a_link("1", 2.0, request={})])
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        assert lease.link.request == {"method": "HEAD"}

    def test_in_links_of_one_call_merge_like_those_of_several(self, frontier: Frontier) -> None:
        links = [
            a_link("1", 1.0, anchor="旧", depth=4),
            a_link("1", 2.0, anchor="新", depth=1),
            a_link("1", 1.5, anchor="中", depth=3),
        ]
        assert frontier.push(links) == [NEW, MERGED, MERGED]
        assert frontier.evidence(an_id("1")) == LinkEvidence(2.0, anchor="新", depth=1)
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

    def test_known_is_true_for_links_in_every_state(self, frontier: Frontier) -> None:
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

    def test_ack_ends_a_link_and_returns_how_many_were_leased(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 2.0, anchor="侨"), a_link("2", 1.0)])
        popped_paths(frontier, n=1)
        ids = [an_id("1"), an_id("2"), an_id("nowhere")]
        assert [frontier.ack(ids), frontier.ack(ids)] == [1, 0]
        assert frontier.size() == FrontierSize(1, 0, 0, 1, 0, 1)
        assert frontier.evidence(an_id("1")) in (None, LinkEvidence(2.0, anchor="侨"))

    def test_a_failed_link_comes_back_at_its_time_and_not_before(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0)])
        popped_paths(frontier)
        assert frontier.fail(an_id("1"), "timeout", NOW + 30) is True
        assert frontier.next_ready(NOW) == NOW + 30
        assert frontier.size() == FrontierSize(0, 1, 0, 0, 0, 0)
        assert frontier.pop(frozenset(), NOW + 29.9) is None
        lease = frontier.pop(frozenset(), NOW + 30)
        assert lease is not None
        assert (lease.attempt, lease.expires_at) == (2, NOW + 30 + LEASE)
        assert frontier.next_ready(NOW) is None
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
        assert frontier.put_back(a_link("1", 1.0, request={"meta": {"retry_times": 1}}))
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
        assert not frontier.put_back(a_link("1", 9.0))
        assert frontier.size() == before

    # -- sizes ---------------------------------------------------------------------------------

    def test_sizes_count_every_link_once(self, frontier: Frontier) -> None:
        frontier.push([a_link(str(i), -i, host=f"{i % 3}.cn") for i in range(9)])
        popped_paths(frontier, n=4)
        frontier.ack([an_id("0", "0.cn")])
        frontier.fail(an_id("1", "1.cn"), "x", None)
        frontier.fail(an_id("2", "2.cn"), "x", NOW + 5)
        assert frontier.size() == FrontierSize(5, 1, 1, 1, 1, 3)
