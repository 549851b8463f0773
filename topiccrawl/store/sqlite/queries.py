"""Statements of the SQLite store, and how a document is spread over the columns of its table."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.records import OUTCOMES, PAGES, RECORD_TYPES, RUNS
from topiccrawl.store.sqlite.rows import cell, document_value
from topiccrawl.store.sqlite.tables import TOKENS, columns_of
from topiccrawl.store.texts import restored
from topiccrawl.store.values import codec_for

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageOrder
    from topiccrawl.store.fields import Document, RecordType

_BASE: Final = codec_for(str | None)
_TIME: Final = codec_for(datetime | None)
_ORDERS: Final[dict[PageOrder, str]] = {
    "fetched": "fetched_at, _id",
    "relevance": "relevance DESC, fetched_at, _id",
    # NULL is the smallest value in SQLite: undated pages come last here.
    "published": "published_at DESC, fetched_at, _id",
}


def upsert(type_: RecordType[Any]) -> str:
    """Return the statement that writes one row of *type_*, replacing the row of the same key.

    An outcome ``queued`` replaces only another ``queued``.
    """
    keys = _keys(type_)
    changed = ", ".join(f"{key} = excluded.{key}" for key in keys if key != "_id")
    rule = " WHERE excluded.verdict <> 'queued' OR outcomes.verdict = 'queued'"
    return (
        f"INSERT INTO {type_.name} ({', '.join(keys)}) VALUES ({', '.join('?' * len(keys))}) "
        f"ON CONFLICT (_id) DO UPDATE SET {changed}{rule if type_ is OUTCOMES else ''}"
    )


def row(type_: RecordType[Any], document: Document) -> list[Any]:
    """Return the values of *document* in the order of the columns."""
    cells = [cell(field.codec, document[field.key]) for field in columns_of(type_)]
    return [document["_id"], *cells]


def visited_row(visit: Document) -> list[Any]:
    """Return the values for :data:`SET_VISITED`."""
    return [visit["_id"], *(cell(_TIME, visit[name]) for name in ("changed_at", "gone_at"))]


def document(type_: RecordType[Any], row: dict[str, Any]) -> Document:
    """Return the document in a *row*, values by column."""
    found = dict(row)
    for field in type_.fields:
        if field.key in found:
            found[field.key] = document_value(field.codec, found[field.key])
    return found


def restore(row: dict[str, Any]) -> None:
    """Set the body in a *row* with the columns of a text, by name, to the whole text.

    Raises ``ValueError`` if what the text consists of is missing or damaged; the body stays empty.
    """
    found, base = row.pop("difference"), row.pop("base_text")
    if found is not None:
        if not isinstance(found, bytes):
            raise ValueError("the text of a copy is damaged")
        row["body"] = restored(found, document_value(_BASE, base))


def select_pages(
    order: PageOrder, *, with_html: bool, withdrawn: bool, copies: bool, since: bool = False
) -> str:
    """Return the query for (topic, limit) that reads whole pages in *order*; limit -1 means all.

    It reads the kept pages, without *copies* or with them, or those that were *withdrawn*; with
    *since*, of those the ones that are new, changed or gone since the third value.
    """
    if order not in _ORDERS:
        raise ValueError(f"order must be one of {', '.join(_ORDERS)}; got {order!r}")
    html = _HTML if with_html else "NULL"
    wanted = "NOT NULL" if withdrawn else "NULL" if copies else "NULL AND +copy_of = ''"
    return (
        f"SELECT {PAGE_COLUMNS}, {html} AS html FROM pages "
        f"WHERE topic = ?1 AND +withdrawn_at IS {wanted} "
        f"{f'AND _id IN ({_SINCE}) ' if since else ''}"
        f"ORDER BY {_ORDERS[order]} LIMIT ?2"
    )


def _keys(type_: RecordType[Any]) -> list[str]:
    return ["_id", *(field.key for field in columns_of(type_))]


def columns(type_: RecordType[Any]) -> str:
    """Return the columns of the table of *type_*, for a statement."""
    return ", ".join(_keys(type_))


#: Each part is read from an index of its own.
_SINCE: Final = " UNION ".join(
    f"SELECT _id FROM pages WHERE topic = ?1 AND {moment} >= ?3"
    for moment in ("ifnull(first_seen, fetched_at)", "changed_at", "gone_at")
)
_HTML: Final = "(SELECT html FROM html WHERE html._id = pages._id)"

#: The text of a page in two columns more: see :func:`restore`.
TEXT_COLUMNS: Final = (
    "body, CASE body WHEN '' THEN "
    "(SELECT difference FROM packed WHERE packed._id = pages._id) END AS difference, "
    "CASE body WHEN '' THEN (SELECT text FROM packed JOIN texts ON texts.key = packed.base "
    "WHERE packed._id = pages._id) END AS base_text"
)
SELECT_TEXT: Final = f"SELECT {TEXT_COLUMNS} FROM pages WHERE _id = ?"
#: Columns of a page without its HTML.
PAGE_COLUMNS: Final = ", ".join([*(it for it in _keys(PAGES) if it != "body"), TEXT_COLUMNS])
SELECT_PAGE: Final = f"SELECT {PAGE_COLUMNS}, {_HTML} AS html FROM pages WHERE _id = ?"
SELECT_PAGES_AT: Final = (
    f"SELECT {PAGE_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN pages "
    "ON pages._id = wanted.value WHERE pages.withdrawn_at IS NULL"
)
SELECT_OUTCOME: Final = f"SELECT {columns(OUTCOMES)} FROM outcomes WHERE _id = ?"
SELECT_OUTCOMES: Final = (
    f"SELECT {columns(OUTCOMES)} FROM outcomes "
    "WHERE topic = ?1 AND (?2 IS NULL OR run_id = ?2) ORDER BY at, sequence, _id"
)
SELECT_RUNS: Final = f"SELECT {columns(RUNS)} FROM runs WHERE topic = ? ORDER BY started_at, _id"
SELECT_TITLES: Final = (
    "SELECT url, title FROM pages WHERE topic = ? AND +withdrawn_at IS NULL AND +copy_of = '' "
    "ORDER BY fetched_at, _id"
)
SELECT_TOPICS: Final = (
    "SELECT topic, sum(kept) FROM "
    "(SELECT topic, withdrawn_at IS NULL AND copy_of = '' AS kept FROM pages "
    "UNION ALL SELECT DISTINCT topic, 0 FROM runs) GROUP BY topic ORDER BY topic"
)
COUNT_PAGES: Final = (
    "SELECT count(*) FROM pages WHERE topic = ? AND withdrawn_at IS NULL AND copy_of = ''"
)
DELETE_NEAR_MISS: Final = "DELETE FROM near_misses WHERE _id = ?"
#: Query for a topic: the number of copies, then that of the records of each type.
COUNT_RECORDS: Final = (
    "SELECT (SELECT count(*) FROM pages WHERE topic = ?1 AND copy_of <> ''), "
    + (", ".join(f"(SELECT count(*) FROM {type_.name} WHERE topic = ?1)" for type_ in RECORD_TYPES))
)
DELETE_VERSION: Final = "DELETE FROM versions WHERE _id = ?"
#: Statement for (page's id, changed_at, gone_at).  A row that stays as it is is not written.
SET_VISITED: Final = (
    "UPDATE pages SET changed_at = ?2, gone_at = ?3 "
    "WHERE _id = ?1 AND (changed_at IS NOT ?2 OR gone_at IS NOT ?3)"
)
_OF_TOPIC: Final = "(SELECT _id FROM pages WHERE topic = ?)"
#: Deletes all of a topic; first what has no topic of its own.  Rows of tokens whose page got a new number
#: go at this opportunity.
FORGET: Final = (
    f"DELETE FROM html WHERE _id IN {_OF_TOPIC}",
    f"DELETE FROM numbers WHERE _id IN {_OF_TOPIC}",
    *(
        f"DELETE FROM {name} WHERE page NOT IN (SELECT page FROM numbers) AND ? IS NOT NULL"
        for name in TOKENS
    ),
    f"DELETE FROM packed WHERE _id IN {_OF_TOPIC}",
    "DELETE FROM texts WHERE key NOT IN (SELECT base FROM packed) AND ? IS NOT NULL",
    "DELETE FROM settling WHERE topic = ?",
    *(f"DELETE FROM {type_.name} WHERE topic = ?" for type_ in RECORD_TYPES),
)
UPSERT_HTML: Final = "INSERT OR REPLACE INTO html (_id, html) VALUES (?, ?)"
DELETE_HTML: Final = "DELETE FROM html WHERE _id = ?"
