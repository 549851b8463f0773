"""The frontier in memory keeps the contract, and its own promises."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import settings

from tests.frontier.contract_suite import (
    LEASE,
    NOW,
    FrontierContract,
    a_link,
    an_id,
    frontier_machine,
    popped_paths,
    waiting_ids,
)
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


class TestMemoryFrontier(FrontierContract):
    @pytest.fixture
    def make_frontier(self):
        return MemoryFrontier


TestRandomCalls = frontier_machine(MemoryFrontier).TestCase
TestRandomCalls.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, derandomize=True
)


def test_many_scores_changed_in_bulk_leave_in_the_order_of_the_new_ones() -> None:
    frontier = MemoryFrontier()
    draw = random.Random(1)
    links = [a_link(str(i), draw.random(), host=f"{i % 7}.cn") for i in range(3_000)]
    frontier.push(links)
    scores = {}
    for _ in range(4):
        ids = np.array(waiting_ids(frontier))
        scores = {int(id): draw.random() for id in ids}
        frontier.rescore(ids, np.array([scores[int(id)] for id in ids]))
    leases = [frontier.pop(frozenset(), NOW) for _ in links]
    assert [lease.id for lease in leases] == sorted(scores, key=scores.__getitem__, reverse=True)


def test_heaps_do_not_grow_with_changes_of_scores() -> None:
    frontier = MemoryFrontier(FrontierLimits(max_links=500))
    frontier.push([a_link(str(i), float(i)) for i in range(100)])
    ids = np.array(waiting_ids(frontier))
    for round in range(200):
        frontier.rescore(ids, np.arange(len(ids)) + float(round % 7) + round / 1000)
        next(frontier.best(1))
        frontier.put_back(frontier.pop(frozenset(), NOW).link)
    host = frontier._links.queues._hosts["a.cn"]
    assert len(host.heap) + len(host.incoming) < 500
    assert len(frontier._links._worst) < 2_000
    assert len(frontier._links._leases) < 2_000


def test_a_done_link_keeps_its_evidence_but_not_its_request() -> None:
    frontier = MemoryFrontier()
    link = a_link("1", 0.5, anchor="侨", request={"body": "x" * 10_000})
    frontier.push([link])
    popped_paths(frontier)
    frontier.ack([an_id("1")])
    assert frontier.evidence(an_id("1")) == LinkEvidence(0.5, anchor="侨")
    assert an_id("1") not in frontier._links.open


def test_closing_puts_leased_links_back_without_a_mark_and_takes_late_outcomes() -> None:
    frontier = MemoryFrontier(FrontierLimits(host_concurrency=1, max_returns=1))
    frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
    for _ in range(5):
        assert popped_paths(frontier) == ["1"]
        frontier.close()
        assert frontier.size() == FrontierSize(2, 0, 0, 0, 0, 1)
    assert frontier.ack([an_id("1")]) == 1


def test_it_is_not_shared() -> None:
    frontier = MemoryFrontier()
    assert not frontier.shared
    assert MemoryFrontier().try_lead(NOW)
    frontier.journal.append([b"1"])
    assert MemoryFrontier().journal.read_new() == []


def test_many_hosts_close_and_open_in_the_order_of_a_sorted_list() -> None:
    draw = random.Random(2)
    frontier = MemoryFrontier(FrontierLimits(host_delay=3.0, host_concurrency=1))
    links = [a_link(str(i), draw.random(), host=f"{i % 40}.cn") for i in range(800)]
    frontier.push(links)
    waiting = sorted(links, key=lambda link: -link.evidence.score)
    ready: dict[str, float] = {}
    now = NOW
    while waiting:
        now += draw.choice([0.0, 0.1, 0.5])
        best = next((link for link in waiting if ready.get(link.host, 0.0) <= now), None)
        lease = frontier.pop(frozenset(), now)
        assert (lease and lease.link) == best
        if lease is None or best is None:
            times = [ready[link.host] for link in waiting]
            assert frontier.next_ready(now) == min(times)
            continue
        waiting.remove(best)
        ready[best.host] = now + draw.choice([3.0, 4.0, 9.0])
        frontier.transfer_finished(lease.id, ready[best.host])


def test_the_default_lease_outlasts_the_contract_suite_s() -> None:
    assert FrontierLimits().lease_seconds > LEASE
