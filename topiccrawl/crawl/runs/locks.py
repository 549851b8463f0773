"""Locks of running crawls: held until the process ends, whatever ends it.

Process numbers are used again, and a killed process leaves no word: neither matters to a lock.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["HeldLock", "is_held"]


class HeldLock:
    """An exclusive lock on the file *path*, until :meth:`release` or the end of the process.

    Raises ``OSError`` if the file cannot be made, or another process holds the lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            _lock(self.handle, exclusive=True)
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
        _lock(handle, exclusive=False)
    except OSError:
        return True
    else:
        return sys.platform == "win32"
    finally:
        os.close(handle)


if sys.platform == "win32":

    def _lock(handle: int, *, exclusive: bool) -> None:
        return None

else:
    import fcntl

    def _lock(handle: int, *, exclusive: bool) -> None:
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
