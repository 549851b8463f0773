"""Queues of the memory frontier: the best link of every host, and the hosts by their best link.

Each host has a binary heap of entries ``(-score, order, link)``.  When a score changes, the link gets a
new entry; the old one stays in the heap and is skipped when it comes up (lazy deletion).  New entries
are collected in a list until the order is needed.  A host with many of them is heapified once, so that
re-scoring a million links costs a million appends and one pass.

Open hosts are in a sorted list by their best entry, hosts that may not be contacted yet in another one
by that moment.  A host with as many transfers as it is allowed is in neither.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator

from sortedcontainers import SortedList

from topiccrawl.frontier.memory.hosts import MemoryHosts
from topiccrawl.frontier.memory.openlink import Entry, OpenLink

#: A heap is rebuilt when more than half of it and more than this many entries are out of date (a guess).
_STALE_ALLOWED = 64
#: Adding an entry costs log2(n) steps, heapifying n; beyond one new entry in eight, heapify (a guess).
_HEAPIFY_SHARE = 8


class _Queue:
    __slots__ = ("closed", "heap", "incoming", "key", "live")

    def __init__(self) -> None:
        self.heap: list[Entry] = []
        self.incoming: list[Entry] = []
        self.live = 0
        self.key: tuple[float, int, str] | None = None
        """This host's key among the open hosts, ``None`` if it is not open."""
        self.closed: tuple[float, str] | None = None
        """Its key among the hosts that may not be contacted yet."""


class HostQueues:
    """Queued links by host and score; *hosts* determines which hosts are open."""

    def __init__(self, hosts: MemoryHosts) -> None:
        self._states = hosts
        self._hosts: dict[str, _Queue] = {}
        self._index: SortedList = SortedList()
        self._closed: SortedList = SortedList()
        self._dirty: set[str] = set()
        self._now = -math.inf

    def __len__(self) -> int:
        """Return the number of hosts with at least one queued link."""
        self._refresh()
        return len(self._hosts)

    def put(self, *links: OpenLink) -> None:
        """Queue *links* at their present scores, or move those that are queued already."""
        hosts, dirty = self._hosts, self._dirty
        for link in links:
            name = link.offer.host
            host = hosts.get(name)
            if host is None:
                host = hosts[name] = _Queue()
            if link.entry is None:
                host.live += 1
            link.entry = entry = (-link.score, link.order, link)
            host.incoming.append(entry)
            dirty.add(name)

    def remove(self, link: OpenLink) -> None:
        """Remove a queued link."""
        assert link.entry is not None
        link.entry = None
        self._hosts[link.offer.host].live -= 1
        self._dirty.add(link.offer.host)

    def changed(self, name: str) -> None:
        """Record that a host may have opened or closed."""
        if name in self._hosts:
            self._dirty.add(name)

    def all_changed(self) -> None:
        """Record that any host may have opened or closed."""
        self._dirty.update(self._hosts)

    def best(self, busy: Collection[str], now: float) -> OpenLink | None:
        """Return the best link of the hosts that are open at *now* and not in *busy*, without removing it."""
        while self._closed and self._closed[0][0] <= now:
            self._dirty.add(self._closed[0][1])
            del self._closed[0]
        self._now = now
        self._refresh()
        for _, _, name in self._index:
            # A host may have opened at a later moment than this one: clocks are set back.
            if name not in busy and self._states.ready_at(name) <= now:
                return self._hosts[name].heap[0][2]
        return None

    def next_ready(self, now: float) -> float | None:
        """Return the first moment after *now* from which a further host may be contacted."""
        self._refresh()
        place = self._closed.bisect_left((math.nextafter(now, math.inf), ""))
        return self._closed[place][0] if place < len(self._closed) else None

    def of_host(self, name: str) -> list[OpenLink]:
        """Return all queued links of a host, in no particular order."""
        host = self._hosts.get(name)
        return [] if host is None else [entry[2] for entry in _live_entries(host)]

    def nbest(self, n: int) -> list[OpenLink]:
        """Return the *n* best links over all hosts, best first."""
        return [entry[2] for entry in heapq.nsmallest(n, self._entries())]

    def _entries(self) -> Iterator[Entry]:
        for host in self._hosts.values():
            yield from _live_entries(host)

    def _refresh(self) -> None:
        """Apply everything that has changed since the last time to heaps and indexes."""
        if not self._dirty:
            return
        # With most hosts touched, sorting the index anew is cheaper than moving them one by one.
        rebuild = len(self._dirty) > len(self._hosts) // 2
        for name in self._dirty:
            host = self._hosts[name]
            _arrange(host)
            key, closed = self._place(name, host)
            if key != host.key and not rebuild:
                if host.key is not None:
                    self._index.remove(host.key)
                if key is not None:
                    self._index.add(key)
            if closed != host.closed:
                if host.closed is not None:
                    self._closed.discard(host.closed)
                if closed is not None:
                    self._closed.add(closed)
            host.key, host.closed = key, closed
            if not host.heap:
                del self._hosts[name]
        self._dirty.clear()
        if rebuild:
            hosts = self._hosts.values()
            self._index = SortedList(host.key for host in hosts if host.key is not None)

    def _place(
        self, name: str, host: _Queue
    ) -> tuple[tuple[float, int, str] | None, tuple[float, str] | None]:
        """Return a host's keys among the open hosts and among those that wait."""
        if not host.heap:
            return None, None
        ready_at = self._states.ready_at(name)
        if ready_at > self._now:
            return None, (ready_at, name)
        if self._states.full(name):
            return None, None
        return (host.heap[0][0], host.heap[0][1], name), None


def _live_entries(host: _Queue) -> Iterator[Entry]:
    return (
        entry
        for entries in (host.heap, host.incoming)
        for entry in entries
        if entry[2].entry is entry
    )


def _arrange(host: _Queue) -> None:
    """Merge new entries, and leave a live entry (or nothing) on top of the heap."""
    heap, incoming = host.heap, host.incoming
    stale = len(heap) + len(incoming) - host.live
    if len(incoming) * _HEAPIFY_SHARE > len(heap) or stale > host.live + _STALE_ALLOWED:
        host.heap = heap = list(_live_entries(host))
        heapq.heapify(heap)
    else:
        for entry in incoming:
            heapq.heappush(heap, entry)
    host.incoming = []
    while heap and heap[0][2].entry is not heap[0]:
        heapq.heappop(heap)
