"""Atomic writing of files."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def output_stream(out: str) -> Iterator[BinaryIO]:
    """Yield the stream to write to: :func:`atomic_file` at the path *out*, or standard output for ``-``."""
    if out == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(out)) as stream:
        yield stream


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose content becomes *path* at the end; on any error *path* stays unchanged.

    The temporary file is in the same folder, so that the last step is a rename.  A device, a FIFO
    and a socket are written to as they are: a rename would put a file in the place of
    ``/dev/null``.  Of a symbolic link, the target is replaced.

    Raises
    ------
    OSError
        If the folder is missing or not writable, or *path* is a folder; it names *path*.
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
            handle, name = tempfile.mkstemp(
                prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent
            )
            temporary = Path(name)
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


def prepare_folder(path: Path) -> None:
    """Make the folder of *path* if it is missing, and check that a file can be made in it.

    Raises
    ------
    OSError
        If :func:`atomic_file` could not write *path*; it names *path*.
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
