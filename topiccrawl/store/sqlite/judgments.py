"""Judgments of pages, and near misses, in the SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.contract import PageStanding
from topiccrawl.store.near_misses import NearMissStore
from topiccrawl.store.records import (
    NEAR_MISSES,
    OUTCOMES,
    NearMissRecord,
    PageJudgment,
    judgment_fields,
    record_id,
)
from topiccrawl.store.sqlite import queries
from topiccrawl.store.sqlite.connections import SQLiteConnections, execute_all
from topiccrawl.store.sqlite.rows import cell, document_value
from topiccrawl.store.values import TEXT, codec_for

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Mapping

_PROBABILITY: Final = codec_for(float | None)
_SELECT_NEAR_MISS: Final = f"SELECT {queries.columns(NEAR_MISSES)} FROM near_misses WHERE _id = ?"
_SELECT_NEAR_MISSES: Final = (
    f"SELECT {queries.columns(NEAR_MISSES)} FROM near_misses WHERE topic = ? "
    "ORDER BY probability DESC, _id"
)
_SELECT_STANDINGS: Final = (
    "SELECT url, 'near-miss', probability FROM near_misses WHERE topic = ?1 UNION ALL "
    "SELECT url, iif(withdrawn_at IS NULL, 'kept', 'withdrawn'), probability "
    "FROM pages WHERE topic = ?1"
)
#: Statements for (probability, threshold, parts, id).
_SET_JUDGMENTS: Final = (
    "UPDATE pages SET probability = ?1 WHERE _id = ?4",
    "UPDATE near_misses SET probability = ?1 WHERE _id = ?4",
    "UPDATE outcomes SET probability = ?1, probability_threshold = ?2, judgment_parts = ?3 "
    "WHERE _id = ?4",
)
_TRIM_NEAR_MISSES: Final = (
    "DELETE FROM near_misses WHERE _id IN (SELECT _id FROM near_misses WHERE topic = ? "
    "ORDER BY probability DESC, _id LIMIT -1 OFFSET ?)"
)


class SQLiteJudgments(SQLiteConnections, NearMissStore):
    """The methods of the store for judgments and near misses."""

    async def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        async for standing in self._rows(_SELECT_STANDINGS, (topic,), _standing):
            yield standing

    async def near_miss(self, topic: str, url: str) -> NearMissRecord | None:
        found = await self._all(NEAR_MISSES, _SELECT_NEAR_MISS, (record_id(topic, url),))
        return found[0] if found else None

    async def near_misses(self, topic: str) -> AsyncIterator[NearMissRecord]:
        async for near_miss in self._records(NEAR_MISSES, _SELECT_NEAR_MISSES, (topic,)):
            yield near_miss

    async def set_judgments(self, topic: str, judgments: Mapping[str, PageJudgment]) -> None:
        """Set the judgments of pages by canonical URL, in one transaction."""
        given = dict(judgments)

        def update(db: sqlite3.Connection) -> None:
            values = [_judgment_row(topic, url, it) for url, it in given.items()]
            execute_all(db, ((it, values) for it in _SET_JUDGMENTS))

        await self._change(update)

    async def trim_near_misses(self, topic: str, most: int) -> int:
        values = (topic, most)
        return await self._change(lambda db: db.execute(_TRIM_NEAR_MISSES, values).rowcount)


def _judgment_row(topic: str, url: str, judgment: PageJudgment) -> list[Any]:
    """Return the values for :data:`_SET_JUDGMENTS`."""
    fields = judgment_fields(judgment)
    codecs = {field.key: field.codec for field in OUTCOMES.fields}
    cells = [cell(codecs[key], value) for key, value in fields.items()]
    return [*cells, record_id(topic, url)]


def _standing(row: tuple[Any, ...]) -> PageStanding:
    url, standing, probability = row
    return PageStanding(
        document_value(TEXT, url), standing, document_value(_PROBABILITY, probability)
    )
