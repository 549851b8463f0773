"""The frontier in memory: for tests, evaluation and crawls that need not survive a restart."""

from __future__ import annotations

import gc
import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import (
    Evidence,
    FrontierSize,
    Lease,
    PushResult,
    QueuedLink,
)
from topiccrawl.frontier.hostqueues import HostQueues
from topiccrawl.frontier.lazyheap import Key, LazyHeap
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.record import Record, State


@dataclass(frozen=True, slots=True)
class _Closed:
    evidence: Evidence
    reason: str | None
    given_up: bool


class MemoryFrontier:
    """See :class:`topiccrawl.frontier.contract.Frontier`.

    ``push`` and ``pop`` take O(log n), ``pop`` also one step for each busy host that holds a better
    link.  A done link keeps its evidence only, which is some hundred bytes (benchmarks/frontier.py).
    """

    def __init__(self, limits: FrontierLimits | None = None) -> None:
        self._limits = limits or FrontierLimits()
        self._open: dict[int, Record] = {}
        self._closed: dict[int, _Closed] = {}
        self._queues = HostQueues()
        self._delayed = LazyHeap(_retry_key)
        self._leases = LazyHeap(_lease_key)
        self._worst = LazyHeap(_worst_key)
        self._started: dict[str, int] = {}
        self._counts = [0, 0, 0]
        self._given_up = 0
        self._forgotten = 0
        self._order = 0

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract."""
        for link in links:
            _check_finite(link)
        results = []
        for link in links:
            id = link.id
            record = self._open.get(id)
            if record is not None:
                results.append(self._merge(record, link, again))
            elif id in self._closed and not again:
                results.append(PushResult.SEEN)
            else:
                results.append(self._admit(id, link))
        return results

    def requeue(self, link: QueuedLink) -> bool:
        """See the contract."""
        _check_finite(link)
        record = self._take_leased(link.id)
        if record is None:
            return False
        record.link = link
        record.score = link.evidence.score
        self._enter(record, State.QUEUED)
        return True

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract."""
        if ids.shape != scores.shape or ids.ndim != 1:
            raise ValueError(f"one score for each id: got shapes {ids.shape} and {scores.shape}")
        if not np.isfinite(scores).all():
            raise ValueError("scores must be finite")
        changed = []
        open_links, leased = self._open, State.LEASED
        with _no_garbage_collection():
            for id, score in zip(ids.tolist(), scores.tolist(), strict=True):
                record = open_links.get(id)
                if record is not None and record.score != score and record.state is not leased:
                    record.score = score
                    changed.append(record)
            self._queues.put(*(record for record in changed if record.state is State.QUEUED))
            self._note_worst(*changed)
        return len(changed)

    # -- handing out and settling --------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract."""
        self._wake_delayed(now)
        record = self._queues.best(busy)
        if record is None:
            return None
        self._leave(record)
        link = self._current(record)
        record.until = now + self._limits.lease_seconds
        self._enter(record, State.LEASED)
        if not record.started:
            record.started = True
            self._charge(link.host)
        return Lease(link.id, link, record.failures + 1, record.until)

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract."""
        acked = 0
        for id in ids:
            record = self._take_leased(id)
            if record is not None:
                self._close(id, record, given_up=False)
                acked += 1
        return acked

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """See the contract."""
        if retry_at is not None and not math.isfinite(retry_at):
            raise ValueError(f"retry_at must be finite, got {retry_at!r}")
        record = self._take_leased(id)
        if record is None:
            return None
        record.reason = reason
        record.failures += 1
        if retry_at is None or record.failures >= self._limits.max_attempts:
            self._close(id, record, given_up=True)
            return False
        record.until = retry_at
        self._enter(record, State.DELAYED)
        return True

    def reap(self, now: float) -> int:
        """See the contract."""
        ended = 0
        while (record := self._leases.first()) is not None and record.until <= now:
            ended += 1
            record.failures += 1
            self._leave(record)
            if record.failures >= self._limits.max_attempts:
                record.reason = record.reason or "lease expired"
                self._close(record.link.id, record, given_up=True)
            else:
                self._enter(record, State.QUEUED)
        return ended

    # -- looking -------------------------------------------------------------------------------

    def queued_ids(self, piece: int = 5_000) -> Iterator[NDArray[np.int64]]:
        """See the contract."""
        # A copy of a million references takes 25 ms; looking at each of them takes twenty times that.
        ids = list(self._open)
        for start in range(0, len(ids), piece):
            waiting = [
                id
                for id in ids[start : start + piece]
                if (record := self._open.get(id)) is not None and record.state is not State.LEASED
            ]
            if waiting:
                yield np.array(waiting, dtype=np.int64)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract."""
        return iter([self._current(record) for record in self._queues.nbest(n)])

    def evidence(self, id: int) -> Evidence | None:
        """See the contract."""
        if (record := self._open.get(id)) is not None:
            return self._current(record).evidence
        closed = self._closed.get(id)
        return None if closed is None else closed.evidence

    def reason(self, id: int) -> str | None:
        """See the contract."""
        found = self._open.get(id) or self._closed.get(id)
        return None if found is None else found.reason

    def next_ready(self) -> float | None:
        """See the contract."""
        record = self._delayed.first()
        return None if record is None else record.until

    def known(self, ids: Sequence[int]) -> list[bool]:
        """See the contract."""
        return [id in self._open or id in self._closed for id in ids]

    def size(self) -> FrontierSize:
        """See the contract."""
        return FrontierSize(
            queued=self._counts[State.QUEUED],
            delayed=self._counts[State.DELAYED],
            leased=self._counts[State.LEASED],
            done=len(self._closed) - self._given_up,
            given_up=self._given_up,
            hosts=len(self._queues),
            forgotten=self._forgotten,
        )

    def close(self) -> None:
        """See the contract; what is in memory goes with the object."""

    # -- inside --------------------------------------------------------------------------------

    def _merge(self, record: Record, link: QueuedLink, again: bool) -> PushResult:
        if record.state is State.LEASED:
            return PushResult.SEEN
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
                self._queues.put(record)
            self._note_worst(record)
        return PushResult.MERGED

    def _admit(self, id: int, link: QueuedLink) -> PushResult:
        budget = self._limits.host_budget
        if budget and self._started.get(link.host, 0) >= budget:
            return PushResult.REFUSED
        if not self._make_room(link.evidence.score):
            return PushResult.REFUSED
        if (closed := self._closed.pop(id, None)) is not None:
            self._given_up -= closed.given_up
        record = Record(link, self._order)
        self._order += 1
        self._open[id] = record
        self._enter(record, State.QUEUED)
        return PushResult.NEW

    def _enter(self, record: Record, state: State) -> None:
        """Put a record that is in no queue into *state*."""
        record.state = state
        self._counts[state] += 1
        if state is State.QUEUED:
            self._queues.put(record)
        elif state is State.DELAYED:
            self._delayed.push(record)
        else:
            self._leases.push(record)
        self._note_worst(record)

    def _leave(self, record: Record) -> None:
        """Take a record out of its state's queue."""
        self._counts[record.state] -= 1
        if record.state is State.QUEUED:
            self._queues.remove(record)

    def _take_leased(self, id: int) -> Record | None:
        """Return a leased record, taken out of its state; ``None`` when it is not leased."""
        record = self._open.get(id)
        if record is None or record.state is not State.LEASED:
            return None
        self._leave(record)
        return record

    def _close(self, id: int, record: Record, *, given_up: bool) -> None:
        """End a record that is in no queue."""
        del self._open[id]
        record.state = State.CLOSED
        self._given_up += given_up
        self._closed[id] = _Closed(self._current(record).evidence, record.reason, given_up)

    def _forget(self, record: Record) -> None:
        self._leave(record)
        record.state = State.CLOSED
        del self._open[record.link.id]
        self._forgotten += 1

    def _current(self, record: Record) -> QueuedLink:
        """Return the record's link with its present score as its evidence's."""
        if record.link.evidence.score != record.score:
            evidence = replace(record.link.evidence, score=record.score)
            record.link = replace(record.link, evidence=evidence)
        return record.link

    def _wake_delayed(self, now: float) -> None:
        while (record := self._delayed.first()) is not None and record.until <= now:
            self._leave(record)
            self._enter(record, State.QUEUED)

    def _charge(self, host: str) -> None:
        """Count a link handed out for the first time; forget the rest of a host over its budget."""
        if not self._limits.host_budget:
            return
        self._started[host] = self._started.get(host, 0) + 1
        if self._started[host] >= self._limits.host_budget:
            for record in self._queues.of_host(host):
                if not record.started:
                    self._forget(record)

    def _make_room(self, score: float) -> bool:
        """Forget the worst waiting links until one more fits; ``False`` if *score* is no better."""
        limit = self._limits.max_links
        while limit and self._counts[State.QUEUED] + self._counts[State.DELAYED] >= limit:
            worst = self._worst.first()
            assert worst is not None
            if score <= worst.score:
                return False
            self._forget(worst)
        return True

    def _note_worst(self, *records: Record) -> None:
        """Tell the heap of worst links about new scores."""
        if self._limits.max_links:
            self._worst.push(*(r for r in records if r.state is not State.LEASED))


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


def _retry_key(record: Record) -> Key | None:
    return (record.until, record.order) if record.state is State.DELAYED else None


def _lease_key(record: Record) -> Key | None:
    return (record.until, record.order) if record.state is State.LEASED else None


def _worst_key(record: Record) -> Key | None:
    waiting = record.state in (State.QUEUED, State.DELAYED)
    return (record.score, -record.order) if waiting else None


def _check_finite(link: QueuedLink) -> None:
    if not math.isfinite(link.evidence.score):
        raise ValueError(f"score of {link.url} must be finite, got {link.evidence.score!r}")
