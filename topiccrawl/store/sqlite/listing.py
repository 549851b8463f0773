"""Tables of headlines and of the search index, in files since format 7.

``headlines`` has the short fields of every page in a table of its own, so that lists, counts and facets
never read the pages.  Triggers keep it, whoever writes a page.  ``n`` is the page's number in the index
``search``; a page gets a new one with each new text, so that entries of an older text lead nowhere.
``indexed`` is the version of the entry, 0 for a page that is not in the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from topiccrawl.store.headlines import HEADLINE_FIELDS
from topiccrawl.store.records import PAGES
from topiccrawl.store.sqlite.rows import column_type

#: Columns of ``headlines`` that are columns of ``pages``.
COLUMNS: Final = ("_id", *HEADLINE_FIELDS)

_FIELDS: Final = [it for it in PAGES.fields if it.key in HEADLINE_FIELDS]

#: Milliseconds since 1970 UTC, in SQL.
_NOW: Final = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

_LIST: Final = ", ".join(COLUMNS)
_NEW: Final = ", ".join(f"new.{it}" for it in COLUMNS)
_SET: Final = ", ".join(f"{it} = new.{it}" for it in COLUMNS if it != "_id")

#: Enters pages in ``headlines``; a condition follows.
ENTER: Final = f"INSERT INTO headlines ({_LIST}, touched) SELECT {_LIST}, {_NOW} FROM pages"

TABLES_OF_7: Final = (
    "CREATE TABLE headlines (n INTEGER PRIMARY KEY AUTOINCREMENT, _id TEXT NOT NULL UNIQUE, "
    + ", ".join(f"{it.key} {column_type(it)}" for it in _FIELDS)
    + ", touched INTEGER NOT NULL, indexed INTEGER NOT NULL DEFAULT 0)",
    # The text itself is in ``pages``; the index keeps only where its characters are.
    "CREATE VIRTUAL TABLE search USING fts5(title, body, marks, content = '', tokenize = 'ascii')",
)
INDEXES_OF_7: Final = (
    "CREATE INDEX desk_key ON desk (topic, kind, key)",
    "CREATE INDEX headlines_touched ON headlines (topic, touched)",
    "CREATE INDEX headlines_unindexed ON headlines (n) WHERE indexed = 0",
    f"CREATE TRIGGER pages_listed AFTER INSERT ON pages BEGIN "
    f"INSERT INTO headlines ({_LIST}, touched) VALUES ({_NEW}, {_NOW}); END",
    f"CREATE TRIGGER pages_relisted AFTER UPDATE ON pages BEGIN "
    f"UPDATE headlines SET {_SET}, touched = {_NOW} WHERE _id = new._id; END",
    "CREATE TRIGGER pages_unlisted AFTER DELETE ON pages BEGIN "
    "DELETE FROM headlines WHERE _id = old._id; END",
)

#: Statements of the step from format 6.
UPGRADE_TO_7: Final[Sequence[str]] = (*TABLES_OF_7, ENTER, *INDEXES_OF_7)

#: What stands for the tables where an older file is read; there is nothing in the place of ``search``.
VIEWS_OF_7: Final = (
    f"CREATE TEMP VIEW headlines AS SELECT rowid AS n, {_LIST}, fetched_at AS touched, 0 AS indexed "
    "FROM pages",
)
