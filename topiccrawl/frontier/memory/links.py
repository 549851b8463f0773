"""The links of the memory frontier, each in exactly one state, and the orders within the states."""

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
from topiccrawl.frontier.memory.hosts import MemoryHosts
from topiccrawl.frontier.memory.lazyheap import Key, LazyHeap
from topiccrawl.frontier.memory.openlink import OpenLink, State
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence


@dataclass(frozen=True, slots=True)
class ClosedLink:
    """A link that is done or given up."""

    evidence: LinkEvidence
    reason: str | None
    given_up: bool


class MemoryLinks:
    """Moves links from state to state; the frontier decides when."""

    def __init__(self, limits: FrontierLimits, hosts: MemoryHosts) -> None:
        self._max_links = limits.max_links
        self.open: dict[int, OpenLink] = {}
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

    def admit(self, id: int, offer: QueuedLink) -> None:
        """Queue a link that is not open."""
        if (closed := self.closed.pop(id, None)) is not None:
            self._given_up -= closed.given_up
        link = OpenLink(offer, self._order)
        self._order += 1
        self.open[id] = link
        self.enter(link, State.QUEUED)

    def merge(self, link: OpenLink, offer: QueuedLink, again: bool) -> None:
        """Merge the evidence of another in-link into a waiting link; with *again* also its request."""
        old, new = link.offer.evidence, offer.evidence
        better = new.score > link.score
        if better or new.depth < old.depth:
            depth = min(old.depth, new.depth)
            link.offer = replace(link.offer, evidence=replace(new if better else old, depth=depth))
        if again:
            link.offer = replace(link.offer, request=offer.request)
        if better:
            link.score = new.score
            if link.state is State.QUEUED:
                self.queues.put(link)
            self._update_worst(link)

    def enter(self, link: OpenLink, state: State) -> None:
        """Put a link that is in no state into *state*."""
        link.state = state
        self._counts[state] += 1
        if state is State.QUEUED:
            self.queues.put(link)
        elif state is State.DELAYED:
            self._delayed.add(link)
        else:
            self._leases.push(link)
        self._update_worst(link)

    def leave(self, link: OpenLink) -> None:
        """Take a link out of its state."""
        self._counts[link.state] -= 1
        if link.state is State.QUEUED:
            self.queues.remove(link)
        elif link.state is State.DELAYED:
            self._delayed.remove(link)

    def close(self, id: int, link: OpenLink, *, given_up: bool) -> None:
        """End a link that is in no state."""
        del self.open[id]
        link.state = State.CLOSED
        self._given_up += given_up
        self.closed[id] = ClosedLink(current(link).evidence, link.reason, given_up)

    def mark_closed(self, link: QueuedLink, *, given_up: bool) -> bool:
        """End a link that was never pushed; ``False`` if it is known."""
        if link.id in self.open or link.id in self.closed:
            return False
        self._given_up += given_up
        reason = "rebuilt" if given_up else None
        self.closed[link.id] = ClosedLink(link.evidence, reason, given_up)
        return True

    def forget(self, link: OpenLink) -> None:
        """Drop a queued or delayed link as if it had never been pushed."""
        self.leave(link)
        link.state = State.CLOSED
        del self.open[link.offer.id]
        self._forgotten += 1

    def shift(self, by: float) -> None:
        """Move the moments of delayed and leased links by this time."""
        delayed = list(self._delayed)
        self._delayed.clear()
        leased = [link for link in self.open.values() if link.state is State.LEASED]
        for link in (*delayed, *leased):
            link.until += by
        self._delayed.update(delayed)
        self._leases.push(*leased)

    def cut(self, longest: float, now: float) -> None:
        """Let delayed links be due *now* that would wait beyond *longest*."""
        while self._delayed and self._delayed[-1].until > longest:
            link = self._delayed.pop()
            link.until = now
            self._delayed.add(link)

    def wake(self, now: float) -> None:
        """Queue the delayed links that are due."""
        while self._delayed and self._delayed[0].until <= now:
            link = self._delayed[0]
            self.leave(link)
            self.enter(link, State.QUEUED)

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
        """Set the scores of queued and delayed links; return how many changed."""
        changed = []
        open_links, leased = self.open, State.LEASED
        with _no_garbage_collection():
            for id, score in zip(ids.tolist(), scores.tolist(), strict=True):
                link = open_links.get(id)
                if link is not None and link.score != score and link.state is not leased:
                    link.score = score
                    changed.append(link)
            self.queues.put(*(link for link in changed if link.state is State.QUEUED))
            self._update_worst(*changed)
        return len(changed)

    def _update_worst(self, *links: OpenLink) -> None:
        """Push links with new scores to the heap of the worst ones."""
        if self._max_links:
            self._worst.push(*(link for link in links if link.state is not State.LEASED))

    # -- reading -------------------------------------------------------------------------------

    def waiting(
        self, ids: list[int], piece: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yield those of *ids* that are queued or delayed, with their scores."""
        for start in range(0, len(ids), piece):
            found, scores = [], []
            for id in ids[start : start + piece]:
                link = self.open.get(id)
                if link is not None and link.state is not State.LEASED:
                    found.append(id)
                    scores.append(link.score)
            if found:
                yield np.array(found, dtype=np.int64), np.array(scores, dtype=np.float64)

    def first_lease(self) -> OpenLink | None:
        """Return the link whose lease ends first."""
        return self._leases.first()

    def next_retry(self, now: float) -> float | None:
        """Return the first retry time after *now*."""
        at = self._delayed.bisect_key_right((now, self._order))
        return self._delayed[at].until if at < len(self._delayed) else None

    def size(self) -> FrontierSize:
        """Return the counts of links by state."""
        return FrontierSize(
            queued=self._counts[State.QUEUED],
            delayed=self._counts[State.DELAYED],
            leased=self._counts[State.LEASED],
            done=len(self.closed) - self._given_up,
            given_up=self._given_up,
            hosts=len(self.queues),
            forgotten=self._forgotten,
        )


def current(link: OpenLink) -> QueuedLink:
    """Return what was offered, with the present score in its evidence."""
    if link.offer.evidence.score != link.score:
        evidence = replace(link.offer.evidence, score=link.score)
        link.offer = replace(link.offer, evidence=evidence)
    return link.offer


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Pause the cycle collector while many objects are created, none of which is garbage.

    It would traverse the whole frontier several times: 60 % of the time to re-score a million links
    (2026, CPython 3.11).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _retry_key(link: OpenLink) -> Key:
    return link.until, link.order


def _lease_key(link: OpenLink) -> Key | None:
    return (link.until, link.order) if link.state is State.LEASED else None


def _worst_key(link: OpenLink) -> Key | None:
    waiting = link.state in (State.QUEUED, State.DELAYED)
    return (link.score, -link.order) if waiting else None
