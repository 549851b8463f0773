"""The frontier in memory keeps the contract, and its own promises."""

from __future__ import annotations

import random

import numpy as np
import pytest
from frontier.contract_suite import (
    LEASE,
    NOW,
    FrontierContract,
    a_link,
    an_id,
    frontier_machine,
    popped_paths,
    waiting_ids,
)
from hypothesis import settings

from topiccrawl.frontier.contract import Evidence
from topiccrawl.frontier.memory import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits


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
        frontier.requeue(frontier.pop(frozenset(), NOW).link)
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
    assert frontier.evidence(an_id("1")) == Evidence(0.5, anchor="侨")
    assert an_id("1") not in frontier._links.open


def test_the_default_lease_outlasts_the_contract_suite_s() -> None:
    assert FrontierLimits().lease_seconds > LEASE
