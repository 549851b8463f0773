"""The moments of an SQLite frontier, and how they move when the machine's clock is set back."""

from __future__ import annotations

from topiccrawl.frontier.clock import CLOCK_STEP_SECONDS, LONGEST_WAIT_SECONDS
from topiccrawl.frontier.sqlite.file import FrontierFile

#: The latest time of any worker.  Not among the tables of the format: files without it are as good.
_CREATE = "CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), at REAL)"


class SQLiteMoments:
    """Reads and writes times in all tables; :meth:`prepare` first, then inside transactions."""

    def __init__(self, file: FrontierFile) -> None:
        self._file = file

    def prepare(self) -> None:
        """Create the table of the latest time."""
        self._file.execute(_CREATE)

    def ahead_of(self, now: float) -> float:
        """Return by how much the file is ahead of *now*, 0 unless the clock was set back."""
        row = self._file.row("SELECT at FROM clock")
        ahead = 0.0 if row is None or row[0] is None else float(row[0]) - now
        return ahead if ahead > CLOCK_STEP_SECONDS else 0.0

    def note(self, now: float) -> None:
        """Record the time of a worker."""
        self._file.execute(
            "INSERT INTO clock VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET at = max(at, ?1)",
            (now,),
        )

    def shift(self, by: float, now: float) -> None:
        """Move all moments by *by* seconds; *now* is the new time."""
        execute = self._file.execute
        execute("UPDATE hosts SET ready_at = ready_at + ? WHERE ready_at > -1e300", (by,))
        execute("UPDATE waiting SET until = until + ? WHERE until IS NOT NULL", (by,))
        execute("UPDATE leases SET until = until + ?", (by,))
        execute("UPDATE workers SET beat = beat + ?", (by,))
        execute("UPDATE counts SET leader_at = leader_at + ?", (by,))
        execute("DELETE FROM clock")
        self.note(now)

    def cut(self, now: float) -> None:
        """Let hosts and links be due *now* that would wait for longer than anything may."""
        longest = now + LONGEST_WAIT_SECONDS
        execute = self._file.execute
        execute(
            "UPDATE hosts INDEXED BY moments SET ready_at = ? "
            "WHERE best_ord IS NOT NULL AND shut IN (0, 1) AND ready_at > ?",
            (now, longest),
        )
        execute(
            "UPDATE waiting SET until = ? WHERE until IS NOT NULL AND until > ?", (now, longest)
        )
        execute("UPDATE leases SET until = ? WHERE until > ?", (now, longest))
