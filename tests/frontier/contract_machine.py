"""Random calls to a frontier, by one worker or by several, compared with the naive model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.frontier.contract_model import NaiveModel
from tests.support.contract_support import NOW, MakeFrontier, waiting_scores
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

#: Open a worker of this name on one frontier.
OpenWorker = Callable[[str], Frontier]
#: Open an empty frontier for several workers.
OpenPlace = Callable[[FrontierLimits], OpenWorker]

HOSTS = st.sampled_from("abc")
PATHS = st.sampled_from([f"{host}/{i}" for host in "abc" for i in range(4)])
SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0])  # few, so that there are ties
LINKS = st.builds(
    lambda path, score, depth: QueuedLink(
        f"http://{path}", path[0], LinkEvidence(score, anchor=f"{score}", depth=depth)
    ),
    PATHS,
    SCORES,
    st.integers(0, 2),
)
SECONDS = st.sampled_from([0.0, 3.0, 20.0])
WORKERS = st.integers(0, 2)
LIMITS = st.builds(
    FrontierLimits,
    max_links=st.sampled_from([0, 0, 3, 6]),
    host_budget=st.sampled_from([0, 0, 3]),
    lease_seconds=st.just(10.0),
    max_attempts=st.just(2),
    max_returns=st.sampled_from([1, 3]),
    worker_seconds=st.sampled_from([7.5, 1e6]),  # no sum of the seconds waited
    host_concurrency=st.sampled_from([0, 0, 1, 2]),
    host_concurrencies=st.sampled_from([{}, {"a": 3, "b": 0}]),
    host_delay=st.sampled_from([0.0, 0.0, 2.0]),
)


def frontier_machine(make_frontier: MakeFrontier) -> type[RuleBasedStateMachine]:
    """Return a state machine whose ``TestCase`` compares the backend with :class:`NaiveModel`."""
    return _machine(lambda limits: lambda name: make_frontier(limits), 1)


def shared_machine(open_place: OpenPlace, workers: int = 2) -> type[RuleBasedStateMachine]:
    """The same with several workers, which also close and come again."""
    return _machine(open_place, workers)


def _machine(open_place: OpenPlace, count: int) -> type[RuleBasedStateMachine]:
    class FrontierMachine(RuleBasedStateMachine):
        @initialize(limits=LIMITS)
        def start(self, limits: FrontierLimits) -> None:
            self.open_worker = open_place(limits)
            self.model = NaiveModel(limits)
            self.now = NOW
            self.opened = 0
            self.workers: list[tuple[int, Frontier]] = []
            for _ in range(count):
                self.workers.append(self.new_worker())

        def new_worker(self) -> tuple[int, Frontier]:
            number, self.opened = self.opened, self.opened + 1
            frontier = self.open_worker(f"worker {number}")
            frontier.heartbeat(self.now)
            self.model.beats[number] = self.now
            return number, frontier

        def at(self, which: int) -> tuple[int, Frontier]:
            return self.workers[which % count]

        @rule(which=WORKERS, links=st.lists(LINKS, min_size=1, max_size=6), again=st.booleans())
        def push(self, which: int, links: list[QueuedLink], again: bool) -> None:
            _, frontier = self.at(which)
            assert frontier.push(links, again=again) == self.model.push(links, again)

        @rule(which=WORKERS, busy=st.sets(HOSTS, max_size=2))
        def pop(self, which: int, busy: set[str]) -> None:
            worker, frontier = self.at(which)
            if self.model.beats[worker] + self.model.limits.worker_seconds <= self.now:
                self.heartbeat(which)  # a backend may or may not take a pop for a sign of life
            lease = frontier.pop(busy, self.now)
            expected = self.model.pop(worker, busy, self.now)
            if lease is None or expected is None:
                assert lease is expected
                return
            found = (lease.id, lease.attempt, lease.expires_at)
            assert found == (expected.id, expected.failures + 1, expected.until)
            evidence = LinkEvidence(expected.score, anchor=expected.anchor, depth=expected.depth)
            assert lease.link.evidence == evidence

        @rule(seconds=st.sampled_from([1.0, 4.0, 10.0, 50.0]))
        def wait(self, seconds: float) -> None:
            self.now += seconds

        @rule(which=WORKERS, path=PATHS)
        def ack(self, which: int, path: str) -> None:
            worker, frontier = self.at(which)
            id = link_id(f"http://{path}")
            assert frontier.ack([id]) == self.model.ack(worker, id)

        @rule(which=WORKERS, path=PATHS, delay=st.none() | SECONDS)
        def fail(self, which: int, path: str, delay: float | None) -> None:
            worker, frontier = self.at(which)
            id = link_id(f"http://{path}")
            retry_at = None if delay is None else self.now + delay
            assert frontier.fail(id, "x", retry_at) == self.model.fail(worker, id, retry_at)

        @rule(which=WORKERS, link=LINKS)
        def put_back(self, which: int, link: QueuedLink) -> None:
            worker, frontier = self.at(which)
            assert frontier.put_back(link) == self.model.put_back(worker, link)

        @rule(which=WORKERS, path=PATHS, wait=SECONDS, delay=st.sampled_from([None, 0.0, 5.0]))
        def transfer_finished(
            self, which: int, path: str, wait: float, delay: float | None
        ) -> None:
            worker, frontier = self.at(which)
            link = self.model.links.get(link_id(f"http://{path}"))
            if link is None or (link.state == "leased" and link.until <= self.now):
                return  # a backend may or may not have ended an expired transfer
            frontier.transfer_finished(link.id, self.now + wait, delay)
            self.model.transfer_finished(worker, link.id, self.now + wait, delay)

        @rule(which=WORKERS, host=HOSTS, wait=SECONDS)
        def hold_host(self, which: int, host: str, wait: float) -> None:
            self.at(which)[1].hold_host(host, self.now + wait)
            self.model.hold(host, self.now + wait)

        @rule(which=WORKERS, host=HOSTS, links=st.integers(0, 2))
        def extend_budget(self, which: int, host: str, links: int) -> None:
            self.at(which)[1].extend_budget(host, links)
            self.model.earned[host] = self.model.earned.get(host, 0) + links

        @rule(which=WORKERS, paths=st.lists(PATHS, min_size=1, max_size=4))
        def forget(self, which: int, paths: list[str]) -> None:
            ids = [link_id(f"http://{path}") for path in paths]
            assert self.at(which)[1].forget(ids) == self.model.forget(ids)

        @rule(which=WORKERS, scores=st.dictionaries(PATHS, SCORES, min_size=1))
        def rescore(self, which: int, scores: dict[str, float]) -> None:
            by_id = {link_id(f"http://{path}"): score for path, score in scores.items()}
            ids, values = np.fromiter(by_id, dtype=np.int64), np.array(list(by_id.values()))
            assert self.at(which)[1].rescore(ids, values) == self.model.rescore(by_id)

        @rule(which=WORKERS)
        def heartbeat(self, which: int) -> None:
            worker, frontier = self.at(which)
            frontier.heartbeat(self.now)
            self.model.beats[worker] = self.now

        @rule(which=WORKERS)
        def reap(self, which: int) -> None:
            worker, frontier = self.at(which)
            assert frontier.reap(self.now) == self.model.reap(worker, self.now)

        @rule(which=WORKERS)
        def try_lead(self, which: int) -> None:
            worker, frontier = self.at(which)
            assert frontier.try_lead(self.now) == self.model.try_lead(worker, self.now)

        @rule(which=WORKERS)
        def close_and_come_again(self, which: int) -> None:
            if count == 1:
                return
            worker, frontier = self.at(which)
            frontier.close()
            self.model.close(worker)
            self.workers[which % count] = self.new_worker()

        @invariant()
        def looks_like_the_model(self) -> None:
            if not hasattr(self, "model"):
                return
            queued = self.model.among("queued")
            waiting = {x.id: x.score for x in self.model.among("queued", "delayed")}
            ordered = sorted(queued, key=lambda link: (-link.score, link.order))
            for worker, frontier in self.workers:
                assert frontier.size() == self.model.size(worker)
                assert waiting_scores(frontier) == waiting
                assert [x.id for x in frontier.best(5)] == [x.id for x in ordered[:5]]
                expected = self.model.next_ready(self.now)
                assert frontier.next_ready(self.now) == pytest.approx(expected)

        def teardown(self) -> None:
            for _, frontier in getattr(self, "workers", ()):
                frontier.close()

    return FrontierMachine
