"""Opening the SQLite file: check its owner and format, upgrade it, refuse it with a clear message.

Durability: the journal is a write-ahead log, so that readers never wait for the writer, with
``synchronous = FULL``: every commit is flushed to the disk before it returns.  ``NORMAL`` would
survive kill -9 too, but lose the last commits when the machine loses power, and a record is
reported durable only once.  With some ten records in a commit, the flush does not slow down a crawl.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

from topiccrawl.errors import ConfigurationError, StoreLocked, described, system_reason
from topiccrawl.language import _, listed
from topiccrawl.sqlitefiles import Connection, is_empty, refusal_reason, use_write_ahead_log
from topiccrawl.store.contract import RecordRejected, StoreUnavailable
from topiccrawl.store.fields import RecordType, StoredField
from topiccrawl.store.sqlite.tables import (
    APPLICATION_ID,
    FIRST_FORMAT,
    SCHEMA,
    Schema,
    add_column,
    columns_of,
)

#: How long a statement waits for the lock of another process before the store counts as unavailable.
#: A guess: commits take milliseconds, so that only a stuck process holds a lock that long.
BUSY_SECONDS: Final = 30.0
_patience: ContextVar[float] = ContextVar("patience", default=BUSY_SECONDS)


#: Memory for pages of the file, of each connection (a crawl has three), instead of SQLite's 2 MB: tokens are looked
#: up and written all over their tables.  A guess; with two, a process that writes 60,000 pages takes 106 MB.
CACHE_KIB: Final = 32 * 1024

#: Size to which the write-ahead log is cut after a large transaction, such as the move of the tokens of
#: many pages to the large table.  A guess.
LOG_BYTES: Final = 64 * 1024 * 1024


@contextmanager
def lock_patience(seconds: float) -> Iterator[None]:
    """Let the stores that are made within wait at most *seconds* for a lock, once they are open."""
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


def current_patience() -> float:
    """Return how long a store that is made now waits for the lock of another process, in seconds."""
    return _patience.get()


def open_for_writing(path: Path, schema: Schema = SCHEMA) -> sqlite3.Connection:
    """Open or create the store at *path*, and its folder if missing.

    A file of an older format is upgraded.  Raises ConfigurationError if the path cannot be written
    or holds something else.
    """
    _check_kind(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(
            path, _("its folder cannot be created ({error})").format(error=system_reason(error))
        ) from error
    with _as_refusal(path, _("it cannot be opened for writing")):
        connection = sqlite3.connect(
            path,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
        )
    try:
        with _as_refusal(path, _("it cannot be opened for writing")):
            # Before anything is changed: the file may belong to another program.
            _check_owner(connection, path, schema, empty_allowed=True)
            use_write_ahead_log(connection, BUSY_SECONDS)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            connection.execute("BEGIN IMMEDIATE")
            # Checked again under the lock: two crawls may be creating the same file.
            empty = is_empty(connection)
            found = _version(connection)
            for statement in (
                schema.create_statements if empty else schema.upgrade_statements(found)
            ):
                connection.execute(statement)
            _add_lacking_columns(connection, path, schema, found)
            # Writes the same value, to fail now and not at the first page if writing is impossible
            # (read-only file, full disk).
            connection.execute(f"PRAGMA user_version = {schema.version}")
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path, schema: Schema = SCHEMA) -> sqlite3.Connection:
    """Open the existing store at *path* without the right to change it.

    A file of an older format is read as it is, with defaults for the fields that it lacks.  On a
    read-only medium or a full one, where SQLite cannot create its shared-memory file, the file is read without
    it, unless there is something in its log.  Raises ConfigurationError if there is no store.
    """
    _check_kind(path)
    if not path.is_file():
        raise _refusal(path, _("there is no such file; a crawl creates it (scrapy crawl topic)"))
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        return _connect_for_reading(path, address, schema)
    except sqlite3.OperationalError as error:
        log = _side_file(path)
        if log.exists() and log.stat().st_size:
            rule = _("it cannot be read ({error})").format(error=refusal_reason(path, error))
            raise _refusal(path, rule) from error
    with _as_refusal(path, _("it cannot be read")):
        return _connect_for_reading(path, f"{address}&immutable=1", schema)


def has_side_files(path: Path) -> bool:
    """Return whether the write-ahead log of *path* exists, because a process has the store open."""
    return _side_file(path).exists()


def remove_side_files(path: Path) -> None:
    """Let SQLite remove the empty log files that a read-only connection has created and left.

    Only a connection with the right to write removes them, if SQLite's own locks allow it; failing
    is harmless.
    """
    with suppress(sqlite3.Error):
        address = f"{path.resolve().as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(address, uri=True, timeout=0, factory=Connection)
        ) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the two of the contract."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_BUSY:
            message = _("{path}: locked by another program").format(path=path)
            raise StoreLocked(message) from error
        reason = described(error) if code == sqlite3.SQLITE_FULL else error
        raise StoreUnavailable(f"{path}: {reason}") from error
    except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError) as error:
        raise RecordRejected(f"{path}: {error}") from error
    except (sqlite3.ProgrammingError, OverflowError, UnicodeError) as error:
        raise RecordRejected(f"{path}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreUnavailable(f"{path}: {error}") from error


def _connect_for_reading(path: Path, address: str, schema: Schema) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )
    # A damaged file may hold text that is not UTF-8.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        found = _check_owner(connection, path, schema, empty_allowed=False)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        absent = {(type_.name, field.key) for type_, field in _lacking(connection, schema)}
        for statement in schema.reading_statements(found, absent):
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_kind(path: Path) -> None:
    if path.is_dir():
        raise _refusal(path, _("it is a folder"))
    if path.exists() and not path.is_file():
        raise _refusal(path, _("it is a device or a pipe, not a file"))


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check_owner(
    connection: sqlite3.Connection, path: Path, schema: Schema, *, empty_allowed: bool
) -> int:
    """Return the file's format; refuse a file that is not ours or of a newer or unknown format."""
    try:
        # One read transaction: another crawl may be creating the tables at the same time.
        connection.execute("BEGIN")
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        version = _version(connection)
        empty = is_empty(connection)
        connection.execute("COMMIT")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise _refusal(
            path, _("it is not a SQLite database ({error})").format(error=error)
        ) from error
    if empty and owner in (0, APPLICATION_ID):
        if not empty_allowed:
            raise _refusal(path, _("it is an empty database; nothing has been stored in it"))
        return version
    if owner != APPLICATION_ID:
        raise _refusal(path, _("it is a SQLite database of another program; name a new file"))
    if not schema.supports(version):
        raise _refusal(
            path,
            _(
                "it has format {version}, and this version of topiccrawl supports formats up "
                "to {newest}; use the version that wrote it, or name a new file"
            ).format(version=version, newest=schema.version),
        )
    return version


