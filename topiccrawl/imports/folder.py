"""The files of a folder on disk."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, cast
from urllib.parse import quote

from topiccrawl.imports.entries import File, LeftOut

#: Folders that browsers write beside a page with all of its pictures and frames: Chrome, Edge and
#: Firefox ``title_files``, Internet Explorer ``title.files``, with other words in other languages.
_BESIDE: Final = re.compile(r"(?P<page>.+)(?:_files|\.files|_文件|_檔案|_archivos|_fichiers)$")
_PAGE_ENDS: Final = (".html", ".htm", ".xhtml", ".shtml", ".mht", ".mhtml")


def folder_files(folder: Path) -> Iterator[File | LeftOut]:
    """Yield the files below *folder* in the order of their names; links are not followed.

    Hidden files and folders are left out, and what browsers save beside a page.
    """
    # Not recursive: folders may be nested deeper than Python's stack.
    waiting = [_entries(folder.resolve(), "")]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
        elif isinstance(found, _Folder):
            waiting.append(_entries(found.path, f"{found.name}/"))
        else:
            yield found


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path
    name: str


def _entries(folder: Path, prefix: str) -> Iterator[File | LeftOut | _Folder]:
    try:
        found = sorted(os.scandir(folder), key=lambda it: it.name)
    except OSError:
        yield LeftOut(prefix or str(folder), "unreadable")
        return
    names = {entry.name for entry in found}
    for entry in found:
        name = f"{prefix}{entry.name}"
        if entry.name.startswith(".") or entry.name == "__MACOSX":
            yield LeftOut(name, "hidden")
        elif entry.is_symlink():
            yield LeftOut(name, "link")
        elif not entry.is_dir(follow_symlinks=False):
            yield file_on_disk(Path(entry.path), name)
        elif saved_with(entry.name, names):
            yield LeftOut(name, "part-of-page")
        else:
            yield _Folder(Path(entry.path), name)


def saved_with(folder: str, names: Collection[str]) -> bool:
    """Return whether a browser has written *folder* for a page that is among the *names* beside it.

    >>> saved_with("侨乡_files", {"侨乡.html"}), saved_with("my_files", {"侨乡.html"})
    (True, False)
    """
    match = _BESIDE.match(folder)
    return match is not None and any(match["page"] + end in names for end in _PAGE_ENDS)


def is_part_of_saved_page(path: str, names: Collection[str]) -> bool:
    """Return whether a browser has saved *path* for a page among *names*, all paths with ``/``."""
    folders = path.split("/")[:-1]
    for depth, folder in enumerate(folders):
        match = _BESIDE.match(folder)
        if match is None:
            continue
        page = "/".join([*folders[:depth], match["page"]])
        if any(page + end in names for end in _PAGE_ENDS):
            return True
    return False


def file_on_disk(path: Path, name: str) -> File | LeftOut:
    """Return the file at the absolute *path*; devices, pipes and unreadable files are left out."""
    try:
        status = path.stat()
    except OSError:
        return LeftOut(name, "unreadable")
    if not stat.S_ISREG(status.st_mode):
        return LeftOut(name, "not-a-file")

    def open_it() -> BinaryIO:
        return cast("BinaryIO", path.open("rb"))

    modified = file_time(status.st_mtime)
    return File(name, file_url(path), status.st_size, modified, open_it, seekable=True)


def file_time(seconds: float) -> datetime | None:
    """Return the time of a file; ``None`` for one that no calendar has, as damaged disks and archives have."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def file_url(path: Path | str) -> str:
    """Return the ``file:`` URL of an absolute *path*.

    >>> file_url("/home/a/侨 乡#1.html")
    'file:///home/a/%E4%BE%A8%20%E4%B9%A1%231.html'
    """
    return "file://" + quoted_path(os.fsencode(path))


def quoted_path(path: str | bytes) -> str:
    """Return *path* for a URL; only bytes that a URL may not have in its path are escaped."""
    raw = path.encode("utf-8", "surrogateescape") if isinstance(path, str) else path
    return quote(raw, safe="/~!$&'()*+,;=:@")
