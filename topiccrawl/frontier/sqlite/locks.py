"""Locks of living workers: each worker holds a lock file beside the frontier until its process ends.

The death of a process is noticed at once, whatever ended it, and process numbers that are used again
do no harm.  Where the system has no such locks, all count as held, and workers die by silence only.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from topiccrawl.sharedfiles import try_lock

_MIDDLE: Final = "-worker-"


class WorkerLock:
    """The lock of one worker on *path*, until :meth:`release`.

    Not atomic by itself: create it while no sweep can run (in the transaction that registers it).
    """

    def __init__(self, path: Path) -> None:
        self.token = secrets.token_hex(6)
        self._file = _lock_path(path, self.token)
        self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try_lock(self._handle)

    def release(self) -> None:
        """Release the lock, so that this worker counts as gone; a second call does nothing."""
        if self._handle >= 0:
            # First the name: a file that can be opened and locked counts as a dead worker's.
            with suppress(OSError):
                self._file.unlink()
            os.close(self._handle)
            self._handle = -1


def is_held(path: Path, token: str) -> bool:
    """Return whether the worker *token* on *path* is alive, as far as its lock shows."""
    try:
        handle = os.open(_lock_path(path, token), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(handle)
    finally:
        os.close(handle)


def any_held(path: Path) -> bool:
    """Return whether any worker on *path* is alive."""
    return any(is_held(path, token) for token in _tokens(path))


def sweep(path: Path) -> None:
    """Delete the lock files of dead workers on *path*; no :class:`WorkerLock` may be created meanwhile."""
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
