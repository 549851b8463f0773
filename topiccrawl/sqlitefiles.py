"""What the SQLite files of frontier, store and stored webs have in common."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from topiccrawl.language import _, listed

#: Pause between two attempts to switch to the write-ahead log: about the time that creating a file takes.
_RETRY_SECONDS: Final = 0.01

#: ``SQLITE_IOERR_SHMSIZE``: the file of the index cannot grow (https://www.sqlite.org/rescode.html).
_NO_ROOM_FOR_INDEX: Final = 4874

#: Ends of the names of the files that SQLite keeps beside a database.
_BESIDE: Final = ("-wal", "-shm")


class Connection(sqlite3.Connection):
    """A connection that reports a damaged schema as SQLite does; pass it to ``connect`` as *factory*.

    The message quotes the file.  Where that is not UTF-8, Python raises UnicodeDecodeError instead of the
    error itself.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute one statement."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            raise _damage(error) from error

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        """Execute one statement with each of the parameters."""
        try:
            return super().executemany(sql, parameters)
        except UnicodeDecodeError as error:
            raise _damage(error) from error

    def executescript(self, sql: str, /) -> sqlite3.Cursor:
        """Execute several statements."""
        try:
            return super().executescript(sql)
        except UnicodeDecodeError as error:
            raise _damage(error) from error


def _damage(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    """Return the error whose message, the object of *error*, could not be read."""
    damage = sqlite3.DatabaseError(error.object.decode("utf-8", "replace"))
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damage


def refusal_reason(path: Path, error: sqlite3.Error) -> str:
    """Return what SQLite says of the database at *path*, and whether the disk is full or access is denied.

    SQLite names neither: a full disk is an I/O error where it makes a file for its index, and what denies
    access is often a log file beside the database that another user made.
    """
    if getattr(error, "sqlite_errorcode", None) == _NO_ROOM_FOR_INDEX:
        return _("No space left on device")
    beside = (path.with_name(path.name + end) for end in _BESIDE)
    present = [each for each in (path.parent, path, *beside) if each.exists()]
    if unreadable := [str(each) for each in present if not os.access(each, os.R_OK)]:
        reason = _("{error}; no permission to read {files}")
        return reason.format(error=error, files=listed(unreadable))
    if denied := [str(each) for each in present if not os.access(each, os.W_OK)]:
        reason = _("{error}; no permission to write {files}")
        return reason.format(error=error, files=listed(denied))
    return str(error)


def file_id(path: Path) -> tuple[int, int] | None:
    """Return what distinguishes the file at *path* from all others; ``None`` if there is none.

    SQLite goes on writing to a file that was deleted or moved away, where nobody will look for it.
    """
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
