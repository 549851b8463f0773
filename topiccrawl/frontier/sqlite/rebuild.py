"""Reading what is sound in a damaged queue's file, and putting a new file in its place."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import Any, Final

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.errors import FileFault, FrontierFileError
from topiccrawl.frontier.records import UnreadableRecordError, decoded
from topiccrawl.frontier.salvage import Salvage
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.codec import as_text, unpacked_evidence
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.schema import GIVEN_UP, OPEN
from topiccrawl.language import _
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.sqlitefiles import Connection
from topiccrawl.urls.hosts import host_of

_PIECE: Final = 500
#: After this many rows that cannot be found, a table is at its end: more than any queue has.
_LONGEST_GAP: Final = 2**40
_ASIDE: Final = ".damaged-"
_NEW: Final = ".rebuilt"
_WITH_LOG: Final = ("", "-wal", "-journal")


def rebuild_file(path: Path, refill: Callable[[SQLiteFrontier, Salvage], None]) -> Path | None:
    """Make a new queue at *path*; return where the old file is kept, ``None`` if there was none.

    *refill* receives the new queue and what is sound in the old one.  The old file is only moved, and
    only when the new one is complete.  Raises :class:`FrontierFileError` while workers use it.
    """
    if locks.any_held(path):
        raise FrontierFileError(
            path, FileFault.IN_USE, _("it cannot be rebuilt, other workers are using it")
        )
    locks.sweep(path)
    source = path if path.exists() else _moved_aside(path)
    new = path.with_name(f"{path.name}{_NEW}")
    _remove(new)
    for folder in path.parent.glob(f"{escape(new.name)}-*/"):
        shutil.rmtree(folder)
    try:
        frontier = SQLiteFrontier(new)
        try:
            refill(frontier, salvaged(source, f"{new.name}-"))
        finally:
            frontier.close()
    except BaseException:  # a full disk, Ctrl-C
        _remove(new)
        raise
    kept = None if source == path else source
    if path.exists():
        kept = path.with_name(f"{path.name}{_ASIDE}{datetime.now():%Y%m%dT%H%M%S%f}")
        _move(path, kept)
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    new.rename(path)
    return kept


def _moved_aside(path: Path) -> Path:
    """Return the file that a rebuilding moved before it was killed, with its log; else *path*."""
    found = path.parent.glob(f"{escape(path.name)}{_ASIDE}*[0-9]")
    aside = max(found, default=path)
    if aside != path:
        # A log that has stayed would be taken for one of the new file.
        _move(path, aside)
    return aside


def _move(path: Path, kept: Path) -> None:
    """Rename the file of a queue, then its logs."""
    for part in _WITH_LOG:
        with suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(kept.with_name(kept.name + part))


def salvaged(path: Path, prefix: str) -> Salvage:
    """Return what can be read of the queue at *path*, which stays as it is.

    It is copied to a temporary folder whose name begins with *prefix*.
    """
    found = Salvage()
    if not path.exists():
        return found
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=prefix) as folder:
        copy = Path(folder) / "queue"
        for part in _WITH_LOG:
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + part), copy.with_name("queue" + part))
        try:
            with closing(
                sqlite3.connect(copy, isolation_level=None, factory=Connection)
            ) as connection:
                _read(connection, found)
        except (sqlite3.Error, MemoryError, OverflowError):
            found.complete = False
    return found


def _read(connection: sqlite3.Connection, found: Salvage) -> None:
    hosts, scores = dict[int, str](), dict[int, float]()
    for n, name in _rows(connection, found, "n, name", "hosts"):
        with suppress(AttributeError, UnicodeError):
            hosts[n] = as_text(name)
    # The present scores; sound tables only, as the links have their first scores.
    with suppress(sqlite3.Error):
        scores.update(connection.execute("SELECT ord, score FROM waiting"))
    columns = "ord, host, closed, score, depth, url, why, request"
    for ord, host, closed, score, *rest in _rows(connection, found, columns, "links"):
        link = _link(hosts.get(host), scores.get(ord, score), *rest)
        if link is None:
            found.complete = False
        elif closed == OPEN:
            found.waiting.append(link)
        else:
            (found.given_up if closed == GIVEN_UP else found.done).append(link)
    for _n, entry in _rows(connection, found, "n, entry", "journal"):
        if isinstance(entry, bytes):
            found.journal.append(entry)


def _rows(
    connection: sqlite3.Connection, found: Salvage, columns: str, table: str
) -> Iterator[tuple[Any, ...]]:
    """Yield the readable rows of a table in the order of its first column, an integer key.

    Behind a row that cannot be read, the next one is looked for in growing steps.
    """
    key = columns.partition(",")[0]
    sql = f"SELECT {columns} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT ?"
    last, gap, piece = 0, 1, _PIECE
    while gap < _LONGEST_GAP:
        try:
            rows = connection.execute(sql, (last, piece)).fetchall()
        except (sqlite3.Error, MemoryError, OverflowError):
            found.complete = False
            if piece > 1:
                piece = 1  # find the row that cannot be read
                continue
            last, gap = last + gap, gap * 2
            continue
        rows = [row for row in rows if isinstance(row[0], int) and row[0] > last]
        if not rows:
            return
        yield from rows
        last = max(row[0] for row in rows)
        # Back to whole pieces once the damage lies behind.
        gap, piece = 1, min(piece * 2, _PIECE)


def _link(
    host: str | None, score: Any, depth: Any, url: Any, why: Any, request: Any
) -> QueuedLink | None:
    try:
        text = as_text(url)
        data = {} if request is None else decoded(request)
    except (AttributeError, UnicodeError, UnreadableRecordError):
        return None
    if not isinstance(data, dict):
        return None
    try:
        evidence = unpacked_evidence(score, depth, why)
    except UnreadableRecordError:
        evidence = LinkEvidence()
    return QueuedLink(text, host or host_of(text), evidence, data)


def _remove(path: Path) -> None:
    for part in (*_WITH_LOG, "-shm"):
        path.with_name(path.name + part).unlink(missing_ok=True)
