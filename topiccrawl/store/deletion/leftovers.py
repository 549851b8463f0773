"""Erase what a file still holds of deleted rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from topiccrawl.store.sqlite.file import current_patience
from topiccrawl.store.uri import sqlite_path


def erase_leftovers(uri: str) -> bool:
    """Rewrite the SQLite store at *uri*, so that nothing of deleted pages is left in its file.

    SQLite marks deleted rows as free space, where their text stays until it is overwritten, and the index
    of a full-text search keeps words of deleted rows until its parts are merged.  Takes about a second for
    100 MB and as much free space as the file has.  Returns whether that was done: not for other stores, and
    not while another program uses the file, or the disk is full.
    """
    if not uri.startswith("sqlite:"):
        return False
    with closing(
        sqlite3.connect(sqlite_path(uri), timeout=current_patience(), isolation_level=None)
    ) as db:
        try:
            for (name,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'"
            ).fetchall():
                quoted = name.replace('"', '""')
                db.execute(f'INSERT INTO "{quoted}" ("{quoted}") VALUES (\'optimize\')')
            db.execute("VACUUM")
            # As long as somebody reads an older state, the file keeps it beside the new one.
            (is_read, *_pages) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
    return not is_read
