"""Tables of the SQLite store, derived from the declared fields, and the steps between formats.

The HTML has a table of its own, so that a list of pages never reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from topiccrawl.store.fields import RecordType, StoredField
from topiccrawl.store.records import FORMAT, RECORD_TYPES
from topiccrawl.store.sqlite.listing import INDEXES_OF_7, TABLES_OF_7, UPGRADE_TO_7, VIEWS_OF_7
from topiccrawl.store.sqlite.rows import cell, column_type

#: Marks the file as ours (``PRAGMA application_id``): "tpcr" in ASCII.
APPLICATION_ID: Final = 0x74706372

#: Oldest format that can be upgraded.
FIRST_FORMAT: Final = 1

#: Tables of the tokens, from the newest pages to the oldest.  A token can be anywhere in a large table, so
#: that writing a page with 40 of them rewrites 40 pages of the file; rows enter by a small table and
#: move on many at a time, in order.
TOKENS: Final = ("tokens_new", "tokens_recent", "tokens")

#: Side tables of the copies, in files since format 4.
#: ``numbers`` has a short number for each page with tokens, which gets a new one with each new set of
#: tokens, so that the rows of older sets lead nowhere.  ``packed`` has the texts of copies, and of the
#: pages of which they are copies, as differences to a text in ``texts``; the column ``body`` is empty then.
#: ``settling`` has the process that may change the stories of a topic now.
_TABLES_OF_4: Final = (
    "CREATE TABLE numbers (page INTEGER PRIMARY KEY AUTOINCREMENT, _id TEXT NOT NULL UNIQUE)",
    *(
        f"CREATE TABLE {name} (token INTEGER, page INTEGER, PRIMARY KEY (token, page)) WITHOUT ROWID"
        for name in TOKENS
    ),
    "CREATE TABLE packed (_id TEXT PRIMARY KEY, base BLOB NOT NULL, difference BLOB NOT NULL)",
    "CREATE TABLE texts (key BLOB PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE TABLE settling (topic TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL)",
)
#: What stands for these tables where an older file is read.
_VIEWS_OF_4: Final = (
    "CREATE TEMP VIEW numbers AS SELECT NULL AS page, NULL AS _id WHERE 0",
    *(f"CREATE TEMP VIEW {name} AS SELECT NULL AS token, NULL AS page WHERE 0" for name in TOKENS),
    "CREATE TEMP VIEW packed AS SELECT NULL AS _id, NULL AS base, NULL AS difference WHERE 0",
    "CREATE TEMP VIEW texts AS SELECT NULL AS key, NULL AS text WHERE 0",
)

#: Index for near misses, in files since format 2.
_INDEX_OF_2: Final = (
    "CREATE INDEX near_misses_probability ON near_misses (topic, probability DESC, _id, url)"
)
#: Indexes in files since format 4.  The first one covers counts and standings, so that neither reads the
#: pages themselves, the second the members of stories.
_INDEXES_OF_4: Final = (
    "CREATE INDEX pages_standing ON pages (topic, withdrawn_at, copy_of, url, probability)",
    "CREATE INDEX pages_story ON pages (topic, story, fetched_at, _id, copy_of, withdrawn_at) "
    "WHERE withdrawn_at IS NULL AND story <> ''",
    "CREATE INDEX pages_compared ON pages (topic, compared, fetched_at, _id, withdrawn_at) "
    "WHERE withdrawn_at IS NULL",
    "CREATE INDEX packed_base ON packed (base)",
)

#: Index for the documents of a page, in files since format 5.
_INDEX_OF_5: Final = (
    "CREATE INDEX pages_attached ON pages (topic, attached_to, url) WHERE attached_to <> ''"
)

#: Indexes for visits and versions, in files since format 6.
_INDEXES_OF_6: Final = (
    "CREATE INDEX visits_topic ON visits (topic, _id)",
    "CREATE INDEX versions_page ON versions (topic, url, replaced_at)",
    "CREATE INDEX versions_time ON versions (topic, replaced_at, url)",
    # Pages of older formats have no first_seen: it is fetched_at.
    "CREATE INDEX pages_first_seen ON pages (topic, ifnull(first_seen, fetched_at))",
    "CREATE INDEX pages_changed ON pages (topic, changed_at) WHERE changed_at IS NOT NULL",
    "CREATE INDEX pages_gone ON pages (topic, gone_at) WHERE gone_at IS NOT NULL",
)

#: Statements of an upgrade step besides new columns and tables, by the format that the step leads to.
UPGRADES: Final[Mapping[int, Sequence[str]]] = {
    2: ("CREATE INDEX pages_standing ON pages (topic, withdrawn_at)", _INDEX_OF_2),
    4: (
        "DROP INDEX pages_standing",
        *_TABLES_OF_4,
        *_INDEXES_OF_4,
    ),
    5: (_INDEX_OF_5,),
    6: _INDEXES_OF_6,
    7: UPGRADE_TO_7,
}

#: Fields that have tables of their own.
_ELSEWHERE: Final = ("html", "tokens")

_INDEXES: Final = (
    "CREATE UNIQUE INDEX pages_topic_url ON pages (topic, url)",
    "CREATE INDEX pages_fetched ON pages (topic, fetched_at, _id)",
    "CREATE INDEX pages_relevance ON pages (topic, relevance DESC, fetched_at, _id)",
    "CREATE INDEX pages_published ON pages (topic, published_at DESC, fetched_at, _id)",
    "CREATE INDEX outcomes_time ON outcomes (topic, at, sequence, _id)",
    "CREATE INDEX runs_started ON runs (topic, started_at, _id)",
    _INDEX_OF_2,
    *_INDEXES_OF_4,
    _INDEX_OF_5,
    *_INDEXES_OF_6,
    *INDEXES_OF_7,
)


@dataclass(frozen=True)
class Schema:
    """Tables for *types* in format *version*."""

    types: Sequence[RecordType[Any]]
    version: int
    upgrades: Mapping[int, Sequence[str]]

    def supports(self, version: int) -> bool:
        """Return whether a file of format *version* can be read and upgraded."""
        return FIRST_FORMAT <= version <= self.version

    @cached_property
    def create_statements(self) -> list[str]:
        """Statements that make all tables and indexes in an empty file."""
        return [
            *(_create_table(type_, self.version) for type_ in self.types),
            "CREATE TABLE html (_id TEXT PRIMARY KEY, html BLOB NOT NULL)",
            *_TABLES_OF_4,
            *TABLES_OF_7,
            *_INDEXES,
            f"PRAGMA application_id = {APPLICATION_ID}",
            f"PRAGMA user_version = {self.version}",
        ]

    def upgrade_statements(self, found: int) -> list[str]:
        """Return the statements that turn a file of format *found* into one of this format.

        One step for each format in between: the tables and columns that appeared in it, then its own
        statements.  The new columns stand behind the body: SQLite adds columns at the end only, and
        rewrites no row for it.
        """
        statements = []
        for step in range(found + 1, self.version + 1):
            for type_ in self.types:
                if type_.since == step:
                    statements.append(_create_table(type_, step))
                    continue
                statements += [
                    add_column(type_, field)
                    for field in columns_of(type_)
                    if field.declaration.since == step and type_.since < step
                ]
            statements += self.upgrades.get(step, ())
            statements.append(f"PRAGMA user_version = {step}")
        return statements

    def reading_statements(self, found: int, absent: Collection[tuple[str, str]]) -> list[str]:
        """Return the statements that let a file of format *found* be read as one of this format.

        *absent* are further columns that are not there, as (table, column).  Temporary views of one
        connection hide the tables behind their names and show defaults for the missing columns, or
        no row of a missing table; the file stays as it is.
        """
        views = []
        for type_ in self.types:
            columns = columns_of(type_)
            if type_.since > found:
                empty = ", ".join(f"NULL AS {key}" for key in ("_id", *(it.key for it in columns)))
                views.append(f"CREATE TEMP VIEW {type_.name} AS SELECT {empty} WHERE 0")
                continue
            missing = {
                field.key
                for field in columns
                if field.declaration.since > found or (type_.name, field.key) in absent
            }
            if missing:
                shown = [
                    f"{_literal(field)} AS {field.key}" if field.key in missing else field.key
                    for field in columns
                ]
                views.append(
                    f"CREATE TEMP VIEW {type_.name} AS"
                    f" SELECT _id, {', '.join(shown)} FROM main.{type_.name}"
                )
        if found < 4:
            views += _VIEWS_OF_4
        if found < 7:
            views += VIEWS_OF_7
        return ["PRAGMA temp_store = MEMORY", *views] if views else []


def columns_of(type_: RecordType[Any]) -> list[StoredField]:
    """Return the fields of *type_* that are columns of its table: all but HTML and tokens."""
    return [field for field in type_.fields if field.key not in _ELSEWHERE]


def add_column(type_: RecordType[Any], field: StoredField) -> str:
    """Return the statement that adds the column of *field* to the table of *type_*."""
    return (
        f"ALTER TABLE {type_.name} ADD COLUMN {field.key} {column_type(field)}"
        f" DEFAULT {_literal(field)}"
    )


def _create_table(type_: RecordType[Any], version: int) -> str:
    """Return the statement that makes the table of *type_* as it is in format *version*."""
    columns = [
        f"{field.key} {column_type(field)}"
        for field in columns_of(type_)
        if field.declaration.since <= version
    ]
    return f"CREATE TABLE {type_.name} (_id TEXT PRIMARY KEY, {', '.join(columns)})"


def _literal(field: StoredField) -> str:
    """Return the default of *field* as an SQL literal."""
    value = cell(field.codec, field.stored_default)
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


SCHEMA: Final = Schema(RECORD_TYPES, FORMAT, UPGRADES)
