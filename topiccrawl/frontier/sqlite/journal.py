"""The journal of an SQLite frontier: a table that only grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from topiccrawl.frontier.contract import Journal
from topiccrawl.frontier.sqlite.file import FrontierFile

#: Behind all entries: the largest number of a row.
_END: Final = 2**63 - 1


class SQLiteJournal(Journal):
    """See :class:`topiccrawl.frontier.contract.Journal`.

    Only one transaction writes at a time, so that entries become visible in the order of their
    numbers and none is missed.
    """

    def __init__(self, file: FrontierFile, worker: int) -> None:
        self._file = file
        self._worker = worker
        self._last = 0
        self._own = 0

    def append(self, entries: Sequence[bytes]) -> None:
        if not entries:
            return
        with self._file.transaction():
            self._file.executemany(
                "INSERT INTO journal (worker, entry) VALUES (?, ?)",
                [(self._worker, entry) for entry in entries],
            )
            (newest,) = self._file.row("SELECT max(n) FROM journal")
        self._own = newest - len(entries) + 1

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        with self._file.reading():
            return self._read_before(self._own if before_own else _END, limit)

    def _read_before(self, end: int, limit: int) -> list[bytes]:
        found: list[bytes] = []
        while len(found) < limit:
            most = limit - len(found)
            # The worker's own entries are skipped without reading them.
            rows = self._file.execute(
                "SELECT n, iif(worker = ?, NULL, entry) FROM journal WHERE n > ? AND n < ? "
                "ORDER BY n LIMIT ?",
                (self._worker, self._last, end, most),
            ).fetchall()
            found += [entry for _, entry in rows if entry is not None]
            if rows:
                last = rows[-1][0]
                if not isinstance(last, int) or last <= self._last:
                    raise self._file.damage("its journal is out of order")
                self._last = last
            if len(rows) < most:
                break
        return found
