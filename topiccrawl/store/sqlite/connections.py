"""The connections to a SQLite file, and their threads.

One thread owns the writing connection and one the reading connections, so that the event loop does not wait
for the disk.  Reading works while this or another process writes.  Each iteration has a connection of its own:
it reads from one snapshot, which other calls on the same connection would read, too, until it ends.  What takes
less time than a call in a thread is read by one more connection in the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from topiccrawl.errors import ConfigurationError, StoreMoved, StoreUnavailable
from topiccrawl.language import _
from topiccrawl.sqlitefiles import file_id
from topiccrawl.store.fields import RecordType
from topiccrawl.store.records import PAGES
from topiccrawl.store.sqlite import queries
from topiccrawl.store.sqlite.file import (
    current_patience,
    has_side_files,
    open_for_reading,
    open_for_writing,
    remove_side_files,
    translated,
)
from topiccrawl.store.values import DAMAGE

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: Rows read at a time: about a megabyte with bodies of some 10 KB.
CHUNK_ROWS: Final = 100

#: Rows without a page read at a time: some 200 KB, 10 ms in the reading thread.
LIGHT_ROWS: Final = 2_000

#: Size of the file up to which a few rows are read in the event loop: the system keeps so much of it in
#: memory (a choice; some 20,000 pages).
AT_ONCE_BYTES: Final = 256 * 1024 * 1024


class SQLiteConnections:
    """The SQLite file *path*, opened for reading and, unless *read_only*, for writing."""

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._reading: sqlite3.Connection | None = None
        self._iterating: set[sqlite3.Connection] = set()
        self._idle: list[sqlite3.Connection] = []
        self._at_once: sqlite3.Connection | None = None
        self._write_thread: ThreadPoolExecutor | None = None
        self._read_thread: ThreadPoolExecutor | None = None
        self._leaves_side_files = False
        self._file_id: tuple[int, int] | None = None
        self._damaged = False
        self._patience = current_patience()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    async def open(self) -> None:
        """Open or create the file; raise ConfigurationError if that is not possible."""
        if self._read_thread is not None:
            return
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._read_thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        try:
            if self.read_only:
                self._leaves_side_files = not has_side_files(self.path)
            else:
                self._connection = await self._call(self._write_thread, self._open_for_writing)
            self._reading = await self._call(self._read_thread, lambda: open_for_reading(self.path))
            self._at_once = await self._call(self._read_thread, lambda: open_for_reading(self.path))
            self._at_once.execute("PRAGMA busy_timeout = 0")
            self._file_id = file_id(self.path)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the file; everything written before is durable.  Closing twice does nothing."""
        read_thread, self._read_thread = self._read_thread, None
        write_thread, self._write_thread = self._write_thread, None
        reading, self._reading = self._reading, None
        at_once, self._at_once = self._at_once, None
        writing, self._connection = self._connection, None
        # The writing connection last: the last connection to close folds the log into the file.
        if at_once is not None:
            at_once.close()
        if read_thread is not None:
            if reading is not None:
                await self._call(read_thread, reading.close)
                await self._call(read_thread, self._close_iterating)
                if self.read_only and self._leaves_side_files:
                    await self._call(read_thread, lambda: remove_side_files(self.path))
            read_thread.shutdown(wait=False)
        if write_thread is not None:
            if writing is not None:
                await self._call(write_thread, writing.close)
            write_thread.shutdown(wait=False)

    def _open_for_writing(self) -> sqlite3.Connection:
        connection = open_for_writing(self.path)
        connection.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")
        return connection

    def _writing_thread(self) -> ThreadPoolExecutor:
        if self.read_only:
            raise RuntimeError(f"{self!r} is open for reading only")
        if self._write_thread is None:
            raise RuntimeError(f"{self!r} is not open")
        return self._write_thread

    async def _change(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of *job*, one transaction in the writing thread."""
        return await self._call(self._writing_thread(), lambda: self._transaction(job))

    def _transaction(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of *job*; all that it writes takes effect together, or nothing."""
        db = self._connection
        if db is None:
            raise RuntimeError(f"{self!r} is not open")
        self._check_place()
        with translated(self.path):
            db.execute("BEGIN IMMEDIATE")
            try:
                result = job(db)
                db.execute("COMMIT")
            except BaseException:
                # After some errors (full disk) SQLite has already rolled back by itself.
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        return result

    def _is_in_place(self) -> bool:
        return file_id(self.path) == self._file_id

    def _check_place(self) -> None:
        """Raise ``StoreMoved`` if the file is no longer where it was opened."""
        if not self._is_in_place():
            raise StoreMoved(
                _("{path} was deleted, moved or replaced while it was open").format(path=self.path)
            )

    async def _all(
        self,
        type_: RecordType[T],
        query: str,
        values: tuple[Any, ...],
        *,
        short: bool = False,
    ) -> list[T]:
        """Return all records that *query* finds; *short* ones as :meth:`_look_up` does."""

        def job(db: sqlite3.Connection) -> list[T]:
            cursor = db.execute(query, values)
            return list(self._readable(self._record_reader(type_, cursor), cursor.fetchall()))

        return await (self._look_up(job) if short else self._read(job))

    async def _records(
        self, type_: RecordType[T], query: str, values: tuple[Any, ...]
    ) -> AsyncIterator[T]:
        def reader(cursor: sqlite3.Cursor) -> Callable[[tuple[Any, ...]], T]:
            return self._record_reader(type_, cursor)

        async for record in self._stream(query, values, reader):
            yield record

    async def _rows(
        self, query: str, values: tuple[Any, ...], read: Callable[[tuple[Any, ...]], T]
    ) -> AsyncIterator[T]:
        """Yield what *read* makes of each of the short rows that *query* finds."""
        async for it in self._stream(query, values, lambda cursor: read, LIGHT_ROWS):
            yield it

    async def _stream(
        self,
        query: str,
        values: tuple[Any, ...],
        reader: Callable[[sqlite3.Cursor], Callable[[tuple[Any, ...]], T]],
        size: int = CHUNK_ROWS,
    ) -> AsyncIterator[T]:
        """Yield what *reader* makes of each row, as all of them were when the iteration began.

        Rows are read and converted in the reading thread.
        """
        connection: sqlite3.Connection | None = None
        cursor: sqlite3.Cursor | None = None
        read: Callable[[tuple[Any, ...]], T] | None = None
        ended = False

        def chunk(db: sqlite3.Connection) -> list[T]:
            nonlocal connection, cursor, read, ended
            if cursor is None or read is None:
                connection = self._iterating_connection()
                cursor = connection.execute(query, values)
                read = reader(cursor)
            rows = cursor.fetchmany(size)
            ended = len(rows) < size
            found = list(self._readable(read, rows))
            if ended:
                release()
            return found

        def release() -> None:
            # A cursor that has not ended would hold its snapshot and keep the log from being folded in.
            nonlocal connection
            if connection in self._iterating:
                if cursor is not None:
                    cursor.close()
                self._idle.append(connection)
            connection = None

        try:
            while not ended:
                for it in await self._read(chunk):
                    yield it
        finally:
            if not ended and self._read_thread is not None:
                with suppress(RuntimeError):
                    await self._call(self._read_thread, release)

    def _iterating_connection(self) -> sqlite3.Connection:
        """Return a connection that no iteration uses; in the reading thread alone."""
        if not self._idle:
            try:
                connection = open_for_reading(self.path)
            except ConfigurationError as error:
                # It was in order when the store was opened.
                raise StoreUnavailable(str(error)) from error
            self._iterating.add(connection)
            return connection
        return self._idle.pop()

    def _close_iterating(self) -> None:
        for connection in self._iterating:
            connection.close()
        self._iterating.clear()
        self._idle.clear()

    def _record_reader(
        self, type_: RecordType[T], cursor: sqlite3.Cursor
    ) -> Callable[[tuple[Any, ...]], T]:
        names = [column[0] for column in cursor.description]

        def read(values: tuple[Any, ...]) -> T:
            row = dict(zip(names, values, strict=True))
            if type_ is PAGES:
                try:
                    queries.restore(row)
                except DAMAGE as error:
                    # Better a page without its text than none.
                    self._warn_of_damage(error)
            return type_.record(queries.document(type_, row))

        return read

    def _readable(
        self, read: Callable[[tuple[Any, ...]], T], rows: Iterable[tuple[Any, ...]]
    ) -> Iterator[T]:
        """Yield what *read* makes of the rows that are not damaged; the first other one is logged."""
        for row in rows:
            try:
                yield read(row)
            except DAMAGE as error:
                self._warn_of_damage(error)

    def _warn_of_damage(self, error: Exception) -> None:
        if not self._damaged:
            logger.warning(
                _("%(path)s is damaged: records that cannot be read are left out (%(error)s)"),
                {"path": self.path, "error": f"{error!r:.200}"},
            )
        self._damaged = True

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._reading
        if self._read_thread is None or connection is None:
            raise RuntimeError(f"{self!r} is not open")

        def guarded() -> T:
            self._check_place()
            with translated(self.path):
                return job(connection)

        return await self._call(self._read_thread, guarded)

    async def _count(self, query: str, values: tuple[Any, ...] = ()) -> int:
        """Return the number that *query* finds."""
        (number,) = await self._read(lambda db: db.execute(query, values).fetchone())
        return int(number)

    async def _look_up(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Read a few rows by their keys; in the reading thread only if the event loop might wait.

        That thread runs on another processor, whose caches have nothing of what the job needs.
        """
        try:
            small = self.path.stat().st_size <= AT_ONCE_BYTES
            if self._at_once is not None and small and self._is_in_place():
                return job(self._at_once)
        except (OSError, sqlite3.Error):
            pass  # The thread waits for who holds the file, or reports what is wrong with it.
        return await self._read(job)

    @staticmethod
    async def _call(thread: ThreadPoolExecutor, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, job)


def execute_all(
    db: sqlite3.Connection, statements: Iterable[tuple[str, Iterable[Sequence[Any]]]]
) -> None:
    """Execute each statement with all of its values."""
    for statement, values in statements:
        db.executemany(statement, values)
