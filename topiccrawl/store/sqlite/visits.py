"""Visits of pages and their former versions in the SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.records import VERSIONS, VISITS, VersionRecord, VisitRecord, record_id
from topiccrawl.store.sqlite import queries
from topiccrawl.store.sqlite.connections import SQLiteConnections
from topiccrawl.store.sqlite.rows import document_value
from topiccrawl.store.values import TEXT, TIME, storable, to_milliseconds
from topiccrawl.store.versions import surplus_versions
from topiccrawl.store.visits import VisitStore

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Sequence
    from datetime import datetime

_SELECT_VISIT: Final = f"SELECT {queries.columns(VISITS)} FROM visits WHERE _id = ?"
_SELECT_VISITS: Final = f"SELECT {queries.columns(VISITS)} FROM visits WHERE topic = ? ORDER BY _id"
_SELECT_VERSIONS: Final = (
    f"SELECT {queries.columns(VERSIONS)} FROM versions WHERE topic = ? AND url = ? "
    "ORDER BY replaced_at"
)
#: Query for (topic, milliseconds since 1970 or NULL).
_SELECT_CHANGES: Final = (
    "SELECT url, replaced_at FROM versions "
    "WHERE topic = ?1 AND (?2 IS NULL OR replaced_at >= ?2) ORDER BY replaced_at, url"
)
_SELECT_VERSION_TIMES: Final = (
    "SELECT _id, replaced_at FROM versions WHERE topic = ? AND url = ? ORDER BY replaced_at"
)


class SQLiteVisits(SQLiteConnections, VisitStore):
    """The methods of the store for visits and former versions."""

    async def visits(self, topic: str) -> AsyncIterator[VisitRecord]:
        """Yield the visit records of *topic*, as they were when the iteration began, by id."""
        async for visit in self._records(VISITS, _SELECT_VISITS, (topic,)):
            yield visit

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        found = await self._all(VISITS, _SELECT_VISIT, (record_id(topic, url),))
        return found[0] if found else None

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        return await self._all(VERSIONS, _SELECT_VERSIONS, (topic, storable(url)))

    async def changes(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[tuple[str, datetime]]:
        values = (topic, None if since is None else to_milliseconds(since))
        async for change in self._rows(_SELECT_CHANGES, values, _change):
            yield change

    async def trim_versions(self, topic: str, url: str, most: int) -> int:
        def trim(db: sqlite3.Connection) -> int:
            found = db.execute(_SELECT_VERSION_TIMES, (topic, storable(url))).fetchall()
            surplus = surplus_versions([at for _, at in found], most)
            db.executemany(queries.DELETE_VERSION, [(found[index][0],) for index in surplus])
            return len(surplus)

        return await self._change(trim)


def _change(row: tuple[Any, ...]) -> tuple[str, datetime]:
    url, at = row
    return document_value(TEXT, url), document_value(TIME, at)