def _add_lacking_columns(
    connection: sqlite3.Connection, path: Path, schema: Schema, found: int
) -> None:
    """Add the columns that a checkout between two formats did not have yet.

    Refuse a file without a table or column of the first format, which is damaged: every write would
    fail as if the store were away, for ever.
    """
    lacking = _lacking(connection, schema)
    damaged = [
        f"{type_.name}.{field.key}"
        for type_, field in lacking
        if field.declaration.since <= max(FIRST_FORMAT, type_.since)
    ]
    if damaged:
        raise _refusal(
            path,
            _(
                "it lacks {columns}, which its format {version} has; use the version that wrote it, "
                "or name a new file"
            ).format(columns=listed(damaged), version=found),
        )
    for type_, field in lacking:
        connection.execute(add_column(type_, field))


def _lacking(
    connection: sqlite3.Connection, schema: Schema
) -> list[tuple[RecordType[Any], StoredField]]:
    """Return the columns that are not there, with their tables."""
    lacking = []
    for type_ in schema.types:
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({type_.name})")}
        lacking += [(type_, field) for field in columns_of(type_) if field.key not in there]
    return lacking


def _side_file(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _refusal(path: Path, rule: str) -> ConfigurationError:
    return ConfigurationError(
        _("TOPICCRAWL_STORE_URI names the SQLite file {path}: {rule}").format(path=path, rule=rule)
    )


@contextmanager
def _as_refusal(path: Path, rule: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(path, f"{rule} ({refusal_reason(path, error)})") from error
