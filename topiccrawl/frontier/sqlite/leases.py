"""Leases of an SQLite frontier: links are handed out, and return to the queue without an outcome."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from topiccrawl.frontier.contract import Lease, return_delay
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.records import UnreadableLinks, UnreadableRecordError
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.hosts import OpenHost, SQLiteHosts
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.openlink import RowKey
from topiccrawl.frontier.sqlite.schema import BACK
from topiccrawl.frontier.sqlite.views import SQLiteViews
from topiccrawl.frontier.sqlite.workers import SQLiteWorkers
from topiccrawl.frontier.sqlite.writing import PIECE, Writing


class SQLiteLeases:
    """Leases the best links to this worker, and forgets those of hosts whose budget is used up.

    Returns leases that expired, those of dead workers, and those of this worker when it leaves.
    """

    def __init__(
        self,
        file: FrontierFile,
        writing: Writing,
        hosts: SQLiteHosts,
        links: SQLiteLinks,
        views: SQLiteViews,
        workers: SQLiteWorkers,
        limits: FrontierLimits,
    ) -> None:
        self._file = file
        self._writing = writing
        self._hosts = hosts
        self._links = links
        self._views = views
        self._workers = workers
        self._limits = limits
        self._unreadable = UnreadableLinks()

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract; the frontier has taken note of *now*."""
        while True:
            with self._writing():
                if self._links.any_due(now):
                    if not self._links.wake(now, PIECE):
                        raise self._file.damage("delayed links that cannot be found")
                    continue  # the end of the transaction finds the best links of the hosts
                self._links.end_expired_transfers(now)
                host = self._hosts.best_open(busy, now)
                if host is None:
                    return None
                lease, used_up = self._hand_out(host, now)
            if used_up:
                self._forget_rest(host.n)
            if lease is not None:
                return lease

    def _hand_out(self, host: OpenHost, now: float) -> tuple[Lease | None, bool]:
        """Lease the best link of an open host; return also whether its budget is used up now.

        No link if it was used up before: a worker died before it had forgotten the rest.
        """
        taken = self._links.take_waiting((host.best, host.n))
        assert taken is not None
        first = not taken.started
        if first and host.budget_left <= 0:
            self._links.enqueue(taken)
            return None, True
        try:
            link = self._links.load(taken, host.name)
        except UnreadableRecordError as error:
            self._links.close(taken, self._unreadable.reason(error))
            return None, False
        expires = now + self._limits.lease_seconds
        self._links.lease(taken, expires, self._workers.n)
        self._hosts.begin_transfer(host, now, first=first)
        return Lease(taken.id, link, taken.failures + 1, expires), first and host.budget_left <= 1

    def _forget_rest(self, host: int) -> None:
        """Forget the links of a host that were never handed out: its budget is used up."""
        while True:
            with self._writing():
                keys = self._links.never_started(host, PIECE)
                for key in keys:
                    taken = self._links.take_waiting(key)
                    assert taken is not None
                    self._links.forget(taken)
            if len(keys) < PIECE:
                return

    def reap(self, now: float) -> int:
        """See the contract; the frontier has taken note of *now*."""
        returned = 0
        while True:
            with self._writing():
                living = self._workers.living(now)
                marks = ", ".join("?" * len(living))
                ended = self._file.execute(
                    f"SELECT ord, host FROM leases WHERE until <= ? OR worker NOT IN ({marks}) "
                    "ORDER BY ord LIMIT ?",
                    (now, *living, PIECE),
                ).fetchall()
                self._give_back_all(ended, now)
                if len(ended) < PIECE:
                    self._workers.remove_dead()
            returned += len(ended)
            if len(ended) < PIECE:
                return returned

    def return_own(self) -> None:
        """Return all leases of this worker; that does not count against the links."""
        own = "SELECT ord, host FROM leases WHERE worker = ? LIMIT ?"
        more = True
        while more:
            # In one transaction: another worker may take this one for dead, and return them.
            with self._writing():
                held = self._file.execute(own, (self._workers.n, PIECE)).fetchall()
                self._give_back_all(held, None)
            more = len(held) == PIECE

    def _give_back_all(self, keys: list[RowKey], now: float | None) -> None:
        if keys and not sum(self._give_back(key, now) for key in keys):
            raise self._file.damage("leases that cannot be found")

    def _give_back(self, key: RowKey, now: float | None) -> bool:
        """Return a leased link; without *now* the return does not count against the link.

        ``False`` if it is not leased.
        """
        taken = self._links.take_leased(key)
        if taken is None:
            return False
        taken = replace(taken, flags=taken.flags | BACK)
        if now is None:
            self._links.enqueue(taken)
            return True
        taken = replace(taken, returns=taken.returns + 1)
        if taken.returns > self._limits.max_returns:
            self._links.close(taken, self._views.reason(taken.id) or "lease expired")
            return True
        delay = return_delay(taken.id, taken.returns)
        self._links.enqueue(taken, now + delay if delay else None)
        return True
