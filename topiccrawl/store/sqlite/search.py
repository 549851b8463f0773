"""Search in the SQLite file: the index of single characters, and the conditions on headlines."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from topiccrawl.store.search import (
    FACETS,
    Hit,
    SearchQuery,
    SearchResult,
    SearchStore,
    field_matches,
    highlighted,
    marked,
    phrases_of,
    snippet,
)
from topiccrawl.store.sqlite import indexing, queries
from topiccrawl.store.sqlite.connections import SQLiteConnections
from topiccrawl.store.sqlite.desk import HEADLINE_COLUMNS, headline_reader
from topiccrawl.store.values import DAMAGE, storable, to_milliseconds
from topiccrawl.text.folding import fold, spaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from topiccrawl.store.fields import Document
    from topiccrawl.store.sqlite.catalog import Catalog, Ints, Mask
    from topiccrawl.text.searching import FieldFilter, SearchTerm

    Floats = npt.NDArray[np.float64]

#: Weights of title, body and marks in the ranking.  A guess: a title has the subject in ten words.
_WEIGHTS: Final = "10.0, 1.0, 0.0"

#: Pages with the searched characters up to which they are ranked by BM25, 1 to 2 µs each.  What more pages
#: have says little of each; then those with it in the title come first, and of them the newest.
_MOST_RANKED: Final = 20_000

#: Hits whose keywords are compared with the query, and the factor of their rank then.  A guess.
_COMPARED, _KEYWORD = 200, 1.5

_SELECT_HEADLINES: Final = (
    f"SELECT headlines.n, headlines._id, {HEADLINE_COLUMNS} FROM json_each(?) AS wanted "
    "CROSS JOIN headlines ON headlines.n = wanted.value"
)
_SELECT_KEYWORDS: Final = (
    "SELECT headlines.n, headlines.keywords FROM json_each(?) AS wanted "
    "CROSS JOIN headlines ON headlines.n = wanted.value"
)
_SELECT_FOUND: Final = "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid"
_SELECT_RANKED: Final = (
    f"SELECT rowid, bm25(search, {_WEIGHTS}) FROM search WHERE search MATCH ? ORDER BY rowid"
)
_HAS_INDEX: Final = "SELECT 1 FROM main.sqlite_master WHERE name = 'search'"


class SQLiteSearch(SQLiteConnections, SearchStore):
    """The part of the store that searches."""

    _catalog: Catalog | None = None

    async def search(self, topics: Sequence[str], query: SearchQuery) -> SearchResult:
        given = [storable(topic) for topic in dict.fromkeys(topics)]
        return await self._read(lambda db: self._search(db, given, query))

    async def index(self, most: int = 500) -> int:
        def enter(db: sqlite3.Connection) -> int:
            indexing.enter_waiting(db, most)
            (left,) = db.execute(indexing.COUNT_WAITING).fetchone()
            return int(left)

        return await self._change(enter)

    async def unindexed(self) -> int:
        return await self._count(indexing.COUNT_WAITING)

    def _search(
        self, db: sqlite3.Connection, topics: Sequence[str], query: SearchQuery
    ) -> SearchResult:
        # Arrays only where there is a search: a crawl does without them.
        from topiccrawl.store.sqlite.catalog import Catalog

        if self._catalog is None:
            self._catalog = Catalog()
        self._catalog.refresh(db)
        return _Search(db, self._catalog, topics, query).result()


class _Search:
    """One query over one connection."""

    def __init__(
        self, db: sqlite3.Connection, catalog: Catalog, topics: Sequence[str], query: SearchQuery
    ) -> None:
        self._db = db
        self._catalog = catalog
        self._topics = topics
        self._query = query
        self._indexed = db.execute(_HAS_INDEX).fetchone() is not None
        self._match = _match([it for it in query.terms if not it.negated], " AND ")

    def result(self) -> SearchResult:
        """Return what the query finds."""
        (waiting,) = self._db.execute(indexing.COUNT_WAITING).fetchone()
        if self._match == "" or (self._query.terms and not self._indexed):
            return SearchResult(0, unindexed=waiting)
        positions, matching = self._positions()
        if not len(positions):
            return SearchResult(0, unindexed=waiting)
        facets: dict[str, Sequence[tuple[str, int]]] = {}
        if self._query.facets:
            facets = {name: self._catalog.counts(name, positions) for name in FACETS}
        ordered = self._ordered(positions, matching)
        return SearchResult(len(positions), self._hits(ordered), facets, waiting)

    def _positions(self) -> tuple[Ints, int]:
        """Return where the hits are in the catalog, and how many pages have the searched text."""
        mask = self._fulfilling()
        for term in self._query.terms:
            without = _match([term], " OR ") if term.negated else None
            if without:
                mask[self._found(without)] = False
        if self._match is None:
            return mask.nonzero()[0], len(mask)
        found = self._found(self._match)
        return found[mask[found]], len(found)

    def _found(self, match: str) -> Ints:
        return self._catalog.positions(self._db.execute(_SELECT_FOUND, (match,)).fetchall())

    def _fulfilling(self) -> Mask:
        """Return which pages fulfill all conditions but those on their texts."""
        query, catalog = self._query, self._catalog
        mask = catalog.kept.copy()
        if not query.copies:
            mask &= ~catalog.copies
        if self._topics:
            mask &= catalog.fulfilling("topic", set(self._topics).__contains__)
        if query.since is not None:
            mask &= catalog.moments >= to_milliseconds(query.since)
        if query.until is not None:
            mask &= catalog.moments < to_milliseconds(query.until)
        if query.seen_since is not None:
            mask &= catalog.seen > to_milliseconds(query.seen_since)
        if query.seen_until is not None:
            mask &= catalog.seen < to_milliseconds(query.seen_until)
        either: dict[str, Mask] = {}
        for it in query.filters:
            having = self._having(it)
            if it.negated:
                mask &= ~having
            elif it.field in either:
                either[it.field] |= having
            else:
                either[it.field] = having
        for having in either.values():
            mask &= having
        return mask

    def _having(self, condition: FieldFilter) -> Mask:
        """Return which pages have what *condition* names."""

        def has(value: str) -> bool:
            return field_matches(condition, value)

        if condition.field in self._catalog.codes:
            return self._catalog.fulfilling(condition.field, has)
        self._db.create_function("has_value", 1, lambda value: has(str(value)), deterministic=True)
        column = "story" if condition.field == "story" else "url"
        query = f"SELECT n FROM headlines WHERE has_value({column}) ORDER BY n"
        mask: Mask = self._catalog.kept & False
        mask[self._catalog.positions(self._db.execute(query).fetchall())] = True
        return mask

    def _ordered(self, positions: Ints, matching: int) -> list[int]:
        """Return the numbers of the hits that the query asks for, in its order."""
        import numpy as np

        catalog, query = self._catalog, self._query
        moments = catalog.moments[positions]
        keys = (catalog.ids[positions], moments if query.order == "oldest" else -moments)
        if query.order == "relevance" and self._match is not None:
            ranks = self._ranks(positions, matching)
            order = self._by_keywords(np.lexsort((*keys, ranks)), positions, ranks)
        else:
            order = np.lexsort(keys)
        wanted = order[query.offset : query.offset + query.limit]
        numbers: list[int] = catalog.numbers[positions[wanted]].tolist()
        return numbers

    def _ranks(self, positions: Ints, matching: int) -> Floats:
        """Return the rank of each hit, the best the smallest."""
        import numpy as np

        assert self._match is not None
        ranks = np.zeros(len(self._catalog.numbers))
        if matching <= _MOST_RANKED:
            rows = self._db.execute(_SELECT_RANKED, (self._match,)).fetchall()
            at = self._catalog.positions(rows)
            # Without pages that were written since the catalog was read.
            of_number = dict(rows)
            ranks[at] = [of_number[it] for it in self._catalog.numbers[at].tolist()]
        else:
            terms = [it for it in self._query.terms if not it.negated]
            titles = _match(terms, " AND ", title=True)
            if titles:
                ranks[self._found(titles)] = -1.0
        return ranks[positions]

    def _by_keywords(self, order: Ints, positions: Ints, ranks: Floats) -> Ints:
        """Return *order* with the pages first, among the best, that have the query as a keyword."""
        import numpy as np

        wanted = set(highlighted(self._query))
        best = order[:_COMPARED]
        numbers = self._catalog.numbers[positions[best]].tolist()
        rows = self._db.execute(_SELECT_KEYWORDS, (json.dumps(numbers),)).fetchall()
        factors = dict.fromkeys(numbers, 1.0)
        for number, keywords in rows:
            with suppress(*DAMAGE):
                if wanted & {fold(it) for it in json.loads(keywords)}:
                    factors[number] = _KEYWORD
        weighted = ranks[best] * np.array([factors[it] for it in numbers])
        return np.concatenate([best[np.argsort(weighted, kind="stable")], order[_COMPARED:]])

    def _hits(self, numbers: Sequence[int]) -> list[Hit]:
        """Return the pages of *numbers* with pieces of their texts."""
        rows = self._db.execute(_SELECT_HEADLINES, (json.dumps(numbers),)).fetchall()
        read = headline_reader()
        phrases = highlighted(self._query)
        found: dict[int, Hit] = {}
        for number, key, *fields in rows:
            with suppress(*DAMAGE):
                it = read(tuple(fields))
                text = snippet(self._body(key) if self._query.texts else "", phrases)
                found[number] = Hit(it, marked(it.title, phrases), text)
        return [found[number] for number in numbers if number in found]

    def _body(self, key: str) -> str:
        row = self._db.execute(queries.SELECT_TEXT, (key,)).fetchone()
        values: Document = dict(zip(("body", "difference", "base_text"), row, strict=True))
        with suppress(*DAMAGE):
            queries.restore(values)
        return str(values["body"])


def _match(terms: Iterable[SearchTerm], joined: str, *, title: bool = False) -> str | None:
    """Return the expression of FTS5 for *terms*; ``None`` without any, empty if nothing can match.

    With *title*, of their occurrence in titles.
    """
    parts = []
    for term in terms:
        columns = "title" if title or term.within == "title" else "title body"
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
