"""Entries of the search index in the SQLite file.

All functions are called within a transaction.  The index has no text of its own, so that an entry can
only be deleted with the text that was entered.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.entries import VERSION, entry_of
from topiccrawl.store.sqlite import queries
from topiccrawl.store.sqlite.listing import ENTER
from topiccrawl.store.sqlite.rows import document_value
from topiccrawl.store.values import DAMAGE, TEXT

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from topiccrawl.store.fields import Document
    from topiccrawl.store.stories import Merged

_SELECT_TEXT: Final = (
    f"SELECT headlines.n, headlines.indexed, pages.title, {queries.TEXT_COLUMNS} "
    "FROM pages JOIN headlines ON headlines._id = pages._id WHERE pages._id = ?"
)
_SELECT_WAITING: Final = "SELECT _id FROM headlines WHERE indexed = 0 ORDER BY n LIMIT ?"
COUNT_WAITING: Final = "SELECT count(*) FROM headlines WHERE indexed = 0"
_INSERT: Final = "INSERT INTO search (rowid, title, body, marks) VALUES (?, ?, ?, ?)"
_DELETE: Final = (
    "INSERT INTO search (search, rowid, title, body, marks) VALUES ('delete', ?, ?, ?, ?)"
)
_SET_INDEXED: Final = "UPDATE headlines SET indexed = ? WHERE n = ?"


def enter(db: sqlite3.Connection, written: Iterable[Merged]) -> None:
    """Enter the pages that are new or have another text; called after their rows were written."""
    for it in written:
        if not it.same:
            document = it.document
            row = db.execute("SELECT n FROM headlines WHERE _id = ?", (document["_id"],)).fetchone()
            if row is not None:
                _insert(db, row[0], document["title"], document["body"])


def renumber(db: sqlite3.Connection, key: str) -> None:
    """Delete the entry of the page *key*, and give it a new number in the index."""
    remove(db, key)
    db.execute("DELETE FROM headlines WHERE _id = ?", (key,))
    db.execute(f"{ENTER} WHERE _id = ?", (key,))


def remove(db: sqlite3.Connection, key: str) -> None:
    """Delete the entry of the stored page *key*, whose text is still the one that was entered."""
    values = db.execute(_SELECT_TEXT, (key,)).fetchone()
    if values is None or values[1] != VERSION:
        # An entry of another version cannot be computed; its number leads nowhere soon.
        return
    found = _readable(values)
    if found is not None:
        db.execute(_DELETE, (values[0], *entry_of(*found)))


def remove_topic(db: sqlite3.Connection, topic: str) -> None:
    """Delete the entries of all pages of *topic*."""
    others = db.execute("SELECT 1 FROM headlines WHERE topic <> ? LIMIT 1", (topic,)).fetchone()
    if others is None:
        db.execute("INSERT INTO search (search) VALUES ('delete-all')")
        return
    keys = db.execute("SELECT _id FROM headlines WHERE topic = ?", (topic,)).fetchall()
    for (key,) in keys:
        remove(db, key)


def enter_waiting(db: sqlite3.Connection, most: int) -> None:
    """Enter at most *most* of the pages that are not in the index."""
    keys = [key for (key,) in db.execute(_SELECT_WAITING, (most,)).fetchall()]
    for key in keys:
        values = db.execute(_SELECT_TEXT, (key,)).fetchone()
        found = None if values is None else _readable(values)
        if found is not None:
            _insert(db, values[0], *found)
        else:
            # Damaged: it would be tried again and again.
            db.execute("UPDATE headlines SET indexed = -1 WHERE _id = ?", (key,))


def _insert(db: sqlite3.Connection, number: int, title: str, body: str) -> None:
    db.execute(_INSERT, (number, *entry_of(title, body)))
    db.execute(_SET_INDEXED, (VERSION, number))


def _readable(values: tuple[Any, ...]) -> tuple[str, str] | None:
    """Return title and body in a row of :data:`_SELECT_TEXT`; ``None`` if it is damaged."""
    _, _, title, body, difference, base_text = values
    row: Document = {"body": body, "difference": difference, "base_text": base_text}
    with suppress(*DAMAGE):
        queries.restore(row)
        return document_value(TEXT, title), document_value(TEXT, row["body"])
    return None
