"""Desk records, headlines and the deletion of pages in the SQLite file."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.desk import DeskRecord, DeskStore, desk_id
from topiccrawl.store.headlines import (
    HEADLINE_FIELDS,
    PageHeadline,
    deleted_headline,
    deletion_outcome,
    with_margin,
)
from topiccrawl.store.reasons import DELETED
from topiccrawl.store.records import DESK, OUTCOMES, PAGES, record_id
from topiccrawl.store.sqlite import queries, stories
from topiccrawl.store.sqlite.connections import SQLiteConnections
from topiccrawl.store.sqlite.indexing import remove
from topiccrawl.store.sqlite.rows import document_value
from topiccrawl.store.sqlite.texts import unpack
from topiccrawl.store.values import DAMAGE, TEXT, TIME, from_milliseconds, storable, to_milliseconds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from datetime import datetime

_DESK: Final = queries.columns(DESK)
_SELECT_DESK: Final = (
    f"SELECT {_DESK} FROM desk WHERE topic = ?1 AND kind = ?2 "
    "AND key >= ?3 AND substr(key, 1, length(?3)) = ?3 ORDER BY key"
)
_SELECT_DESK_ENTRY: Final = f"SELECT {_DESK} FROM desk WHERE _id = ?"
_CLAIM_DESK: Final = (
    f"INSERT OR IGNORE INTO desk ({_DESK}) VALUES ({', '.join('?' * (len(DESK.fields) + 1))})"
)
_DELETE_DESK: Final = "DELETE FROM desk WHERE _id = ?"

HEADLINE_COLUMNS: Final = ", ".join(f"headlines.{it}" for it in HEADLINE_FIELDS)
_KEPT: Final = f"SELECT {HEADLINE_COLUMNS} FROM headlines WHERE topic = ? AND withdrawn_at IS NULL"
_TOUCHED: Final = f"SELECT {HEADLINE_COLUMNS} FROM headlines WHERE topic = ?1 AND touched >= ?2"
_DELETED: Final = (
    f"SELECT url, at FROM outcomes WHERE topic = ? AND at >= ? AND reason = '{DELETED}'"
)

#: Pages whose texts are differences to the text that the given page shares with them.
_SELECT_NEIGHBORS: Final = (
    "SELECT _id FROM packed WHERE base = (SELECT base FROM packed WHERE _id = ?1) AND _id <> ?1"
)
_SELECT_VERSIONS: Final = "SELECT _id FROM versions WHERE topic = ? AND url = ?"
_SELECT_STORY: Final = "SELECT story, copy_of, withdrawn_at FROM pages WHERE _id = ?"
_REOPEN: Final = (
    "UPDATE pages SET compared = 0 WHERE topic = ? AND story = ? AND story <> '' "
    "AND withdrawn_at IS NULL AND compared <> 0"
)


def headline_reader() -> Callable[[tuple[Any, ...]], PageHeadline]:
    """Return a function from a row of :data:`HEADLINE_COLUMNS` to its headline.

    It takes 8 µs a row: the generic conversion of rows would take twice as long.
    """
    codecs = {it.key: it.codec for it in PAGES.fields}
    texts = [name for name in HEADLINE_FIELDS if codecs[name].storage == "text"]
    times = [name for name in HEADLINE_FIELDS if codecs[name].storage == "time"]
    others = [(name, codecs[name]) for name in HEADLINE_FIELDS if name not in {*texts, *times}]

    def read(row: tuple[Any, ...]) -> PageHeadline:
        values = dict(zip(HEADLINE_FIELDS, row, strict=True))
        for name in texts:
            if type(values[name]) is not str:
                raise ValueError(f"{type(values[name]).__name__} in place of text")
        for name in times:
            if values[name] is not None:
                values[name] = from_milliseconds(values[name])
        for name, codec in others:
            values[name] = codec.decode(document_value(codec, values[name]))
        if values["first_seen"] is None:
            values["first_seen"] = values["fetched_at"]
        return PageHeadline(**values)

    return read


class SQLiteDesk(SQLiteConnections, DeskStore):
    """The part of the store that the desk needs."""

    async def headlines(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[PageHeadline]:
        """Yield the headlines of *topic*, as they were when the iteration began."""
        query: str = _KEPT
        values: tuple[object, ...] = (topic,)
        if since is not None:
            moment = to_milliseconds(with_margin(since))
            query, values = _TOUCHED, (topic, moment)
            deleted = await self._read(lambda db: db.execute(_DELETED, (topic, moment)).fetchall())
            stored = {it async for it in self._urls(topic, [url for url, _ in deleted])}
            for url, at in deleted:
                if url not in stored:
                    yield deleted_headline(
                        topic, document_value(TEXT, url), document_value(TIME, at)
                    )
        async for found in self._rows(query, values, headline_reader()):
            yield found

    async def _urls(self, topic: str, urls: Sequence[str]) -> AsyncIterator[str]:
        """Yield those of *urls* at which a page is stored."""
        for url in urls:
            key = (record_id(topic, url),)
            if await self._read(
                lambda db, key=key: db.execute("SELECT 1 FROM pages WHERE _id = ?", key).fetchone()  # type: ignore[misc]
            ):
                yield url

    async def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        values = (storable(topic), storable(kind), storable(prefix))
        async for found in self._records(DESK, _SELECT_DESK, values):
            yield found

    async def desk_entry(self, topic: str, kind: str, key: str) -> DeskRecord | None:
        found = await self._all(DESK, _SELECT_DESK_ENTRY, (desk_id(topic, kind, key),))
        return found[0] if found else None

    async def claim_desk(self, record: DeskRecord) -> bool:
        row = queries.row(DESK, DESK.document(record))
        return await self._change(lambda db: db.execute(_CLAIM_DESK, row).rowcount > 0)

    async def delete_desk(self, topic: str, kind: str, keys: Sequence[str]) -> int:
        ids = [desk_id(topic, kind, key) for key in dict.fromkeys(keys)]
        return await self._change(
            lambda db: sum(db.execute(_DELETE_DESK, (key,)).rowcount for key in ids)
        )

    async def delete_pages(self, topic: str, urls: Sequence[str]) -> int:
        """Delete pages with all that is stored of them, in one transaction."""
        given = list(dict.fromkeys(urls))

        def delete() -> int:
            # What is deleted for good is overwritten, too; otherwise that would only cost time.
            with secure_delete(self._connection):
                return self._transaction(
                    lambda db: sum(_delete_page(db, topic, url) for url in given)
                )

        return await self._call(self._writing_thread(), delete)


@contextmanager
def secure_delete(db: sqlite3.Connection | None) -> Iterator[None]:
    """Let SQLite overwrite deleted rows with zeros."""
    if db is None:
        yield
        return
    db.execute("PRAGMA secure_delete = ON")
    try:
        yield
    finally:
        db.execute("PRAGMA secure_delete = OFF")


def _delete_page(db: sqlite3.Connection, topic: str, url: str) -> bool:
    """Delete the page or near miss at *url*; return whether there was one."""
    key = record_id(topic, url)
    row = db.execute(_SELECT_STORY, (key,)).fetchone()
    missed = db.execute(queries.DELETE_NEAR_MISS, (key,)).rowcount > 0
    if row is None and not missed:
        return False
    if row is not None:
        remove(db, key)
        stories.set_tokens(db, {key: ()})
        _forget_text(db, key)
        db.execute(queries.DELETE_HTML, (key,))
        db.execute("DELETE FROM pages WHERE _id = ?", (key,))
        if row[2] is None:
            db.execute(_REOPEN, (topic, row[0]))
    db.execute("DELETE FROM visits WHERE _id = ?", (key,))
    for (version,) in db.execute(_SELECT_VERSIONS, (topic, storable(url))).fetchall():
        db.execute(queries.DELETE_VERSION, (version,))
    deleted = deletion_outcome(topic, url)
    db.execute(queries.upsert(OUTCOMES), queries.row(OUTCOMES, OUTCOMES.document(deleted)))
    return True


def _forget_text(db: sqlite3.Connection, key: str) -> None:
    """Delete the packed text of the page *key*, also where it is the base of other texts."""
    for (other,) in db.execute(_SELECT_NEIGHBORS, (key,)).fetchall():
        values = db.execute(queries.SELECT_TEXT, (other,)).fetchone()
        row = dict(zip(("body", "difference", "base_text"), values, strict=True))
        with suppress(*DAMAGE):
            queries.restore(row)
        db.execute("UPDATE pages SET body = ? WHERE _id = ?", (row["body"], other))
        unpack(db, other)
    unpack(db, key)
