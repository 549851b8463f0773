"""What the SQLite files of frontier and store have in common."""

from __future__ import annotations

import sqlite3
import time
from typing import Final

#: Pause between two attempts to switch to the write-ahead log: about the time that creating a file takes.
_RETRY_SECONDS: Final = 0.01


def is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether the database has no table yet."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def use_write_ahead_log(connection: sqlite3.Connection, patience: float) -> None:
    """Switch the journal mode, for up to *patience* seconds while others hold the file.

    SQLite does not wait for locks here, regardless of the connection's timeout.
    """
    give_up_at = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            locked = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not locked or time.monotonic() >= give_up_at:
                raise
            time.sleep(_RETRY_SECONDS)
