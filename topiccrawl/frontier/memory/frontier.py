"""The frontier in memory, for tests, evaluation and crawls that need not survive a restart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.checks import check_links, check_retry_at, check_scores
from topiccrawl.frontier.clock import LONGEST_WAIT_SECONDS, LatestMoment
from topiccrawl.frontier.contract import (
    Frontier,
    FrontierSize,
    Journal,
    Lease,
    PushResult,
    QueuedLink,
    return_delay,
)
from topiccrawl.frontier.memory.hosts import MemoryHosts
from topiccrawl.frontier.memory.lazyheap import Key, LazyHeap
from topiccrawl.frontier.memory.links import MemoryLinks, current
from topiccrawl.frontier.memory.openlink import OpenLink, State
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


class MemoryJournal(Journal):
    """With one worker there is nothing to exchange."""

    def append(self, entries: Sequence[bytes]) -> None:
        """Keep nothing: a worker does not read its own entries."""

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        """Return no entries: there is no other worker to append any."""
        return []


class MemoryFrontier(Frontier):
    """A frontier in memory; it has one worker.

    ``push`` and ``pop`` take O(log n); ``pop`` also takes one step for each busy host with a better
    link.  A done link keeps only its evidence, which is some hundred bytes (benchmarks/frontier.py).
    """

    shared = False
    """No other worker pushes or pops."""

    def __init__(self, limits: FrontierLimits | None = None) -> None:
        self._limits = limits or FrontierLimits()
        self._hosts = MemoryHosts(self._limits)
        self._links = MemoryLinks(self._limits, self._hosts)
        self._transfers = LazyHeap(_transfer_key)
        self._journal = MemoryJournal()
        self._latest = LatestMoment()

    @property
    def journal(self) -> MemoryJournal:
        """See the contract; it stays empty."""
        return self._journal

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        check_links(links)
        return [self._push_one(link, again) for link in links]

    def put_back(self, link: QueuedLink) -> bool:
        check_links([link])
        leased = self._take_leased(link.id)
        if leased is None:
            return False
        leased.offer = link
        leased.score = link.evidence.score
        self._links.enter(leased, State.QUEUED)
        return True

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        check_scores(ids, scores)
        return self._links.rescore(ids, scores)

    def extend_budget(self, host: str, links: int) -> None:
        if self._limits.host_budget:
            self._hosts.extend_budget(host, links)

    def forget(self, ids: Sequence[int]) -> int:
        found = (self._links.open.get(id) for id in dict.fromkeys(ids))
        waiting = [link for link in found if link is not None and link.state is not State.LEASED]
        for link in waiting:
            self._links.forget(link)
        return len(waiting)

    # -- handing out ---------------------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        self._notice(now)
        self._links.wake(now)
        self._end_expired_transfers(now)
        best = self._links.queues.best(busy, now)
        if best is None:
            return None
        self._links.leave(best)
        offer = current(best)
        best.until = now + self._limits.lease_seconds
        best.returned = False
        self._links.enter(best, State.LEASED)
        self._begin_transfer(best, now)
        if not best.started:
            best.started = True
            self._charge(offer.host)
        return Lease(offer.id, offer, best.failures + 1, best.until)

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        link = self._links.open.get(id)
        if link is None or not link.in_transfer:
            return
        host = link.offer.host
        self.hold_host(host, ready_at)
        if delay is not None:
            self._hosts.set_delay(host, delay)
        self._end_transfer(link)

    def hold_host(self, host: str, until: float) -> None:
        if self._hosts.hold(host, until):
            self._links.queues.changed(host)

    def _notice(self, now: float) -> None:
        """Take note of the time; a clock that was set back takes all moments with it."""
        back = self._latest.step_back(now)
        if back:
            self._hosts.shift(-back)
            self._links.shift(-back)
            self._links.queues.all_changed()
            flying = [link for link in self._links.open.values() if link.in_transfer]
            self._transfers.push(*flying)

    # -- outcomes ------------------------------------------------------------------------------

    def ack(self, ids: Sequence[int]) -> int:
        acked = 0
        for id in ids:
            link = self._links.open.get(id)
            if link is not None and (link.state is State.LEASED or link.returned):
                self._take_out(link)
                self._links.close(id, link, given_up=False)
                acked += 1
        return acked

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        check_retry_at(retry_at)
        link = self._take_leased(id)
        if link is None:
            return None
        link.reason = reason
        link.failures += 1
        if retry_at is None or link.failures >= self._limits.max_attempts:
            self._links.close(id, link, given_up=True)
            return False
        link.until = retry_at
        self._links.enter(link, State.DELAYED)
        return True

    def mark_ended(self, links: Sequence[QueuedLink], *, given_up: bool = False) -> int:
        check_links(links)
        return sum(self._links.mark_closed(link, given_up=given_up) for link in links)

    def reap(self, now: float) -> int:
        self._notice(now)
        self._links.cut(now + LONGEST_WAIT_SECONDS, now)
        for host in self._hosts.cut(now + LONGEST_WAIT_SECONDS, now):
            self._links.queues.changed(host)
        ended = 0
        while (link := self._links.first_lease()) is not None and link.until <= now:
            ended += 1
            self._take_out(link)
            self._give_back(link, now)
        return ended

    def close(self) -> None:
        """See the contract; the links themselves vanish with the object."""
        for link in [link for link in self._links.open.values() if link.state is State.LEASED]:
            self._take_out(link)
            link.returned = True
            self._links.enter(link, State.QUEUED)

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        """See the contract; only the time counts, as there is no other worker."""
        self._notice(now)

    def others(self, now: float) -> int:
        """See the contract; never any."""
        return 0

    def try_lead(self, now: float) -> bool:
        """See the contract; always ``True``."""
        return True

    # -- reading -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; in the order in which the links were first pushed."""
        # Copying a million references takes 25 ms; reading each link takes twenty times as long.
        return self._links.waiting(list(self._links.open), piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        return iter([current(link) for link in self._links.queues.nbest(n)])

    def evidence(self, id: int) -> LinkEvidence | None:
        if (link := self._links.open.get(id)) is not None:
            return current(link).evidence
        closed = self._links.closed.get(id)
        return None if closed is None else closed.evidence

    def reason(self, id: int) -> str | None:
        found = self._links.open.get(id) or self._links.closed.get(id)
        return None if found is None else found.reason

    def next_ready(self, now: float) -> float | None:
        moments = (self._links.next_retry(now), self._links.queues.next_ready(now))
        return min((moment for moment in moments if moment is not None), default=None)

    def known(self, ids: Sequence[int]) -> list[bool]:
        return [id in self._links.open or id in self._links.closed for id in ids]

    def size(self) -> FrontierSize:
        return self._links.size()

    # -- inside --------------------------------------------------------------------------------

    def _push_one(self, offer: QueuedLink, again: bool) -> PushResult:
        id = offer.id
        link = self._links.open.get(id)
        if link is not None:
            if link.state is State.LEASED:
                return PushResult.SEEN
            self._links.merge(link, offer, again)
            return PushResult.MERGED
        if id in self._links.closed and not again:
            return PushResult.SEEN
        if self._hosts.used_up(offer.host) or not self._links.make_room(offer.evidence.score):
            return PushResult.REFUSED
        self._links.admit(id, offer)
        return PushResult.NEW

    def _begin_transfer(self, link: OpenLink, now: float) -> None:
        link.in_transfer = True
        host = link.offer.host
        self._hosts.begin(host, now)
        if self._limits.concurrency(host):
            self._transfers.push(link)

    def _end_transfer(self, link: OpenLink) -> None:
        if link.in_transfer:
            link.in_transfer = False
            if self._hosts.end(link.offer.host):
                self._links.queues.changed(link.offer.host)

    def _end_expired_transfers(self, now: float) -> None:
        """End the transfers of expired leases, whether or not these were reaped."""
        while (link := self._transfers.first()) is not None and link.until <= now:
            self._end_transfer(link)

    def _charge(self, host: str) -> None:
        """Count a link handed out for the first time; forget the rest of a host over its budget."""
        if not self._limits.host_budget:
            return
        self._hosts.charge(host)
        if self._hosts.used_up(host):
            for link in self._links.queues.of_host(host):
                if not link.started:
                    self._links.forget(link)

    def _take_out(self, link: OpenLink) -> None:
        """Take a link out of its state, and end its transfer."""
        self._links.leave(link)
        self._end_transfer(link)

    def _take_leased(self, id: int) -> OpenLink | None:
        """Take a leased link out of its state; return ``None`` when it is not leased."""
        link = self._links.open.get(id)
        if link is None or link.state is not State.LEASED:
            return None
        self._take_out(link)
        return link

    def _give_back(self, link: OpenLink, now: float) -> None:
        """Queue or delay a link whose lease has expired; give it up after too many returns."""
        id = link.offer.id
        link.returns += 1
        if link.returns > self._limits.max_returns:
            link.reason = link.reason or "lease expired"
            self._links.close(id, link, given_up=True)
            return
        link.returned = True
        delay = return_delay(id, link.returns)
        link.until = now + delay
        self._links.enter(link, State.DELAYED if delay else State.QUEUED)


def _transfer_key(link: OpenLink) -> Key | None:
    return (link.until, link.order) if link.in_transfer else None
