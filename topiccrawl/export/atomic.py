"""Output files: their format, and atomic writing."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from topiccrawl.errors import OptionError
from topiccrawl.language import _, listed
from topiccrawl.sharedfiles import HAS_LOCKS, try_lock

#: Characters of the target's name that temporary files have: room for the rest within 255 bytes.
_NAME_CHARS: Final = 40
#: What ``tempfile`` puts between prefix and suffix.
_RANDOM: Final = "[a-z0-9_]{8}"
#: Neither follow a link nor wait for the other end of a FIFO (Windows has neither flag).
_CAREFUL: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def output_stream(out: str) -> Iterator[BinaryIO]:
    """Yield the stream to write to: :func:`atomic_file` at the path *out*, or standard output for ``-``."""
    if out == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(out)) as stream:
        yield stream


def format_of(
    out: str, given: str | None, choices: Sequence[str], aliases: Mapping[str, str] | None = None
) -> str:
    """Return the *given* format, or that of the extension of *out*.

    *aliases* are other names of the formats.  Raises :class:`OptionError` that lists the *choices*.
    """
    name = given if given is not None else Path(out).suffix.lstrip(".").lower()
    name = (aliases or {}).get(name, name)
    if name not in choices:
        text = _("the extension of --out must be one of {choices}, got {name!r}")
        if given is not None:
            text = _("{what} must be one of {choices}, got {name!r}")
        raise OptionError(text.format(what="--format", choices=listed(choices), name=name))
    return name


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose content becomes *path* at the end; on any error *path* stays unchanged.

    The temporary file is in the same folder, so that the last step is a rename; those of processes that
    were killed while they wrote the same *path* are removed.  A device, a FIFO
    and a socket are written to as they are: a rename would put a file in the place of
    ``/dev/null``.  Of a symbolic link, the target is replaced.  Raises ``OSError`` if the folder is missing
    or not writable, or *path* is a folder; it names *path*.
    """
    if path.exists() and not path.is_file():
        with _naming(path), path.open("wb") as stream:
            yield stream
        return
    # Not Path.resolve, which raises RuntimeError for a loop of links.
    target = Path(os.path.realpath(path))
    temporary = None
    try:
        with _naming(path):
            _remove_leftovers(target)
            handle, temporary = _locked_file(target)
            with _lock_kept(handle):
                with os.fdopen(handle, "wb") as stream:
                    yield stream
                    stream.flush()
                    os.fsync(stream.fileno())
                # mkstemp creates files for the owner only; the result is an ordinary file.
                umask = os.umask(0)
                os.umask(umask)
                temporary.chmod(0o666 & ~umask)
                temporary.replace(target)
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise


def _prefix(target: Path) -> str:
    return f".{target.name[:_NAME_CHARS]}."


def _locked_file(target: Path) -> tuple[int, Path]:
    """Make a temporary file for *target*; its lock says that a living process uses it."""
    while True:
        handle, name = tempfile.mkstemp(prefix=_prefix(target), suffix=".tmp", dir=target.parent)
        try:
            try_lock(handle, wait=True)
            if Path(name).exists():
                return handle, Path(name)
        except BaseException:
            os.close(handle)
            Path(name).unlink(missing_ok=True)
            raise
        os.close(handle)  # another process has taken it for a leftover before it was locked


def _remove_leftovers(target: Path) -> None:
    """Remove the temporary files of *target* that processes have left when they were killed.

    Whatever cannot be read, locked or removed stays.
    """
    ours = re.compile(rf"{re.escape(_prefix(target))}{_RANDOM}\.tmp")
    with suppress(OSError):
        for found in target.parent.iterdir():
            if ours.fullmatch(found.name):
                with suppress(OSError):
                    _remove_unlocked(found)


def _remove_unlocked(path: Path) -> None:
    """Remove a file unless a process holds its lock."""
    handle = os.open(path, os.O_RDWR | _CAREFUL)
    try:
        if try_lock(handle):
            path.unlink()
    finally:
        os.close(handle)


@contextmanager
def _lock_kept(handle: int) -> Iterator[None]:
    """Keep the lock of an open file until it has its name."""
    # Windows does not rename a file that is open.
    copy = os.dup(handle) if HAS_LOCKS else None
    try:
        yield
    finally:
        if copy is not None:
            os.close(copy)


def prepare_folder(path: Path) -> None:
    """Make the folder of *path* if it is missing, and check that a file can be made in it.

    Raises ``OSError`` if :func:`atomic_file` could not write *path*; it names *path*.
    """
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        return
    folder = Path(os.path.realpath(path)).parent
    with _naming(path):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(suffix=".tmp", dir=folder):
            pass


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors of the temporary file, and those that name no file, name *path*."""
    try:
        yield
    except OSError as error:
        named = error.filename
        if error.errno is None or (named is not None and not str(named).endswith(".tmp")):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
