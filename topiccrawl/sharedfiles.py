"""Files that several processes use: locks, and replacement in one step.

A lock ends with its process, whatever ends that.  Process numbers are used again, and a killed process
leaves no word: neither matters to a lock.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final

#: Whether the system has locks of this kind; a file system in it may have none all the same.
HAS_LOCKS: Final = sys.platform != "win32"


if sys.platform == "win32":

    def lock(file: int | FileIO, *, shared: bool = False, wait: bool = False) -> None:
        """Raise ``OSError``: there are no locks."""
        raise OSError("no locks")

else:
    import fcntl

    def lock(file: int | FileIO, *, shared: bool = False, wait: bool = False) -> None:
        """Lock an open file or folder until it and its duplicates are closed.

        Raises ``BlockingIOError`` if another holds the lock (unless *wait*), and another ``OSError``
        where the file system has no locks.
        """
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(file, kind | (0 if wait else fcntl.LOCK_NB))


def try_lock(file: int | FileIO, *, wait: bool = False) -> bool:
    """Do what :func:`lock` does; return whether this process has the lock now."""
    try:
        lock(file, wait=wait)
    except OSError:
        return False
    return True


class HeldLock:
    """An exclusive lock on the file *path*, until :meth:`release` or the end of the process.

    Raises ``OSError`` if the file cannot be made, or another process holds the lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            if HAS_LOCKS:
                lock(self.handle)
        except OSError:
            os.close(self.handle)
            raise

    def release(self) -> None:
        """Release the lock in this process; a second call does nothing."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def is_held(path: Path) -> bool:
    """Return whether a living process holds the lock on *path*.

    The look takes a shared lock for a moment, so that two that look do not mistake each other for the
    holder.  ``True`` on systems without locks if there is the file.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        lock(handle, shared=True)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes, *, flush: bool = True) -> None:
    """Write *path* so that a reader sees the old content or the new one, never a part.

    The target of a symbolic link is replaced, and keeps its permissions.  Without *flush*, a power cut
    may leave the file empty.  Raises ``OSError``, and the old content stays then.
    """
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
            if flush:
                stream.flush()
                os.fsync(stream.fileno())
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a folder that becomes *folder*, which must not exist, at the end; after an error nothing remains.

    Raises ``OSError`` if it cannot be made.
    """
    draft = folder.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        draft.mkdir(parents=True)
        yield draft
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
