"""The embedded store: one SQLite file, nothing to install.

The event loop never waits for the disk: one thread owns the writing connection, one the reading
connection, and the methods await them.  Reading works while this or another process writes.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from topiccrawl.store.contract import record_id
from topiccrawl.store.documents import (
    Document,
    newest_outcomes,
    newest_pages,
    newest_runs,
    outcome_record,
    page_record,
    run_record,
)
from topiccrawl.store.sqlite import schema
from topiccrawl.store.sqlite.file import (
    has_side_files,
    open_for_reading,
    open_for_writing,
    remove_side_files,
    translated,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from topiccrawl.store.contract import OutcomeRecord, PageOrder, PageRecord, RunRecord

T = TypeVar("T")

#: Rows read at a time: with bodies of some 10 KB about a megabyte.
CHUNK_ROWS: Final = 100


class SQLiteStore:
    """A :class:`~topiccrawl.store.contract.Store` in the SQLite file *path*.

    With *read_only* nothing is created or changed, and ``open`` refuses a file that is not there.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._reading: sqlite3.Connection | None = None
        self._write_thread: ThreadPoolExecutor | None = None
        self._read_thread: ThreadPoolExecutor | None = None
        self._leaves_side_files = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    async def open(self) -> None:
        """Open or create the file; raise ConfigurationError where that is not possible."""
        if self._read_thread is not None:
            return
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._read_thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        try:
            if self.read_only:
                self._leaves_side_files = not has_side_files(self.path)
            else:
                self._connection = await self._call(
                    self._write_thread, lambda: open_for_writing(self.path)
                )
            self._reading = await self._call(self._read_thread, lambda: open_for_reading(self.path))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the file; everything written before is durable.  Closing twice does nothing."""
        read_thread, self._read_thread = self._read_thread, None
        write_thread, self._write_thread = self._write_thread, None
        reading, self._reading = self._reading, None
        writing, self._connection = self._connection, None
        # The writing connection last: the last one to close folds the log into the file.
        if read_thread is not None:
            if reading is not None:
                await self._call(read_thread, reading.close)
                if self.read_only and self._leaves_side_files:
                    await self._call(read_thread, lambda: remove_side_files(self.path))
            read_thread.shutdown(wait=False)
        if write_thread is not None:
            if writing is not None:
                await self._call(write_thread, writing.close)
            write_thread.shutdown(wait=False)

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
    ) -> None:
        """Upsert all records in one transaction, flushed to the disk when this returns."""
        if self.read_only:
            raise RuntimeError(f"{self!r} is open for reading only")
        if self._write_thread is None:
            raise RuntimeError(f"{self!r} is not open")
        # Here and not in the thread: the statistics of a run go on changing meanwhile.
        run_documents = newest_runs(runs)
        await self._call(self._write_thread, lambda: self._write(pages, outcomes, run_documents))

    async def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
    ) -> AsyncIterator[PageRecord]:
        """Pages of *topic* as they were when the iteration began."""
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be >= 0 or None, got {limit}")
        query = schema.select_pages(order, with_html=with_html)
        async for found in self._stream(query, (topic, -1 if limit is None else limit)):
            yield page_record(found)

    async def page(self, topic: str, url: str) -> PageRecord | None:
        """The page with this canonical URL, with its HTML if it was kept."""
        found = await self._all(schema.SELECT_PAGE, (record_id(topic, url),))
        return page_record(found[0]) if found else None

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        """The last outcome of this canonical URL."""
        found = await self._all(schema.SELECT_OUTCOME, (record_id(topic, url),))
        return outcome_record(found[0]) if found else None

    async def outcomes(
        self, topic: str, *, run_id: str | None = None
    ) -> AsyncIterator[OutcomeRecord]:
        """Outcomes of *topic*, as they were when the iteration began, by (at, sequence)."""
        async for found in self._stream(schema.SELECT_OUTCOMES, (topic, run_id)):
            yield outcome_record(found)

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        """Runs of *topic*, oldest first."""
        return [run_record(found) for found in await self._all(schema.SELECT_RUNS, (topic,))]

    async def topics(self) -> Mapping[str, int]:
        """Topics in this file with their number of pages, by name."""
        return dict(await self._read(lambda db: db.execute(schema.SELECT_TOPICS).fetchall()))

    async def count(self, topic: str) -> int:
        """Number of pages of *topic*."""
        query = "SELECT count(*) FROM pages WHERE topic = ?"
        (number,) = await self._read(lambda db: db.execute(query, (topic,)).fetchone())
        return int(number)

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        """(url, title) of every page of *topic*, oldest first."""
        query = "SELECT url, title FROM pages WHERE topic = ? ORDER BY fetched_at, _id"
        async for found in self._stream(query, (topic,)):
            yield found["url"], found["title"]

    def _write(
        self,
        pages: Sequence[PageRecord],
        outcomes: Sequence[OutcomeRecord],
        runs: Sequence[Document],
    ) -> None:
        db = self._connection
        if db is None:
            raise RuntimeError(f"{self!r} is not open")
        documents = newest_pages(pages)
        rows = {
            "pages": [schema.row("pages", document) for document in documents],
            "outcomes": [schema.row("outcomes", it) for it in newest_outcomes(outcomes)],
            "runs": [schema.row("runs", it) for it in runs],
        }
        html = [(it["_id"], it["html"]) for it in documents if it["html"] is not None]
        bare = [(it["_id"],) for it in documents if it["html"] is None]
        with translated(self.path):
            db.execute("BEGIN IMMEDIATE")
            try:
                for table, values in rows.items():
                    db.executemany(schema.upsert(table), values)
                db.executemany("INSERT OR REPLACE INTO html (_id, html) VALUES (?, ?)", html)
                db.executemany("DELETE FROM html WHERE _id = ?", bare)
                db.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself after some errors (full disk).
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    async def _all(self, query: str, values: tuple[Any, ...]) -> list[Document]:
        def job(db: sqlite3.Connection) -> list[Document]:
            cursor = db.execute(query, values)
            names = [column[0] for column in cursor.description]
            return [schema.document(names, row) for row in cursor.fetchall()]

        return await self._read(job)

    async def _stream(self, query: str, values: tuple[Any, ...]) -> AsyncIterator[Document]:
        cursor = await self._read(lambda db: db.execute(query, values))
        names = [column[0] for column in cursor.description]

        def chunk(_: sqlite3.Connection) -> list[Document]:
            return [schema.document(names, row) for row in cursor.fetchmany(CHUNK_ROWS)]

        try:
            while found := await self._read(chunk):
                for document in found:
                    yield document
        finally:
            # Left open, it would hold its snapshot and keep the log from being folded in.
            if self._reading is not None:
                with suppress(RuntimeError):
                    await self._read(lambda _: cursor.close())

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._reading
        if self._read_thread is None or connection is None:
            raise RuntimeError(f"{self!r} is not open")

        def guarded() -> T:
            with translated(self.path):
                return job(connection)

        return await self._call(self._read_thread, guarded)

    @staticmethod
    async def _call(thread: ThreadPoolExecutor, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, job)
