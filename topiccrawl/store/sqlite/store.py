"""The embedded store: one SQLite file, nothing to install."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Self, Unpack

from topiccrawl.store.contract import PageOrder, Store, TopicSize
from topiccrawl.store.records import (
    OUTCOMES,
    PAGES,
    RECORD_TYPES,
    RUNS,
    NearMissRecord,
    OtherRecords,
    OutcomeRecord,
    PageRecord,
    RunRecord,
    newest_documents,
    record_id,
)
from topiccrawl.store.sqlite import indexing, queries, stories
from topiccrawl.store.sqlite.connections import execute_all
from topiccrawl.store.sqlite.desk import SQLiteDesk
from topiccrawl.store.sqlite.judgments import SQLiteJudgments
from topiccrawl.store.sqlite.rows import document_value
from topiccrawl.store.sqlite.search import SQLiteSearch
from topiccrawl.store.sqlite.visits import SQLiteVisits
from topiccrawl.store.stories import LONGEST_RIGHT_SECONDS, Membership, StoredStory, StoryOrder
from topiccrawl.store.uri import sqlite_path
from topiccrawl.store.values import TEXT, to_milliseconds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    from topiccrawl.store.fields import Document


class SQLiteStore(SQLiteSearch, SQLiteDesk, SQLiteVisits, SQLiteJudgments, Store):
    """A store in the SQLite file *path*.

    With *read_only* nothing is created or changed, and ``open`` refuses a missing file.
    """

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(sqlite_path(uri), read_only=read_only)

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        **others: Unpack[OtherRecords],
    ) -> None:
        """Upsert all records in one transaction, flushed to the disk when this returns."""
        thread = self._writing_thread()
        # Here and not in the thread: the statistics of a run change meanwhile.
        run_documents = RUNS.newest(runs)
        records = {"pages": pages, "outcomes": outcomes, "near_misses": near_misses, **others}
        await self._call(thread, lambda: self._write(records, run_documents))

    async def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
        withdrawn: bool = False,
        copies: bool = False,
        since: datetime | None = None,
    ) -> AsyncIterator[PageRecord]:
        """Yield the kept or the *withdrawn* pages, as they were when the iteration began."""
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be >= 0 or None, got {limit}")
        query = queries.select_pages(
            order,
            with_html=with_html,
            withdrawn=withdrawn,
            copies=copies,
            since=since is not None,
        )
        values: tuple[object, ...] = (topic, -1 if limit is None else limit)
        if since is not None:
            values += (to_milliseconds(since),)
        async for page in self._records(PAGES, query, values):
            yield page

    async def page(self, topic: str, url: str) -> PageRecord | None:
        found = await self._all(PAGES, queries.SELECT_PAGE, (record_id(topic, url),))
        return found[0] if found else None

    async def pages_at(self, topic: str, urls: Sequence[str]) -> Sequence[PageRecord]:
        keys = json.dumps([record_id(topic, url) for url in urls])
        return await self._all(PAGES, queries.SELECT_PAGES_AT, (keys,))

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        key = record_id(topic, url)
        found = await self._all(OUTCOMES, queries.SELECT_OUTCOME, (key,), short=True)
        return found[0] if found else None

    async def outcomes(
        self, topic: str, *, run_id: str | None = None
    ) -> AsyncIterator[OutcomeRecord]:
        """Yield the outcomes of *topic*, as they were when the iteration began, by (at, sequence)."""
        async for outcome in self._records(OUTCOMES, queries.SELECT_OUTCOMES, (topic, run_id)):
            yield outcome

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        return await self._all(RUNS, queries.SELECT_RUNS, (topic,))

    async def topics(self) -> Mapping[str, int]:
        return dict(await self._read(lambda db: db.execute(queries.SELECT_TOPICS).fetchall()))

    async def count(self, topic: str) -> int:
        return await self._count(queries.COUNT_PAGES, (topic,))

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        async for url, title in self._rows(queries.SELECT_TITLES, (topic,), _title):
            yield url, title

    async def sharing(
        self, topic: str, tokens: Sequence[int], *, most: int
    ) -> Mapping[int, Sequence[str]]:
        return await self._look_up(lambda db: stories.sharing(db, topic, tokens, most))

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        return await self._all(PAGES, stories.SELECT_ATTACHMENTS, (topic, url))

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        return await self._all(PAGES, stories.SELECT_MEMBERS, (topic, story))

    async def uncompared(
        self, topic: str, method: int, *, limit: int | None = None
    ) -> AsyncIterator[PageRecord]:
        """Yield the kept pages that were not compared by *method*, as the iteration finds them."""
        values = (topic, method, -1 if limit is None else limit)
        async for page in self._records(PAGES, stories.SELECT_UNCOMPARED, values):
            yield page

    async def count_uncompared(self, topic: str, method: int) -> int:
        return await self._count(stories.COUNT_UNCOMPARED, (topic, method))

    async def set_relations(self, topic: str, relations: Mapping[str, Membership]) -> None:
        given = dict(relations)
        await self._change(lambda db: stories.set_relations(db, topic, given))

    async def lease_settling(self, topic: str, owner: str, seconds: float) -> bool:
        now = time.time()
        values = (topic, owner, now + seconds, now, now + LONGEST_RIGHT_SECONDS)
        return await self._change(
            lambda db: db.execute(stories.LEASE_SETTLING, values).rowcount > 0
        )

    async def copies(self, topic: str) -> Mapping[str, int]:
        values = (topic,)
        return dict(
            await self._read(lambda db: db.execute(stories.COUNT_COPIES, values).fetchall())
        )

    async def stories(
        self, topic: str, *, order: StoryOrder = "size", least: int = 2, limit: int | None = None
    ) -> AsyncIterator[StoredStory]:
        """Yield the stories of *topic*, as they were when the iteration began."""
        query = stories.select_stories(order)
        values = (topic, least, -1 if limit is None else limit)
        async for story in self._rows(query, values, stories.stored_story):
            yield story

    async def size(self, topic: str) -> TopicSize:
        numbers = await self._read(
            lambda db: db.execute(queries.COUNT_RECORDS, (topic,)).fetchone()
        )
        names = ("copies", *(type_.name for type_ in RECORD_TYPES))
        found = dict(zip(names, numbers, strict=True))
        found["pages"] -= found["copies"]
        return TopicSize(**found)

    async def forget(self, topic: str) -> None:
        """Delete all records of *topic*, in one transaction; the file keeps its size for new pages."""

        def forget(db: sqlite3.Connection) -> None:
            indexing.remove_topic(db, topic)
            execute_all(db, ((statement, [(topic,)]) for statement in queries.FORGET))

        await self._change(forget)

    def _write(self, records: Mapping[str, Any], runs: Sequence[Document]) -> None:
        found = {**newest_documents(**records), "runs": runs}
        documents = found["pages"]
        upserts = [
            (queries.upsert(type_), [queries.row(type_, it) for it in found[type_.name]])
            for type_ in RECORD_TYPES
            if type_ is not PAGES
        ]
        html = [(it["_id"], it["html"]) for it in documents if it["html"] is not None]
        bare = [(it["_id"],) for it in documents if it["html"] is None]
        judged = [(it["_id"],) for it in documents]

        def write(db: sqlite3.Connection) -> None:
            merged = stories.merge(db, documents)
            stories.write_pages(db, merged)
            indexing.enter(db, merged)
            execute_all(
                db,
                [
                    *upserts,
                    (queries.UPSERT_HTML, html),
                    (queries.DELETE_HTML, bare),
                    (queries.DELETE_NEAR_MISS, judged),
                    (queries.SET_VISITED, map(queries.visited_row, found["visits"])),
                ],
            )
            stories.follow_up(db, merged)

        self._transaction(write)


def _title(row: tuple[Any, ...]) -> tuple[str, str]:
    url, title = row
    return document_value(TEXT, url), document_value(TEXT, title)
