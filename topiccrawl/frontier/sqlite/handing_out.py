"""Handing out the links of an SQLite frontier."""

from __future__ import annotations

from collections.abc import Collection

from topiccrawl.frontier.contract import Lease
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.records import UnreadableLinks, UnreadableRecordError
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.hosts import OpenHost, SQLiteHosts
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.writing import PIECE, Writing


class HandingOut:
    """Leases the best links to *worker*, and forgets those of hosts whose budget is used up."""

    def __init__(
        self,
        file: FrontierFile,
        writing: Writing,
        hosts: SQLiteHosts,
        links: SQLiteLinks,
        limits: FrontierLimits,
        worker: int,
    ) -> None:
        self._file = file
        self._writing = writing
        self._hosts = hosts
        self._links = links
        self._limits = limits
        self._worker = worker
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
        self._links.lease(taken, expires, self._worker)
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
