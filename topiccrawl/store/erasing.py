"""Erase what a file still holds of deleted rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Final

from topiccrawl.store.uri import sqlite_path

#: Seconds to wait for other programs that use the file.
_BUSY_SECONDS: Final = 30.0


def erase_leftovers(uri: str) -> bool:
    """Rewrite the SQLite store at *uri*, so that nothing of deleted pages is left in its file.

    SQLite marks deleted rows as free space, where their text stays until it is overwritten, and the index
    of a full-text search keeps words of deleted rows until its parts are merged.  Takes about a second for
    100 MB and as much free space as the file has.  Returns whether that was done: not for other stores, and
    not while another program writes to the file.
    """
    if not uri.startswith("sqlite:"):
        return False
    with closing(
        sqlite3.connect(sqlite_path(uri), timeout=_BUSY_SECONDS, isolation_level=None)
    ) as db:
        try:
            for (name,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'"
            ).fetchall():
                quoted = name.replace('"', '""')
                db.execute(f'INSERT INTO "{quoted}" ("{quoted}") VALUES (\'optimize\')')
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError:
            return False
    return True
