"""Workers of an SQLite frontier: registered ones, living ones, and the leader."""

from __future__ import annotations

import math
from collections.abc import Callable

from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.file import FrontierFile


class SQLiteWorkers:
    """This worker, which the constructor registers, among the others on the file.

    A worker is dead when its lock is free, or when it has been silent for *silence* seconds; *clock* is
    that of this worker.
    """

    def __init__(
        self, file: FrontierFile, name: str, clock: Callable[[], float], silence: float
    ) -> None:
        self._file = file
        self._name = name
        self._clock = clock
        self._silence = silence
        self._beaten, self._patient_until = clock(), -math.inf
        with file.transaction():
            # Inside the transaction no other process creates a lock.
            locks.sweep(file.path)
            try:
                self._lock = locks.WorkerLock(file.path)
            except OSError as error:
                file_name = f"{file.path}, its worker's lock cannot be created: {error.strerror}"
                raise OSError(error.errno, file_name) from error
            self.n: int = file.row(
                "INSERT INTO workers (name, token, beat) VALUES (?, ?, ?) RETURNING n",
                (name, self._lock.token, self._beaten),
            )[0]

    def heartbeat(self, now: float) -> None:
        """Record that this worker is alive; register it again if others removed it as dead."""
        here = self._clock()
        if here - self._beaten > self._silence / 2:
            self._patient_until = here + self._silence
        self._beaten = here
        self._file.execute(
            "INSERT INTO workers (n, name, token, beat) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (n) DO UPDATE SET beat = excluded.beat",
            (self.n, self._name, self._lock.token, now),
        )

    def living(self, now: float) -> list[int]:
        """Return the numbers of the living workers, including this one."""
        since = now - self._silence if self._clock() >= self._patient_until else -math.inf
        others = self._file.execute(
            "SELECT n, token FROM workers WHERE beat > ? AND n <> ?", (since, self.n)
        ).fetchall()
        return [self.n, *(n for n, token in others if locks.is_held(self._file.path, token))]

    def remove_dead(self) -> None:
        """Deregister the workers whose locks are free; call it when they hold no leases."""
        others = self._file.execute("SELECT n, token FROM workers WHERE n <> ?", (self.n,))
        free = [(n,) for n, token in others if not locks.is_held(self._file.path, token)]
        if free:
            self._file.executemany("DELETE FROM workers WHERE n = ?", free)
            locks.sweep(self._file.path)

    def try_lead(self, now: float) -> bool:
        """See :meth:`topiccrawl.frontier.contract.Frontier.try_lead`."""
        leader, asked = self._file.row("SELECT leader, leader_at FROM counts")
        if leader not in (None, self.n) and asked + self._silence > now:
            found = self._file.row("SELECT token FROM workers WHERE n = ?", (leader,))
            if found is not None and locks.is_held(self._file.path, found[0]):
                return False
        self._file.execute("UPDATE counts SET leader = ?, leader_at = ?", (self.n, now))
        return True

    def leave(self) -> None:
        """Deregister this worker; :meth:`release` its lock after the transaction."""
        self._file.execute("DELETE FROM workers WHERE n = ?", (self.n,))
        self._file.execute("UPDATE counts SET leader = NULL WHERE leader = ?", (self.n,))

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()
