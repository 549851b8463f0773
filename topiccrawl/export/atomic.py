"""Atomic writing of files."""

from __future__ import annotations

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

    The temporary file is in the same folder, so that the last step is a rename.  Raises ``OSError``
    if the folder is missing or not writable.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp creates files for the owner only; the result is an ordinary file.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
