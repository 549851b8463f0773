"""Tables of the SQLite store, and how a document is spread over them.

Times are integers (milliseconds since 1970 UTC), mappings and lists are JSON text.  The body is the
last column of its table and the HTML has a table of its own: SQLite reads rows from the front, so
that a list of titles never touches the long texts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.documents import from_milliseconds, to_milliseconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.store.contract import PageOrder
    from topiccrawl.store.documents import Document

#: Marks the file as ours (``PRAGMA application_id``): "tpcr" in ASCII.
APPLICATION_ID: Final = 0x74706372

#: Version of the tables (``PRAGMA user_version``); raise it with every change of them.
FORMAT_VERSION: Final = 2

#: Versions that can be read as they are, and that a crawl brings up to date when it opens them.
OLDER_VERSIONS: Final = frozenset({1})

#: Columns of version 2; files of version 1 get them with these defaults.
_ADDED_IN_2: Final = {
    "author": "TEXT NOT NULL DEFAULT ''",
    "source": "TEXT NOT NULL DEFAULT ''",
    "editor": "TEXT NOT NULL DEFAULT ''",
    "kind": "TEXT NOT NULL DEFAULT ''",
    "summary": "TEXT NOT NULL DEFAULT ''",
    "keywords": "TEXT NOT NULL DEFAULT '[]'",
}

_TEXT, _INTEGER, _REAL = "TEXT NOT NULL", "INTEGER NOT NULL", "REAL NOT NULL"

_PAGES: Final = {
    "_id": "TEXT PRIMARY KEY",
    "topic": _TEXT,
    "url": _TEXT,
    "fetched_at": _INTEGER,
    "published_at": "INTEGER",
    "relevance": _REAL,
    "title": _TEXT,
    "final_url": _TEXT,
    "site": _TEXT,
    "charset": _TEXT,
    "language": _TEXT,
    "content_hash": _TEXT,
    "run_id": _TEXT,
    "main_terms": _TEXT,
    "link": _TEXT,
    **_ADDED_IN_2,
    "body": _TEXT,
}
_OUTCOMES: Final = {
    "_id": "TEXT PRIMARY KEY",
    "topic": _TEXT,
    "url": _TEXT,
    "verdict": _TEXT,
    "reason": _TEXT,
    "detail": _TEXT,
    "at": _INTEGER,
    "run_id": _TEXT,
    "sequence": _INTEGER,
    "title": _TEXT,
    "site": _TEXT,
    "relevance": "REAL",
    "threshold": "REAL",
    "main_terms": _TEXT,
    "link": _TEXT,
}
_RUNS: Final = {
    "_id": "TEXT PRIMARY KEY",
    "topic": _TEXT,
    "run_id": _TEXT,
    "started_at": _INTEGER,
    "finished_at": "INTEGER",
    "stop_reason": _TEXT,
    "strategy": _TEXT,
    "seed": _TEXT,
    "stats": _TEXT,
}
_TABLES: Final = {"pages": _PAGES, "outcomes": _OUTCOMES, "runs": _RUNS}

_MOMENTS: Final = frozenset({"fetched_at", "published_at", "at", "started_at", "finished_at"})
_JSON: Final = frozenset({"main_terms", "keywords", "link", "stats"})


def create_statements() -> list[str]:
    """Return the statements that make all tables and indexes in an empty file."""
    tables = [
        f"CREATE TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"
        for table, columns in _TABLES.items()
    ]
    return [
        *tables,
        "CREATE TABLE html (_id TEXT PRIMARY KEY, html BLOB NOT NULL)",
        "CREATE UNIQUE INDEX pages_topic_url ON pages (topic, url)",
        "CREATE INDEX pages_fetched ON pages (topic, fetched_at, _id)",
        "CREATE INDEX pages_relevance ON pages (topic, relevance DESC, fetched_at, _id)",
        "CREATE INDEX pages_published ON pages (topic, published_at DESC, fetched_at, _id)",
        "CREATE INDEX outcomes_time ON outcomes (topic, at, sequence, _id)",
        "CREATE INDEX runs_started ON runs (topic, started_at, _id)",
        f"PRAGMA application_id = {APPLICATION_ID}",
        f"PRAGMA user_version = {FORMAT_VERSION}",
    ]


def upgrade_statements() -> list[str]:
    """Return the statements that make a file of version 1 one of today.

    The new columns stand behind the body there: SQLite adds columns at the end only, and rewrites
    no row for it.
    """
    return [
        *(f"ALTER TABLE pages ADD COLUMN {name} {kind}" for name, kind in _ADDED_IN_2.items()),
        f"PRAGMA user_version = {FORMAT_VERSION}",
    ]


def older_pages_view() -> str:
    """Return the statement that lets a file of version 1 be read as one of today.

    A view of one connection alone hides the table behind its name; the file stays as it is.
    """
    columns = [
        f"{kind.rpartition(' ')[2]} AS {name}" if name in _ADDED_IN_2 else name
        for name, kind in _PAGES.items()
    ]
    return f"CREATE TEMP VIEW pages AS SELECT {', '.join(columns)} FROM main.pages"


def upsert(table: str) -> str:
    """Return the statement that writes one row of *table*, replacing the row of the same key.

    An outcome ``queued`` replaces nothing but another ``queued``.
    """
    columns = _TABLES[table]
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "_id")
    rule = " WHERE excluded.verdict <> 'queued' OR outcomes.verdict = 'queued'"
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
        f"ON CONFLICT (_id) DO UPDATE SET {changed}{rule if table == 'outcomes' else ''}"
    )


def row(table: str, document: Document) -> list[Any]:
    """Return the values of *document* in the order of the columns of *table*."""
    values = []
    for name in _TABLES[table]:
        value = document[name]
        if value is not None and name in _MOMENTS:
            value = to_milliseconds(value)
        elif name in _JSON:
            value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        values.append(value)
    return values


def document(names: Iterable[str], values: Sequence[Any]) -> Document:
    """Return the document that a row of *values* under column *names* holds."""
    found = dict(zip(names, values, strict=True))
    for name in found.keys() & _MOMENTS:
        if found[name] is not None:
            found[name] = from_milliseconds(found[name])
    for name in found.keys() & _JSON:
        found[name] = json.loads(found[name])
    return found


_ORDERS: Final[dict[PageOrder, str]] = {
    "fetched": "fetched_at, _id",
    "relevance": "relevance DESC, fetched_at, _id",
    # NULL is the smallest value in SQLite: undated pages come last here.
    "published": "published_at DESC, fetched_at, _id",
}


def select_pages(order: PageOrder, *, with_html: bool) -> str:
    """Return the query for (topic, limit) that reads whole pages in *order*; limit -1 means all."""
    if order not in _ORDERS:
        raise ValueError(f"order must be one of {', '.join(_ORDERS)}; got {order!r}")
    html = "(SELECT html FROM html WHERE html._id = pages._id)" if with_html else "NULL"
    return (
        f"SELECT {', '.join(_PAGES)}, {html} AS html FROM pages "
        f"WHERE topic = ? ORDER BY {_ORDERS[order]} LIMIT ?"
    )


SELECT_PAGE: Final = (
    f"SELECT {', '.join(_PAGES)}, (SELECT html FROM html WHERE html._id = pages._id) AS html "
    "FROM pages WHERE _id = ?"
)
SELECT_OUTCOME: Final = f"SELECT {', '.join(_OUTCOMES)} FROM outcomes WHERE _id = ?"
SELECT_OUTCOMES: Final = (
    f"SELECT {', '.join(_OUTCOMES)} FROM outcomes "
    "WHERE topic = ?1 AND (?2 IS NULL OR run_id = ?2) ORDER BY at, sequence, _id"
)
SELECT_RUNS: Final = f"SELECT {', '.join(_RUNS)} FROM runs WHERE topic = ? ORDER BY started_at, _id"
SELECT_TOPICS: Final = (
    "SELECT topic, count(_id) FROM (SELECT topic, _id FROM pages "
    "UNION ALL SELECT DISTINCT topic, NULL FROM runs) GROUP BY topic ORDER BY topic"
)
