"""Opening the SQLite file: whose it is, which version, whether it can be written; clear refusals.

Durability: the journal is a write-ahead log, so that readers never wait for the writer, and
``synchronous = FULL``: every commit is flushed to the disk before it returns.  ``NORMAL`` would
survive kill -9 too, but lose the last commits when the machine loses power, and a record is
reported durable exactly once.  With some ten records in a commit the flush is not what a crawl
waits for.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import RecordRejected, StoreUnavailable
from topiccrawl.store.sqlite.schema import (
    APPLICATION_ID,
    FORMAT_VERSION,
    OLDER_VERSIONS,
    create_statements,
    older_pages_view,
    upgrade_statements,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: How long a statement waits for another process's lock before the store counts as away.  A guess:
#: commits take milliseconds, so that only a stuck process holds a lock that long.
BUSY_SECONDS: Final = 30.0

#: Pause before the switch to the write-ahead log is tried again; making a new file takes about this.
_RETRY_SECONDS: Final = 0.01


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open or make the store at *path*; its folder is made if missing.

    A file of an older version is brought up to date.  Raise ConfigurationError if the path cannot be
    written or holds something else.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(path, f"its folder cannot be made ({error.strerror})") from error
    with _as_refusal(path, "it cannot be opened for writing"):
        connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    try:
        with _as_refusal(path, "it cannot be opened for writing"):
            # Before anything is changed: the file may be somebody else's.
            _check_owner(connection, path, empty_allowed=True)
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            # Asked again under the lock: two crawls may be making the same file.
            if _is_empty(connection):
                for statement in create_statements():
                    connection.execute(statement)
            elif _version(connection) in OLDER_VERSIONS:
                for statement in upgrade_statements():
                    connection.execute(statement)
            # A write of the same value: fails now, not at the first page, where writing is not
            # possible (read-only file, full disk).
            connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open the existing store at *path* without the right to change it.

    Raise ConfigurationError if there is none.  On a medium that nobody can write, where SQLite
    cannot make its shared-memory file, the file is read as it stands.
    """
    if not path.is_file():
        raise _refusal(path, "there is no such file; a crawl makes it (scrapy crawl topic)")
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        return _connect_for_reading(path, address)
    except sqlite3.OperationalError as error:
        if _side_file(path).exists():
            raise _refusal(path, f"it cannot be read ({error})") from error
    with _as_refusal(path, "it cannot be read"):
        return _connect_for_reading(path, f"{address}&immutable=1")


def has_side_files(path: Path) -> bool:
    """Tell whether the write-ahead log of *path* exists: some process has the store open."""
    return _side_file(path).exists()


def remove_side_files(path: Path) -> None:
    """Let SQLite remove the empty log files that a read-only connection has made and left.

    Only a connection with the right to write removes them, and SQLite's own locks decide whether
    it may; failing is harmless.
    """
    with suppress(sqlite3.Error):
        address = f"{path.resolve().as_uri()}?mode=rw"
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the two that the contract knows."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"{path}: {error}") from error
    except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError) as error:
        raise RecordRejected(f"{path}: {error}") from error
    except (sqlite3.ProgrammingError, OverflowError, UnicodeError) as error:
        raise RecordRejected(f"{path}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreUnavailable(f"{path}: {error}") from error


def _connect_for_reading(path: Path, address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        if _check_owner(connection, path, empty_allowed=False) in OLDER_VERSIONS:
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(older_pages_view())
    except BaseException:
        connection.close()
        raise
    return connection


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the journal; SQLite does not wait for locks here, however long its time-out is."""
    give_up_at = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            locked = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not locked or time.monotonic() >= give_up_at:
                raise
            time.sleep(_RETRY_SECONDS)


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check_owner(connection: sqlite3.Connection, path: Path, *, empty_allowed: bool) -> int:
    """Return the file's format version; refuse a file that is not ours or too new."""
    try:
        # One read transaction: another crawl may be making the tables at this very moment.
        connection.execute("BEGIN")
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        version = _version(connection)
        empty = _is_empty(connection)
        connection.execute("COMMIT")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise _refusal(path, f"it is not a SQLite database ({error})") from error
    if empty and owner in (0, APPLICATION_ID):
        if not empty_allowed:
            raise _refusal(path, "it is an empty database; nothing has been stored in it")
        return version
    if owner != APPLICATION_ID:
        raise _refusal(path, "it is a SQLite database of another program; name a new file")
    if version != FORMAT_VERSION and version not in OLDER_VERSIONS:
        raise _refusal(
            path,
            f"it has format {version}, and this version of topiccrawl knows format "
            f"{FORMAT_VERSION}; use the version that wrote it, or name a new file",
        )
    return version


def _side_file(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _refusal(path: Path, rule: str) -> ConfigurationError:
    return ConfigurationError(f"TOPICCRAWL_STORE_URI names the SQLite file {path}: {rule}")


@contextmanager
def _as_refusal(path: Path, rule: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(path, f"{rule} ({error})") from error
