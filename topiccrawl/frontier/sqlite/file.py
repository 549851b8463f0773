"""The frontier's SQLite file: opening it, its transactions, and erasing it.

Durability: a write-ahead log with ``synchronous = NORMAL``.  What was committed survives the death of
any process at any moment.  When the machine loses power, the last commits may be missing; their links
are then fetched once more, because the store flushes every record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from topiccrawl.errors import system_reason
from topiccrawl.frontier.errors import FileFault, FrontierFileError
from topiccrawl.frontier.sqlite.schema import (
    APPLICATION_ID,
    CREATE,
    FORMAT_VERSION,
    OBJECTS,
    PAGE_BYTES,
)
from topiccrawl.language import _
from topiccrawl.sqlitefiles import (
    Connection,
    file_id,
    is_empty,
    refusal_reason,
    use_write_ahead_log,
)

#: How long a call waits for another process's transaction.  Transactions take milliseconds: only a
#: process that is stopped in the middle of one holds the file for that long.
BUSY_SECONDS: Final = 10.0
#: Page cache of one worker.  Pushing 300,000 links was as fast as with four times of it (2026-11, 2 shared
#: cores); what it lacks is in the page cache of the system.
CACHE_BYTES: Final = 8 * 1024 * 1024
#: Length of the log at which it is checkpointed.  Measured pushing 300,000 links (2026-11, 2 shared
#: cores): 10,000/s with 16 MB, 12,900/s with 32, 15,000/s with 64, because pages that change often are
#: copied once for many changes; the call with the checkpoint took 80 to 180 ms with each of them.
LOG_BYTES: Final = 64 * 1024 * 1024
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
#: Where SQLite keeps the application's id in the first page (sqlite.org/fileformat.html, 1.3).
_OWNER: Final = slice(68, 72)

#: What reading a file raises that SQLite takes for sound, although rows are missing or have values of
#: another type.  Arguments are checked before a transaction begins.
_CONTRADICTIONS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    sqlite3.IntegrityError,
)

Row = tuple[Any, ...]


class FrontierFile:
    """One connection to the frontier at *path*; creates the file if there is none.

    With *read_only* nothing is created or changed.  Raises :class:`FrontierFileError` for a file that cannot be
    opened or is not a frontier of this version, and later when the file turns out to be damaged.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        try:
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            rule = _("its folder cannot be created ({strerror})").format(
                strerror=system_reason(error)
            )
            raise FrontierFileError(path, FileFault.NO_FOLDER, rule) from error
        try:
            self._connection = sqlite3.connect(
                _reading_address(path) if read_only else path,
                uri=read_only,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
                factory=Connection,
            )
        except sqlite3.Error as error:
            rule = _("it cannot be opened for writing ({error})").format(
                error=refusal_reason(path, error)
            )
            if read_only:
                rule = _("it cannot be read ({error})").format(error=error)
            raise FrontierFileError(path, FileFault.UNUSABLE, rule) from error
        try:
            if read_only:
                self._check()
            else:
                self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            damaged = _is_damage(error)
            rule = (
                _("it is damaged, or not a SQLite database") if damaged else _("it cannot be used")
            )
            fault = FileFault.DAMAGED if damaged else FileFault.UNUSABLE
            reason = str(error) if damaged else refusal_reason(path, error)
            raise FrontierFileError(path, fault, f"{rule} ({reason})") from error
        except BaseException:
            self._connection.close()
            raise
        self._id = file_id(path)
        self.execute = self._connection.execute
        self.executemany = self._connection.executemany

    def row(self, sql: str, values: tuple[object, ...] = ()) -> Any:
        """Return the first row of the result, ``None`` without one; errors as in a transaction."""
        try:
            return self.execute(sql, values).fetchone()
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                raise self.damage(str(error)) from error
            raise

    def check_place(self) -> None:
        """Raise :class:`FrontierFileError` if the file is no longer where it was opened."""
        if file_id(self.path) != self._id:
            rule = _("it was deleted, moved or replaced while it was open")
            raise FrontierFileError(self.path, FileFault.UNUSABLE, rule)

    def damage(self, detail: str) -> FrontierFileError:
        """Return the error of a file whose content contradicts itself."""
        return FrontierFileError(
            self.path, FileFault.DAMAGED, _("it is damaged ({detail})").format(detail=detail)
        )

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raise :class:`FrontierFileError` for damage that is found inside."""
        try:
            yield
        except FrontierFileError:
            raise
        except _CONTRADICTIONS as error:
            raise self.damage(_detail(error)) from error
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                raise self.damage(str(error)) from error
            error.add_note(str(self.path))
            raise

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything inside or nothing; other processes wait in the meantime."""
        with self.reading():
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close; the last connection to do so merges the log into the file."""
        self._connection.close()

    def _prepare(self) -> None:
        execute = self._connection.execute
        if not self._is_frontier():
            # In the classic journal mode, so that the mark is in the file itself from the beginning.
            execute(f"PRAGMA page_size = {PAGE_BYTES}")
            execute("PRAGMA synchronous = NORMAL")
            execute("BEGIN EXCLUSIVE")
            # Checked again under the lock: two crawls may be creating the same file.
            if is_empty(self._connection):
                execute(f"PRAGMA application_id = {APPLICATION_ID}")
                execute(f"PRAGMA user_version = {FORMAT_VERSION}")
                for statement in CREATE:
                    execute(statement)
            execute("COMMIT")
            self._is_frontier()
        use_write_ahead_log(self._connection, BUSY_SECONDS)
        execute("PRAGMA synchronous = NORMAL")
        execute("PRAGMA secure_delete = OFF")
        execute(f"PRAGMA cache_size = {-CACHE_BYTES // 1024}")
        execute(f"PRAGMA wal_autocheckpoint = {LOG_BYTES // PAGE_BYTES}")
        execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        self._check()
        # Fails now, and not at the first link, where nothing may be written.
        execute("BEGIN IMMEDIATE")
        execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        execute("ROLLBACK")

    def _check(self) -> None:
        """Raise for a file that is not a complete frontier."""
        execute = self._connection.execute
        if not self._is_frontier():
            raise self.damage(_("it is empty"))
        missing = OBJECTS - {name for (name,) in execute("SELECT name FROM sqlite_master")}
        if missing:
            raise self.damage(f"without {', '.join(sorted(missing))}")
        if execute("SELECT one FROM counts").fetchone() is None:
            raise self.damage("its counts are missing")

    def _is_frontier(self) -> bool:
        """Return ``False`` for an empty file; raise for a file of another program or version."""
        execute = self._connection.execute
        # One transaction: another process may be creating the tables at this moment.
        execute("BEGIN")
        (owner,) = execute("PRAGMA application_id").fetchone()
        (version,) = execute("PRAGMA user_version").fetchone()
        empty = is_empty(self._connection)
        execute("COMMIT")
        if empty and owner == 0:
            return False
        if owner != APPLICATION_ID:
            rule = _("it is a SQLite database of another program")
            raise FrontierFileError(self.path, FileFault.FOREIGN, rule)
        if version != FORMAT_VERSION:
            raise FrontierFileError(
                self.path,
                FileFault.OTHER_FORMAT,
                _(
                    "it has format {version}, and this version of topiccrawl understands format "
                    "{format_version}; go on with the version that wrote it, or start afresh "
                    "(fresh=1)"
                ).format(version=version, format_version=FORMAT_VERSION),
            )
        return True


def _reading_address(path: Path) -> str:
    """Return the address by which SQLite only reads *path*.

    Without a log no other process is writing, and none can be made where nothing may be written.
    """
    log = path.with_name(f"{path.name}-wal")
    return f"{path.resolve().as_uri()}?mode=ro{'' if log.exists() else '&immutable=1'}"


def erase_file(path: Path) -> None:
    """Delete the frontier at *path* with its log; see :func:`check_own_file`."""
    check_own_file(path)
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def check_own_file(path: Path) -> None:
    """Raise :class:`FrontierFileError` if the file at *path* is not a frontier; it may be missing.

    A frontier of any version may be erased, also a damaged one: the mark in its first page counts.
    """
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        return
    except OSError as error:
        rule = _("it cannot be read ({strerror})").format(strerror=system_reason(error))
        raise FrontierFileError(path, FileFault.UNUSABLE, rule) from error
    if head and head[_OWNER] != APPLICATION_ID.to_bytes(4, "big"):
        rule = _("it is not a frontier of topiccrawl, and will not be erased")
        raise FrontierFileError(path, FileFault.FOREIGN, rule)


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def _detail(error: Exception) -> str:
    """Return what is contradictory, in short."""
    return f"{type(error).__name__} {error}".strip()[:200]
