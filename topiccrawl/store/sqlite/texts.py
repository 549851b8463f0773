"""Texts of copies in the SQLite file; see :mod:`topiccrawl.store.texts`.

A page with a row in ``packed`` has an empty body.  All functions are called within a transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.store.sqlite import queries
from topiccrawl.store.texts import difference, text_key

if TYPE_CHECKING:
    import sqlite3

_SELECT_TEXT: Final = (
    f"SELECT {queries.TEXT_COLUMNS}, (SELECT base FROM packed WHERE packed._id = pages._id) AS base "
    "FROM pages WHERE _id = ?"
)
_EMPTY_BODY: Final = "UPDATE pages SET body = '' WHERE _id = ?"
_INSERT_PACKED: Final = "INSERT INTO packed (_id, base, difference) VALUES (?, ?, ?)"
_INSERT_TEXT: Final = "INSERT OR IGNORE INTO texts (key, text) VALUES (?, ?)"
_DELETE_PACKED: Final = "DELETE FROM packed WHERE _id = ? RETURNING base"
_DELETE_TEXT: Final = (
    "DELETE FROM texts WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM packed WHERE base = ?1)"
)


def pack(db: sqlite3.Connection, topic: str, key: str, original: str) -> None:
    """Store the text of the page *key* as its difference to that of the page *original*.

    Nothing changes where that takes more room, where the text is packed already, or where the original
    is not stored.
    """
    page = db.execute(_SELECT_TEXT, (key,)).fetchone()
    other = db.execute(_SELECT_TEXT, (original,)).fetchone()
    if page is None or other is None or key == original:
        return
    text, base, base_key = page[0], other[0], None
    if not base:
        # No chains: the original's own base is the base of both.
        _, _, base, base_key = other
    if not (isinstance(text, str) and isinstance(base, str)):
        return
    found = difference(text, base)
    if found is None:
        return
    if base_key is None:
        base_key = text_key(topic, base)
        db.execute(_INSERT_TEXT, (base_key, base))
        _replace(db, original, base_key, b"")
    _replace(db, key, base_key, found)


def unpack(db: sqlite3.Connection, key: str) -> None:
    """Delete the packed text of the page *key*, and its base if no other page needs it."""
    for (base,) in db.execute(_DELETE_PACKED, (key,)).fetchall():
        db.execute(_DELETE_TEXT, (base,))


def _replace(db: sqlite3.Connection, key: str, base: bytes, found: bytes) -> None:
    db.execute(_INSERT_PACKED, (key, base, found))
    db.execute(_EMPTY_BODY, (key,))
