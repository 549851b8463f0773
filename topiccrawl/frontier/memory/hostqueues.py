"""The memory frontier's order: the best link of every host, and the hosts by their best link.

Each host has a binary heap of entries ``(-score, order, record)``.  A changed score does not search
the heap: the record gets a new entry, and the old one, no longer its record's, is skipped when it
comes up (lazy deletion).  New entries wait in a list until somebody asks for the order; a host that
got many is heapified once, so a million re-scored links cost a million appends and one pass.
Open hosts stand in a sorted list by their best entry, hosts whose moment has not come in another by
that moment; a host that has all its transfers is not among the open ones.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator

from sortedcontainers import SortedList

from topiccrawl.frontier.memory.hosts import Hosts
from topiccrawl.frontier.memory.openlink import Entry, Record

#: A heap is rebuilt when more than half of it, and more than this many entries, are out of date.
_STALE_ALLOWED = 64
#: Adding one entry costs log2(n) steps, heapifying n; eight is about where they meet (a guess).
_HEAPIFY_SHARE = 8


class _Queue:
    __slots__ = ("closed", "heap", "incoming", "key", "live")

    def __init__(self) -> None:
        self.heap: list[Entry] = []
        self.incoming: list[Entry] = []
        self.live = 0
        self.key: tuple[float, int, str] | None = None
        """This host's place among the open ones, ``None`` when it has none."""
        self.closed: tuple[float, str] | None = None
        """The same among those whose moment has not come."""


class HostQueues:
    """Queued records, by host and score; *hosts* tells which hosts are open."""

    def __init__(self, hosts: Hosts) -> None:
        self._gates = hosts
        self._hosts: dict[str, _Queue] = {}
        self._index: SortedList = SortedList()
        self._closed: SortedList = SortedList()
        self._dirty: set[str] = set()
        self._now = -math.inf

    def __len__(self) -> int:
        """Hosts with at least one queued record."""
        self._refresh()
        return len(self._hosts)

    def put(self, *records: Record) -> None:
        """Queue *records* at their present scores; those that are queued already move."""
        hosts, dirty = self._hosts, self._dirty
        for record in records:
            name = record.link.host
            host = hosts.get(name)
            if host is None:
                host = hosts[name] = _Queue()
            if record.entry is None:
                host.live += 1
            record.entry = entry = (-record.score, record.order, record)
            host.incoming.append(entry)
            dirty.add(name)

    def remove(self, record: Record) -> None:
        """Take a queued record out."""
        assert record.entry is not None
        record.entry = None
        self._hosts[record.link.host].live -= 1
        self._dirty.add(record.link.host)

    def changed(self, name: str) -> None:
        """A host may have opened or closed."""
        if name in self._hosts:
            self._dirty.add(name)

    def best(self, busy: Collection[str], now: float) -> Record | None:
        """Return the best record among hosts that are open at *now* and not in *busy*; it stays."""
        while self._closed and self._closed[0][0] <= now:
            self._dirty.add(self._closed[0][1])
            del self._closed[0]
        self._now = now
        self._refresh()
        for _, _, name in self._index:
            # A host may have opened at a later moment than this one: clocks are set back.
            if name not in busy and self._gates.ready_at(name) <= now:
                return self._hosts[name].heap[0][2]
        return None

    def next_ready(self, now: float) -> float | None:
        """Return the first moment after *now* from which another host may be contacted."""
        self._refresh()
        place = self._closed.bisect_left((math.nextafter(now, math.inf), ""))
        return self._closed[place][0] if place < len(self._closed) else None

    def of_host(self, name: str) -> list[Record]:
        """Return all queued records of a host, in no particular order."""
        host = self._hosts.get(name)
        return [] if host is None else [entry[2] for entry in _live_entries(host)]

    def nbest(self, n: int) -> list[Record]:
        """Return the *n* best records over all hosts, best first."""
        return [entry[2] for entry in heapq.nsmallest(n, self._entries())]

    def _entries(self) -> Iterator[Entry]:
        for host in self._hosts.values():
            yield from _live_entries(host)

    def _refresh(self) -> None:
        """Bring heaps and indexes up to date with everything that has changed since the last time."""
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
        """Return where a host belongs: among the open ones, and among those that wait."""
        if not host.heap:
            return None, None
        ready_at = self._gates.ready_at(name)
        if ready_at > self._now:
            return None, (ready_at, name)
        if self._gates.full(name):
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
    """Merge what came in, and leave a live entry (or nothing) on top of the heap."""
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
