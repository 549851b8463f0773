"""Leases of an SQLite frontier that return to the queue without an outcome."""

from __future__ import annotations

from dataclasses import replace

from topiccrawl.frontier.contract import return_delay
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.openlink import RowKey
from topiccrawl.frontier.sqlite.schema import BACK
from topiccrawl.frontier.sqlite.views import SQLiteViews
from topiccrawl.frontier.sqlite.workers import SQLiteWorkers
from topiccrawl.frontier.sqlite.writing import PIECE, Writing


class Returning:
    """Returns leases that expired, those of dead workers, and those of a worker that leaves."""

    def __init__(
        self,
        file: FrontierFile,
        writing: Writing,
        links: SQLiteLinks,
        views: SQLiteViews,
        workers: SQLiteWorkers,
        limits: FrontierLimits,
    ) -> None:
        self._file = file
        self._writing = writing
        self._links = links
        self._views = views
        self._workers = workers
        self._limits = limits

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
