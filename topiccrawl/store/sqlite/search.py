"""Search in the SQLite file: the index of single characters, and the conditions on headlines."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.search import (
    FACETS,
    Hit,
    SearchQuery,
    SearchResult,
    field_matches,
    highlighted,
    marked,
    most_frequent,
    phrases_of,
    snippet,
)
from topiccrawl.store.sqlite import indexing, queries
from topiccrawl.store.sqlite.connections import SQLiteConnections
from topiccrawl.store.sqlite.desk import HEADLINE_COLUMNS, headline_reader
from topiccrawl.store.values import DAMAGE, storable, to_milliseconds
from topiccrawl.text.folding import spaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from topiccrawl.store.fields import Document
    from topiccrawl.text.searching import FieldFilter, SearchTerm

#: Weights of title, body and marks in the ranking.  A guess: a title has the subject in ten words.
_WEIGHTS: Final = "10.0, 1.0, 0.0"

#: Hits up to which they are ranked by BM25.  What more pages have has no weight in BM25 anyway; hits in
#: the title come first then, and of them the newest.
_MOST_RANKED: Final = 20_000

_MOMENT: Final = (
    "ifnull(headlines.published_at, ifnull(headlines.first_seen, headlines.fetched_at))"
)
_YEAR: Final = f"strftime('%Y', {_MOMENT} / 1000, 'unixepoch')"
_SELECT_BODY: Final = f"SELECT {queries.TEXT_COLUMNS} FROM pages WHERE _id = ?"
_HAS_INDEX: Final = "SELECT 1 FROM main.sqlite_master WHERE name = 'search'"


class SQLiteSearch(SQLiteConnections):
    """The part of the store that searches."""

    async def search(self, topics: Sequence[str], query: SearchQuery) -> SearchResult:
        """Return the pages of *topics* that *query* finds."""
        given = [storable(topic) for topic in dict.fromkeys(topics)]
        return await self._read(lambda db: _Search(db, given, query).result())

    async def index(self, most: int = 500) -> int:
        """Enter at most *most* pages of an older format in the index; return how many are left."""
        left = 0

        def enter(db: sqlite3.Connection) -> None:
            nonlocal left
            indexing.enter_waiting(db, most)
            (left,) = db.execute(indexing.COUNT_WAITING).fetchone()

        await self._call(self._writing_thread(), lambda: self._transaction(enter))
        return left

    async def unindexed(self) -> int:
        """Return how many pages of all topics are not in the index."""
        (number,) = await self._read(lambda db: db.execute(indexing.COUNT_WAITING).fetchone())
        return int(number)


class _Search:
    """One query over one connection."""

    def __init__(self, db: sqlite3.Connection, topics: Sequence[str], query: SearchQuery) -> None:
        self._db = db
        self._query = query
        self._values: list[Any] = []
        self._conditions = ["headlines.withdrawn_at IS NULL"]
        self._indexed = db.execute(_HAS_INDEX).fetchone() is not None
        self._match = _match([it for it in query.terms if not it.negated], " AND ")
        self._register()
        for term in query.terms:
            without = _match([term], " OR ") if term.negated else ""
            if without:
                self._conditions.append(
                    "headlines.n NOT IN (SELECT rowid FROM search WHERE search MATCH ?)"
                )
                self._values.append(without)
        if topics:
            self._among("headlines.topic", topics)
        if not query.copies:
            self._conditions.append("headlines.copy_of = ''")
        if query.since is not None:
            self._conditions.append(f"{_MOMENT} >= ?")
            self._values.append(to_milliseconds(query.since))
        if query.until is not None:
            self._conditions.append(f"{_MOMENT} < ?")
            self._values.append(to_milliseconds(query.until))
        self._filter(query.filters)

    def result(self) -> SearchResult:
        """Return what the query finds."""
        (waiting,) = self._db.execute(indexing.COUNT_WAITING).fetchone()
        if self._match == "" or (self._match is not None and not self._indexed):
            return SearchResult(0, unindexed=waiting)
        total, facets = self._count()
        hits = self._hits(total) if total else []
        return SearchResult(total, hits, facets, waiting)

    def _among(self, column: str, values: Sequence[str]) -> None:
        self._conditions.append(f"{column} IN ({', '.join('?' * len(values))})")
        self._values += values

    def _register(self) -> None:
        """Define the function that compares a field with the filter of a number."""
        filters = self._query.filters

        def has(number: int, value: object) -> bool:
            return field_matches(filters[number], str(value))

        self._db.create_function("has_value", 2, has, deterministic=True)

    def _filter(self, filters: Sequence[FieldFilter]) -> None:
        either: dict[str, list[str]] = {}
        for number, it in enumerate(filters):
            condition = f"has_value({number}, headlines.{it.field})"
            if it.negated:
                self._conditions.append(f"NOT {condition}")
            else:
                either.setdefault(it.field, []).append(condition)
        self._conditions += [f"({' OR '.join(them)})" for them in either.values()]

    def _select(self, columns: str, rest: str = "") -> tuple[str, list[Any]]:
        """Return the query for *columns* of the hits, and its values."""
        conditions, values = list(self._conditions), list(self._values)
        tables = "headlines"
        if self._match is not None:
            # The index first: it has few of all pages.
            tables = "search CROSS JOIN headlines ON headlines.n = search.rowid"
            conditions.insert(0, "search MATCH ?")
            values.insert(0, self._match)
        return f"SELECT {columns} FROM {tables} WHERE {' AND '.join(conditions)} {rest}", values

    def _count(self) -> tuple[int, dict[str, Sequence[tuple[str, int]]]]:
        """Return the number of hits and the values of the facets."""
        if not self._query.facets:
            (total,) = self._db.execute(*self._select("count(*)")).fetchone()
            return total, {}
        columns = ", ".join(_YEAR if it == "year" else f"headlines.{it}" for it in FACETS)
        rows = self._db.execute(*self._select(columns)).fetchall()
        counted = zip(*rows, strict=True)
        found = {
            name: most_frequent(Counter(map(str, values)))
            for name, values in zip(FACETS, counted, strict=False)
        }
        return len(rows), found

    def _hits(self, total: int) -> list[Hit]:
        """Return the hits that the query asks for, with their texts."""
        order = f"{_MOMENT} DESC, headlines._id"
        if self._query.order == "oldest":
            order = f"{_MOMENT}, headlines._id"
        elif self._query.order == "relevance" and self._match is not None and total <= _MOST_RANKED:
            order = f"bm25(search, {_WEIGHTS}), {order}"
        query, values = self._select(
            f"headlines.n, headlines._id, {HEADLINE_COLUMNS}", f"ORDER BY {order} LIMIT ? OFFSET ?"
        )
        rows = self._db.execute(query, [*values, self._query.limit, self._query.offset]).fetchall()
        read = headline_reader()
        phrases = highlighted(self._query)
        found = []
        for _, key, *fields in rows:
            with suppress(*DAMAGE):
                it = read(tuple(fields))
                text = snippet(self._body(key), phrases)
                found.append(Hit(it, marked(it.title, phrases), text))
        return found

    def _body(self, key: str) -> str:
        row = self._db.execute(_SELECT_BODY, (key,)).fetchone()
        values: Document = dict(zip(("body", "difference", "base_text"), row, strict=True))
        with suppress(*DAMAGE):
            queries.restore(values)
        return str(values["body"])


def _match(terms: Iterable[SearchTerm], joined: str) -> str | None:
    """Return the expression of FTS5 for *terms*; ``None`` without any, empty if nothing can match."""
    parts = []
    for term in terms:
        columns = "title" if term.within == "title" else "title body"
        either = []
        for folded, punctuation in phrases_of(term):
            if folded:
                either.append(f'{{{columns}}} : "{spaced(folded)}"')
            elif punctuation:
                # Every one of them, in any order.
                them = " AND ".join(f'"{it}"' for it in punctuation)
                either.append(f"{{marks}} : ({them})")
        if either:
            parts.append(f"({' OR '.join(either)})")
        elif joined == " AND ":
            return ""
    return joined.join(parts) if parts else None
