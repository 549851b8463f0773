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
    """Store the text of the stored page *key* as its difference to that of the page *original*."""
    row = db.execute(_SELECT_TEXT, (key,)).fetchone()
    if row is not None and pack_text(db, topic, row[0], key, original):
        db.execute(_EMPTY_BODY, (key,))


def pack_text(db: sqlite3.Connection, topic: str, text: object, key: str, original: str) -> bool:
    """Store *text*, of the page *key*, as its difference to that of the page *original*.

    Returns whether it did: not where that takes more room, where there is nothing to pack, or where the
    original is not stored.
    """
    if key == original or not text:
        return False
    # It may have become the original of another page in this very transaction.
    unpack(db, key)
    other = db.execute(_SELECT_TEXT, (original,)).fetchone()
    if other is None:
        return False
    base, _, own_base, base_key = other
    if not base:
        # No chains: the original's own base is the base of both.
        base = own_base
    if not (isinstance(text, str) and isinstance(base, str)):
        return False
    found = difference(text, base)
    if found is None:
        return False
    if base_key is None:
        base_key = text_key(topic, base)
        db.execute(_INSERT_TEXT, (base_key, base))
        db.execute(_INSERT_PACKED, (original, base_key, b""))
        db.execute(_EMPTY_BODY, (original,))
    db.execute(_INSERT_PACKED, (key, base_key, found))
    return True


def unpack(db: sqlite3.Connection, key: str) -> None:
    """Delete the packed text of the page *key*, and its base if no other page needs it."""
    for (base,) in db.execute(_DELETE_PACKED, (key,)).fetchall():
        db.execute(_DELETE_TEXT, (base,))
