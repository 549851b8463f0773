"""Every link of the memory frontier, in exactly one state, and the orders that its states have."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sortedcontainers import SortedList

from topiccrawl.frontier.contract import FrontierSize, QueuedLink
from topiccrawl.frontier.memory.hostqueues import HostQueues
from topiccrawl.frontier.memory.hosts import Hosts
from topiccrawl.frontier.memory.lazyheap import Key, LazyHeap
from topiccrawl.frontier.memory.openlink import Record, State
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


@dataclass(frozen=True, slots=True)
class ClosedLink:
    """A link that is done or given up."""

    evidence: LinkEvidence
    reason: str | None
    given_up: bool


class Links:
    """Moves links from state to state; what a move means is the frontier's affair."""

    def __init__(self, limits: FrontierLimits, hosts: Hosts) -> None:
        self._max_links = limits.max_links
        self.open: dict[int, Record] = {}
        """Queued, delayed and leased links by id, in the order in which they were pushed."""
        self.closed: dict[int, ClosedLink] = {}
        """Links that are done or given up."""
        self.queues = HostQueues(hosts)
        self._delayed: SortedList = SortedList(key=_retry_key)
        self._leases = LazyHeap(_lease_key)
        self._worst = LazyHeap(_worst_key)
        self._counts = [0, 0, 0]
        self._given_up = 0
        self._forgotten = 0
        self._order = 0

    # -- from state to state -------------------------------------------------------------------

    def admit(self, id: int, link: QueuedLink) -> None:
        """Queue a link that is not open."""
        if (closed := self.closed.pop(id, None)) is not None:
            self._given_up -= closed.given_up
        record = Record(link, self._order)
        self._order += 1
        self.open[id] = record
        self.enter(record, State.QUEUED)

    def merge(self, record: Record, link: QueuedLink, again: bool) -> None:
        """Add the evidence of another in-link to a queued or delayed record; with *again* its request."""
        old, new = record.link.evidence, link.evidence
        better = new.score > record.score
        if better or new.depth < old.depth:
            depth = min(old.depth, new.depth)
            record.link = replace(
                record.link, evidence=replace(new if better else old, depth=depth)
            )
        if again:
            record.link = replace(record.link, request=link.request)
        if better:
            record.score = new.score
            if record.state is State.QUEUED:
                self.queues.put(record)
            self._note_worst(record)

    def enter(self, record: Record, state: State) -> None:
        """Put a record that is in no state into *state*."""
        record.state = state
        self._counts[state] += 1
        if state is State.QUEUED:
            self.queues.put(record)
        elif state is State.DELAYED:
            self._delayed.add(record)
        else:
            self._leases.push(record)
        self._note_worst(record)

    def leave(self, record: Record) -> None:
        """Take a record out of its state."""
        self._counts[record.state] -= 1
        if record.state is State.QUEUED:
            self.queues.remove(record)
        elif record.state is State.DELAYED:
            self._delayed.remove(record)

    def close(self, id: int, record: Record, *, given_up: bool) -> None:
        """End a record that is in no state."""
        del self.open[id]
        record.state = State.CLOSED
        self._given_up += given_up
        self.closed[id] = ClosedLink(current(record).evidence, record.reason, given_up)

    def forget(self, record: Record) -> None:
        """Drop a queued or delayed link as if it had never been pushed."""
        self.leave(record)
        record.state = State.CLOSED
        del self.open[record.link.id]
        self._forgotten += 1

    def wake(self, now: float) -> None:
        """Queue the delayed links whose retry time has come."""
        while self._delayed and self._delayed[0].until <= now:
            record = self._delayed[0]
            self.leave(record)
            self.enter(record, State.QUEUED)

    def make_room(self, score: float) -> bool:
        """Forget the worst waiting links until one more fits; ``False`` if *score* is no better."""
        limit = self._max_links
        while limit and self._counts[State.QUEUED] + self._counts[State.DELAYED] >= limit:
            worst = self._worst.first()
            assert worst is not None
            if score <= worst.score:
                return False
            self.forget(worst)
        return True

    # -- scores --------------------------------------------------------------------------------

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """Set the scores of queued and delayed links; returns how many changed."""
        changed = []
        open_links, leased = self.open, State.LEASED
        with _no_garbage_collection():
            for id, score in zip(ids.tolist(), scores.tolist(), strict=True):
                record = open_links.get(id)
                if record is not None and record.score != score and record.state is not leased:
                    record.score = score
                    changed.append(record)
            self.queues.put(*(record for record in changed if record.state is State.QUEUED))
            self._note_worst(*changed)
        return len(changed)

    def _note_worst(self, *records: Record) -> None:
        """Tell the heap of worst links about new scores."""
        if self._max_links:
            self._worst.push(*(r for r in records if r.state is not State.LEASED))

    # -- looking -------------------------------------------------------------------------------

    def waiting(
        self, ids: list[int], piece: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yield those of *ids* that are queued or delayed, with their scores."""
        for start in range(0, len(ids), piece):
            found, scores = [], []
            for id in ids[start : start + piece]:
                record = self.open.get(id)
                if record is not None and record.state is not State.LEASED:
                    found.append(id)
                    scores.append(record.score)
            if found:
                yield np.array(found, dtype=np.int64), np.array(scores, dtype=np.float64)

    def first_lease(self) -> Record | None:
        """Return the lease that ends first."""
        return self._leases.first()

    def next_retry(self, now: float) -> float | None:
        """Return the first retry time after *now*."""
        place = self._delayed.bisect_key_right((now, self._order))
        return self._delayed[place].until if place < len(self._delayed) else None

    def size(self) -> FrontierSize:
        """Count links by state."""
        return FrontierSize(
            queued=self._counts[State.QUEUED],
            delayed=self._counts[State.DELAYED],
            leased=self._counts[State.LEASED],
            done=len(self.closed) - self._given_up,
            given_up=self._given_up,
            hosts=len(self.queues),
            forgotten=self._forgotten,
        )


def current(record: Record) -> QueuedLink:
    """Return the record's link with its present score as its evidence's."""
    if record.link.evidence.score != record.score:
        evidence = replace(record.link.evidence, score=record.score)
        record.link = replace(record.link, evidence=evidence)
    return record.link


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Hold the cycle collector off while many objects are made and none is garbage.

    It would walk the whole frontier several times: 60 % of the time to re-score a million links
    (2026, CPython 3.11).
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _retry_key(record: Record) -> Key:
    return record.until, record.order


def _lease_key(record: Record) -> Key | None:
    return (record.until, record.order) if record.state is State.LEASED else None


def _worst_key(record: Record) -> Key | None:
    waiting = record.state in (State.QUEUED, State.DELAYED)
    return (record.score, -record.order) if waiting else None
