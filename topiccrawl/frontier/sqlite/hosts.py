"""Hosts of the SQLite frontier: the best link of each, and whether it may be contacted now.

``hosts.best_score, best_ord`` repeat the best queued link, so that a pop walks hosts from the best one
down and reads only the link that it takes.  ``shut`` keeps hosts that wait for ``ready_at`` out of that
walk: a pop takes as many steps as there are busy hosts with better links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite.codec import as_bytes, as_text
from topiccrawl.frontier.sqlite.file import FrontierFile

#: Host names whose numbers are cached; the cache is cleared when there are more.
_NAMES: Final = 20_000

#: The best queued link of a host, as last noted and as it is.
_HEADS: Final = """SELECT best_score, best_ord, score, ord
    FROM hosts LEFT JOIN waiting ON host = n AND ord = (
        SELECT ord FROM waiting INDEXED BY best
        WHERE host = n AND until IS NULL ORDER BY score DESC, ord LIMIT 1)
    WHERE n = ?"""
#: Hosts by their best link; read from the index alone, so that skipping a host is cheap.
_WALK: Final = """SELECT n, best_ord FROM hosts INDEXED BY heads
    WHERE best_ord IS NOT NULL AND shut = 0 ORDER BY best_score DESC, best_ord"""
_CONTACT: Final = "SELECT name, ready_at, transfers, delay, started, extra FROM hosts WHERE n = ?"


@dataclass(frozen=True, slots=True)
class OpenHost:
    """The host whose best link is the one to hand out."""

    n: int
    name: str
    best: int
    """``ord`` of its best link."""
    ready_at: float
    delay: float | None
    budget_left: float
    """Further links that may be handed out for the first time; infinite without a budget."""


class SQLiteHosts:
    """Reads and writes the table ``hosts``, always inside a transaction of the frontier."""

    def __init__(self, file: FrontierFile, limits: FrontierLimits) -> None:
        self._file = file
        self._limits = limits
        self._numbers: dict[str, int] = {}
        self._changed: set[int] = set()

    def number(self, name: str) -> int:
        """Return the number of a host; give it one if it has none."""
        n = self.find(name)
        if n is None:
            n = self._file.row(
                "INSERT INTO hosts (name) VALUES (?) RETURNING n", (as_bytes(name),)
            )[0]
            self._numbers[name] = n
        return n

    def find(self, name: str) -> int | None:
        """Return the number of a host, ``None`` if it has none."""
        n = self._numbers.get(name)
        if n is None:
            found = self._file.row("SELECT n FROM hosts WHERE name = ?", (as_bytes(name),))
            if found is None:
                return None
            if len(self._numbers) >= _NAMES:
                self._numbers.clear()
            n = self._numbers[name] = found[0]
        return n

    def name(self, n: int) -> str:
        """Return the name of a host."""
        return as_text(self._file.row("SELECT name FROM hosts WHERE n = ?", (n,))[0])

    def changed(self, n: int) -> None:
        """Record that the queue of this host changed: :meth:`settle` will look for its best link."""
        self._changed.add(n)

    def settle(self) -> int:
        """Update the best links; return by how much the number of hosts with queued links grew."""
        grown, execute = 0, self._file.execute
        for n in self._changed:
            *old, score, ord = execute(_HEADS, (n,)).fetchone()
            new = [score, ord]
            if new != old:
                execute("UPDATE hosts SET best_score = ?, best_ord = ? WHERE n = ?", (*new, n))
                grown += (new[1] is not None) - (old[1] is not None)
        self._changed.clear()
        return grown

    def rolled_back(self) -> None:
        """Discard what this transaction wrote; the host numbers it assigned are void."""
        self._numbers.clear()
        self._changed.clear()

    # -- contact -------------------------------------------------------------------------------

    def best_open(self, busy: Collection[str], now: float) -> OpenHost | None:
        """Return the host with the best link among those that are open and not in *busy*."""
        execute = self._file.execute
        execute(
            "UPDATE hosts INDEXED BY moments SET shut = 0 WHERE best_ord IS NOT NULL AND shut = 1 AND ready_at <= ?",
            (now,),
        )
        numbers = self._numbers
        avoided = {numbers.get(name) or self.find(name) for name in busy}
        walk = execute(_WALK)
        try:
            for n, best in walk:
                if n in avoided:
                    continue
                name, ready_at, transfers, delay, started, extra = self._file.row(_CONTACT, (n,))
                # Compared once more: another worker's clock may be ahead of ours.
                if ready_at > now or self._full(name, transfers):
                    continue
                budget = self._limits.host_budget
                left = budget + extra - started if budget else float("inf")
                return OpenHost(n, as_text(name), best, ready_at, delay, left)
        finally:
            walk.close()
        return None

    def begin_transfer(self, host: OpenHost, now: float, *, first: bool) -> None:
        """Count a link of *host* that is handed out, for the *first* time or again."""
        delay = self._limits.host_delay if host.delay is None else host.delay
        ready_at = max(host.ready_at, now + delay)
        self._file.execute(
            "UPDATE hosts SET transfers = transfers + 1, started = started + ?, ready_at = ?, "
            "shut = ? WHERE n = ?",
            (first, ready_at, ready_at > now, host.n),
        )

    def end_transfers(self, hosts: Iterable[int]) -> None:
        """End one transfer for each occurrence of a host."""
        self._file.executemany(
            "UPDATE hosts SET transfers = max(transfers - 1, 0) WHERE n = ?", [(n,) for n in hosts]
        )

    def end_transfer(self, n: int, ready_at: float, delay: float | None) -> None:
        """End one transfer of a host, :meth:`hold` it, and set its delay if that is given."""
        self._file.execute(
            "UPDATE hosts SET transfers = max(transfers - 1, 0), ready_at = max(ready_at, ?1), "
            "shut = iif(ready_at < ?1, 1, shut), delay = coalesce(?2, delay) WHERE n = ?3",
            (ready_at, delay, n),
        )

    def hold(self, n: int, until: float) -> None:
        """Move ``ready_at`` of a host on to *until*, never back."""
        self._file.execute(
            "UPDATE hosts SET ready_at = ?, shut = 1 WHERE n = ? AND ready_at < ?",
            (until, n, until),
        )

    def next_ready(self, now: float) -> float | None:
        """Return the earliest ``ready_at`` after *now* of a host with queued links."""
        moments = [
            self._file.row(
                "SELECT min(ready_at) FROM hosts INDEXED BY moments "
                "WHERE best_ord IS NOT NULL AND shut = ? AND ready_at > ?",
                (shut, now),
            )[0]
            for shut in (0, 1)
        ]
        return min((moment for moment in moments if moment is not None), default=None)

    # -- budgets -------------------------------------------------------------------------------

    def extend_budget(self, n: int, links: int) -> None:
        """Add to the budget of a host."""
        self._file.execute("UPDATE hosts SET extra = extra + ? WHERE n = ?", (links, n))

    def used_up(self, n: int) -> bool:
        """Return whether as many different links of a host were handed out as its budget allows."""
        budget = self._limits.host_budget
        if not budget:
            return False
        started, extra = self._file.row("SELECT started, extra FROM hosts WHERE n = ?", (n,))
        return bool(started >= budget + extra)

    def _full(self, name: bytes, transfers: int) -> bool:
        limits = self._limits
        most = limits.host_concurrency
        if limits.host_concurrencies:
            most = limits.concurrency(as_text(name))
        return 0 < most <= transfers
