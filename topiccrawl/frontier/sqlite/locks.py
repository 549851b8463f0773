"""Who is alive: each worker on a file holds a lock beside it, and the lock goes with its process.

A dead process is known at once, whatever ended it, and no process number can be mistaken for another
one's.  Where the system has no such locks, all count as held, and only a worker's silence tells.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_MIDDLE: Final = "-worker-"


class WorkerLock:
    """The lock of one worker on *path*; :meth:`release` gives it back.

    Not atomic by itself: make it while nobody else can sweep (in the transaction that registers it).
    """

    def __init__(self, path: Path) -> None:
        self.token = secrets.token_hex(6)
        self._file = _lock_path(path, self.token)
        self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        _try_lock(self._handle)

    def release(self) -> None:
        """Let the others see that this worker is gone; doing it twice does nothing."""
        if self._handle >= 0:
            # First the name: what can be opened and locked is a dead worker's.
            with suppress(OSError):
                self._file.unlink()
            os.close(self._handle)
            self._handle = -1


def is_held(path: Path, token: str) -> bool:
    """Whether the worker *token* on *path* lives, as far as its lock tells."""
    try:
        handle = os.open(_lock_path(path, token), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _try_lock(handle)
    finally:
        os.close(handle)


def any_held(path: Path) -> bool:
    """Whether any worker on *path* lives."""
    return any(is_held(path, token) for token in _tokens(path))


def sweep(path: Path) -> None:
    """Delete the lock files of dead workers on *path*, while no :class:`WorkerLock` can be made."""
    for token in _tokens(path):
        if not is_held(path, token):
            with suppress(OSError):
                _lock_path(path, token).unlink()


def _tokens(path: Path) -> list[str]:
    begin = path.name + _MIDDLE
    with suppress(FileNotFoundError):
        names = sorted(entry.name for entry in path.parent.iterdir())
        return [name.removeprefix(begin) for name in names if name.startswith(begin)]
    return []


def _lock_path(path: Path, token: str) -> Path:
    return path.with_name(f"{path.name}{_MIDDLE}{token}")


if sys.platform == "win32":

    def _try_lock(handle: int) -> bool:
        return False

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
