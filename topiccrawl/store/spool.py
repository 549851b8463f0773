"""The spool: records on the disk that wait for an unavailable store.

A folder per topic and store contains *segments*, files of checksummed lines that are only appended
to and flushed to the disk before ``append`` returns.  A segment is deleted when all its records are
in the store.  If a run ends or dies before that, the next run on the same topic and store finds the
segments and writes them first: nothing is lost, and because every write is an upsert, nothing is
duplicated.

Each process appends to segments of its own and holds a lock on them, so that two crawls of one topic
do not take each other's.  The lock ends with the process, however it ends.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, ngettext
from topiccrawl.sharedfiles import HAS_LOCKS, try_lock
from topiccrawl.store.records import Record
from topiccrawl.store.spool_format import DamagedFrame, frame, to_json, unframe
from topiccrawl.store.uri import masked

logger = logging.getLogger(__name__)

#: Size at which a segment is closed and a new one begun, so that the records of a long outage are
#: written, and their space freed, in steps.  A guess: a thousand pages with their HTML.
SEGMENT_BYTES: Final = 16 * 1024 * 1024

_SUFFIX: Final = ".spool"


class Spool:
    """Records of *topic* that wait for the store at the address *store*, in a folder under *base*.

    Nothing is created before the first record is appended.  Methods block on the disk: call them in
    a thread.
    """

    def __init__(
        self, base: Path, topic: str, store: str = "", *, segment_bytes: int = SEGMENT_BYTES
    ) -> None:
        # A name that people recognize, and a hash for names that would look alike.  Without password
        # and options: with other ones it is still the same store.
        place = masked(store).partition("?")[0]
        key = f"{topic}\x00{place}".encode("utf-8", "replace")
        digest = hashlib.blake2b(key, digest_size=4)
        readable = re.sub(r"[^\w-]+", "_", topic.encode("utf-8", "replace").decode())[:40]
        self.topic = topic
        self.folder = base / f"{readable}-{digest.hexdigest()}"
        self._segment_bytes = segment_bytes
        self._active: FileIO | None = None
        self._held: dict[Path, FileIO] = {}
        self._begun = 0

    @property
    def rejected_path(self) -> Path:
        """The file of records that the store refused for their content."""
        return self.folder / "rejected.jsonl"

    def open(self) -> int:
        """Take over the segments that dead processes left; return the number of segments now.

        Raises:
            ConfigurationError: the folder could not be written when it is needed.
        """
        _check_writable(self.folder)
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")):
            if path not in self._held:
                with suppress(FileNotFoundError):
                    file = path.open("r+b", buffering=0)
                    # If deleted between listing and locking, another process has written it to the store.
                    if _lock(file) and path.exists():
                        self._held[path] = file
                    else:
                        file.close()
        return len(self._held)

    def append(self, records: Sequence[Record]) -> None:
        """Append *records*; they are on the disk when this returns.

        Raises:
            OSError: the disk is full or not writable; none of *records* counts as kept.
        """
        data = b"".join(map(frame, records))
        file = self._active
        if file is None or not os.fstat(file.fileno()).st_nlink:  # deleted: nobody would find it
            file = self._begin()
        start = file.seek(0, os.SEEK_END)
        try:
            _write_all(file, data)
            os.fsync(file.fileno())
        except OSError:
            # A torn line must not be continued by the next one.
            self._active = None
            with suppress(OSError):
                os.ftruncate(file.fileno(), start)
            raise
        if start + len(data) >= self._segment_bytes:
            self._active = None

    def waiting(self) -> bool:
        """Return whether records wait in the spool."""
        return bool(self._held)

    def segments(self) -> list[Path]:
        """Close the segment that is being written, and return all of ours that are there, oldest first."""
        self._active = None
        for path in [it for it in self._held if not it.exists()]:
            gone = _("{path} was deleted, moved or replaced while it was open").format(path=path)
            logger.error("%s", gone)
            self._held.pop(path).close()
        return sorted(self._held)

    def read(self, segment: Path, size: int) -> Iterator[list[Record]]:
        """Yield the records of *segment* in the order of their arrival, at most *size* at a time.

        A torn last line is skipped: ``append`` never returned for it.  Any other line that cannot be read
        is logged, a copy of the file is kept under another name, and the rest is read.
        """
        batch: list[Record] = []
        damaged: list[int] = []
        torn = number = 0
        with segment.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    batch.append(unframe(line))
                except DamagedFrame:
                    damaged.append(number)
                    torn = number
                except (ValueError, KeyError, TypeError):
                    # A whole line, as a newer version writes it.
                    damaged.append(number)
                if len(batch) >= size:
                    yield batch
                    batch = []
        if batch:
            yield batch
        if damaged and not damaged == [torn] == [number]:
            copy = segment.with_suffix(".damaged")
            copy.write_bytes(segment.read_bytes())
            logger.error(
                ngettext(
                    "%(count)d damaged line in the spool, %(line)d of %(path)s",
                    "%(count)d damaged lines in the spool, the first is %(line)d of %(path)s",
                    len(damaged),
                ),
                {"count": len(damaged), "line": damaged[0], "path": copy},
            )

    def remove(self, segment: Path) -> None:
        """Delete *segment*, whose records are all in the store."""
        segment.unlink(missing_ok=True)
        file = self._held.pop(segment, None)
        if file is not None:
            file.close()
        with suppress(OSError):
            # Succeeds only when the folder is empty.
            self.folder.rmdir()

    def reject(self, record: Record, reason: str) -> None:
        """Set *record* aside, which the store refuses, with the *reason*, for inspection."""
        try:
            content = to_json(record)
        except (ValueError, TypeError, AttributeError):
            content = json.dumps(repr(record))
        line = f'{{"reason":{json.dumps(reason)},"record":{content}}}\n'
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.rejected_path.open("a", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def files(self) -> list[Path]:
        """Return the files in the folder: what waits, what the store rejected, what is damaged."""
        return sorted(self.folder.iterdir()) if self.folder.is_dir() else []

    def erase(self) -> None:
        """Delete everything in the folder; raise ConfigurationError while another process uses it."""
        if not self.files():
            return
        self.open()
        for path in self.files():
            if path.suffix == _SUFFIX and path not in self._held:
                raise ConfigurationError(
                    _("{path} cannot be erased, a running crawl is using it").format(path=path)
                )
        for path in self.files():
            self.remove(path)

    def close(self) -> None:
        """Release the locks; waiting records stay for the next run."""
        self._active = None
        for file in self._held.values():
            file.close()
        self._held.clear()

    def _begin(self) -> FileIO:
        self.folder.mkdir(parents=True, exist_ok=True)
        # Sorts by time; within one process by the counter, should the clock go back.
        self._begun += 1
        name = f"{time.time_ns():020d}-{self._begun:06d}-{secrets.token_hex(4)}{_SUFFIX}"
        path = self.folder / name
        # Unbuffered: a failed write must not leave data that a later write would repeat.
        file = path.open("x+b", buffering=0)
        _lock(file)
        try:
            _flush_folder(self.folder)
        except OSError:
            file.close()
            with suppress(OSError):
                path.unlink()
            raise
        self._held[path] = file
        self._active = file
        return file


def _write_all(file: FileIO, data: bytes) -> None:
    """Write all of *data*: a raw file may write less at a time."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _check_writable(folder: Path) -> None:
    """Raise ConfigurationError if *folder* could not be created or written when it is needed."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        raise ConfigurationError(
            _(
                "TOPICCRAWL_STORE_SPOOL_DIR: {folder}, where records wait while the store is "
                "unavailable, must be a folder that can be written, and {place} is not"
            ).format(folder=folder, place=place)
        )


def _lock(file: FileIO) -> bool:
    """Take the lock on *file* if no other process has it."""
    # Windows itself refuses to delete or share a file that is open.
    return try_lock(file) or not HAS_LOCKS


def _flush_folder(folder: Path) -> None:
    """Flush *folder*, so that the name of a new file survives a power cut."""
    if HAS_LOCKS:  # Windows has no handles of folders either
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
