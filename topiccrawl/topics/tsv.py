"""Files of lines with tabs that both users and commands write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.sharedfiles import lock, replace_file
from topiccrawl.userfiles import read_user_text, writing

#: Characters of a wrong value that an error message shows (a choice).
MOST_SHOWN: Final = 200


def is_comment(line: str) -> bool:
    """Return whether *line* is empty or starts with ``#``."""
    return not line.strip() or line.lstrip().startswith("#")


def read_lines(file: Path | Traversable) -> list[str]:
    """Return the lines of *file*, none if it does not exist."""
    if not file.is_file():
        if isinstance(file, Path) and (file.exists() or file.is_symlink()):
            raise ConfigurationError(_("{file}: must be a file").format(file=file))
        return []
    text = read_user_text(file)
    # Not splitlines: a note may contain U+2028 and its like.
    return text.replace("\r\n", "\n").rstrip("\n").split("\n") if text.strip("\n") else []


def read_time(cell: str, where: str) -> datetime | None:
    """Return the time in *cell*, in UTC if it states no zone; ``None`` for an empty one."""
    if not cell:
        return None
    try:
        moment = datetime.fromisoformat(cell)
    except ValueError:
        raise ConfigurationError(
            _("{where}: time must be a date such as 2026-05-01, or empty, got {time!r}").format(
                where=where, time=cell[:MOST_SHOWN]
            )
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@contextmanager
def changing(file: Path) -> Iterator[None]:
    """Read *file* and replace it meanwhile: nobody else does the same, in any thread or process.

    The lock is that of its folder, which is created.  On Windows, and where the file system has no locks,
    nothing is locked.  Raises ``ConfigurationError`` if the folder cannot be created.
    """
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        with suppress(OSError):
            folder = os.open(file.parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            lock(folder, wait=True)
        yield


def replace_text(file: Path, text: str) -> None:
    """Write *file* so that a reader sees the old text or the new one, never a part."""
    with writing(file):
        replace_file(file, text.encode())
