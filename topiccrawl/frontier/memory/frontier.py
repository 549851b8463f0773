"""The frontier in memory: for tests, evaluation and crawls that need not survive a restart."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import FrontierSize, Lease, PushResult, QueuedLink, return_delay
from topiccrawl.frontier.memory.hosts import Hosts
from topiccrawl.frontier.memory.journal import MemoryJournal
from topiccrawl.frontier.memory.lazyheap import Key, LazyHeap
from topiccrawl.frontier.memory.links import Links, current
from topiccrawl.frontier.memory.openlink import Record, State
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


class MemoryFrontier:
    """See :class:`topiccrawl.frontier.contract.Frontier`; it has one worker.

    ``push`` and ``pop`` take O(log n), ``pop`` also one step for each busy host that holds a better
    link.  A done link keeps its evidence only, which is some hundred bytes (benchmarks/frontier.py).
    """

    shared = False
    """Nobody else pushes or pops."""

    def __init__(self, limits: FrontierLimits | None = None) -> None:
        self._limits = limits or FrontierLimits()
        self._hosts = Hosts(self._limits)
        self._links = Links(self._limits, self._hosts)
        self._transfers = LazyHeap(_transfer_key)
        self._journal = MemoryJournal()

    @property
    def journal(self) -> MemoryJournal:
        """See the contract; there is nobody to tell."""
        return self._journal

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract."""
        for link in links:
            _check_finite(link)
        return [self._push_one(link, again) for link in links]

    def put_back(self, link: QueuedLink) -> bool:
        """See the contract."""
        _check_finite(link)
        record = self._take_leased(link.id)
        if record is None:
            return False
        record.link = link
        record.score = link.evidence.score
        self._links.enter(record, State.QUEUED)
        return True

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract."""
        if ids.shape != scores.shape or ids.ndim != 1:
            raise ValueError(f"one score for each id: got shapes {ids.shape} and {scores.shape}")
        if not np.isfinite(scores).all():
            raise ValueError("scores must be finite")
        return self._links.rescore(ids, scores)

    def extend_budget(self, host: str, links: int) -> None:
        """See the contract."""
        if self._limits.host_budget:
            self._hosts.extend_budget(host, links)

    # -- handing out ---------------------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract."""
        self._links.wake(now)
        self._end_transfers(now)
        record = self._links.queues.best(busy, now)
        if record is None:
            return None
        self._links.leave(record)
        link = current(record)
        record.until = now + self._limits.lease_seconds
        record.returned = False
        self._links.enter(record, State.LEASED)
        self._begin_transfer(record, now)
        if not record.started:
            record.started = True
            self._charge(link.host)
        return Lease(link.id, link, record.failures + 1, record.until)

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """See the contract."""
        record = self._links.open.get(id)
        if record is None or not record.flying:
            return
        host = record.link.host
        self.hold_host(host, ready_at)
        if delay is not None:
            self._hosts.set_delay(host, delay)
        self._end_transfer(record)

    def hold_host(self, host: str, until: float) -> None:
        """See the contract."""
        if self._hosts.hold(host, until):
            self._links.queues.changed(host)

    # -- outcomes ------------------------------------------------------------------------------

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract."""
        acked = 0
        for id in ids:
            record = self._links.open.get(id)
            if record is not None and (record.state is State.LEASED or record.returned):
                self._take_out(record)
                self._links.close(id, record, given_up=False)
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
            self._links.close(id, record, given_up=True)
            return False
        record.until = retry_at
        self._links.enter(record, State.DELAYED)
        return True

    def reap(self, now: float) -> int:
        """See the contract."""
        ended = 0
        while (record := self._links.first_lease()) is not None and record.until <= now:
            ended += 1
            self._take_out(record)
            self._give_back(record, now)
        return ended

    def close(self) -> None:
        """See the contract; what is in memory goes with the object."""
        for record in [r for r in self._links.open.values() if r.state is State.LEASED]:
            self._take_out(record)
            record.returned = True
            self._links.enter(record, State.QUEUED)

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        """See the contract; nobody listens."""

    def try_lead(self, now: float) -> bool:
        """See the contract: always."""
        return True

    # -- looking -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; in the order in which the links were first pushed."""
        # A copy of a million references takes 25 ms; looking at each of them takes twenty times that.
        return self._links.waiting(list(self._links.open), piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract."""
        return iter([current(record) for record in self._links.queues.nbest(n)])

    def evidence(self, id: int) -> LinkEvidence | None:
        """See the contract."""
        if (record := self._links.open.get(id)) is not None:
            return current(record).evidence
        closed = self._links.closed.get(id)
        return None if closed is None else closed.evidence

    def reason(self, id: int) -> str | None:
        """See the contract."""
        found = self._links.open.get(id) or self._links.closed.get(id)
        return None if found is None else found.reason

    def next_ready(self, now: float) -> float | None:
        """See the contract."""
        moments = (self._links.next_retry(now), self._links.queues.next_ready(now))
        return min((moment for moment in moments if moment is not None), default=None)

    def known(self, ids: Sequence[int]) -> list[bool]:
        """See the contract."""
        return [id in self._links.open or id in self._links.closed for id in ids]

    def size(self) -> FrontierSize:
        """See the contract."""
        return self._links.size()

    # -- inside --------------------------------------------------------------------------------

    def _push_one(self, link: QueuedLink, again: bool) -> PushResult:
        id = link.id
        record = self._links.open.get(id)
        if record is not None:
            if record.state is State.LEASED:
                return PushResult.SEEN
            self._links.merge(record, link, again)
            return PushResult.MERGED
        if id in self._links.closed and not again:
            return PushResult.SEEN
        if self._hosts.used_up(link.host) or not self._links.make_room(link.evidence.score):
            return PushResult.REFUSED
        self._links.admit(id, link)
        return PushResult.NEW

    def _begin_transfer(self, record: Record, now: float) -> None:
        record.flying = True
        host = record.link.host
        self._hosts.begin(host, now)
        if self._limits.concurrency(host):
            self._transfers.push(record)

    def _end_transfer(self, record: Record) -> None:
        if record.flying:
            record.flying = False
            if self._hosts.end(record.link.host):
                self._links.queues.changed(record.link.host)

    def _end_transfers(self, now: float) -> None:
        """End the transfers whose lease is over, reaped or not."""
        while (record := self._transfers.first()) is not None and record.until <= now:
            self._end_transfer(record)

    def _charge(self, host: str) -> None:
        """Count a link handed out for the first time; forget the rest of a host over its budget."""
        if not self._limits.host_budget:
            return
        self._hosts.charge(host)
        if self._hosts.used_up(host):
            for record in self._links.queues.of_host(host):
                if not record.started:
                    self._links.forget(record)

    def _take_out(self, record: Record) -> None:
        """Take a record out of its state, and end its transfer."""
        self._links.leave(record)
        self._end_transfer(record)

    def _take_leased(self, id: int) -> Record | None:
        """Return a leased record, taken out of its state; ``None`` when it is not leased."""
        record = self._links.open.get(id)
        if record is None or record.state is not State.LEASED:
            return None
        self._take_out(record)
        return record

    def _give_back(self, record: Record, now: float) -> None:
        """Put a link whose lease has ended where it waits; the last return gives it up."""
        id = record.link.id
        record.returns += 1
        if record.returns > self._limits.max_returns:
            record.reason = record.reason or "lease expired"
            self._links.close(id, record, given_up=True)
            return
        record.returned = True
        delay = return_delay(id, record.returns)
        record.until = now + delay
        self._links.enter(record, State.DELAYED if delay else State.QUEUED)


def _transfer_key(record: Record) -> Key | None:
    return (record.until, record.order) if record.flying else None


def _check_finite(link: QueuedLink) -> None:
    if not math.isfinite(link.evidence.score):
        raise ValueError(f"score of {link.url} must be finite, got {link.evidence.score!r}")
