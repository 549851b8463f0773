"""From a path to entries: folders, archives, WARC files, MHTML and pages are opened as they are met."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, cast

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.imports.archives import DAMAGE, packed_file, tar_files, zip_files
from topiccrawl.imports.entries import Entry, File, Found, LeftOut, entry_key
from topiccrawl.imports.folder import file_on_disk, folder_files
from topiccrawl.imports.kinds import HEAD_BYTES, FileKind, file_kind, is_asset
from topiccrawl.imports.limits import Budget, BudgetSpent, Limits
from topiccrawl.imports.lists import is_url_list
from topiccrawl.imports.mhtml import read_mhtml
from topiccrawl.imports.origins import origin_of, without_pictures
from topiccrawl.imports.reasons import BEFORE
from topiccrawl.language import _
from topiccrawl.page.decoding import decode

logger = logging.getLogger(__name__)

_ARCHIVES: Final = frozenset({"zip", "tar", "packed", "warc"})


@dataclass(frozen=True, slots=True)
class Walk:
    """Everything below a path.

    Parameters
    ----------
    path
        A folder or a file of any kind.
    known
        Returns whether the entry with this key is not wanted any more.
    limits
        What is read at most.
    """

    path: Path
    known: Callable[[str], bool] = lambda key: False
    limits: Limits = field(default_factory=Limits)

    def found(self) -> Iterator[Found]:
        """Yield entries and what is left out, in a fixed order; nothing wrong in a file raises.

        Raises :class:`~topiccrawl.errors.ConfigurationError` if warcio is missing, which is needed.
        """
        path = self.path.resolve()
        if path.is_dir():
            for file in folder_files(path):
                yield from self._file(file, None, 0)
        else:
            yield from self._file(file_on_disk(path, path.name), None, 0)

    def _file(self, file: File | LeftOut, budget: Budget | None, depth: int) -> Iterator[Found]:
        if isinstance(file, LeftOut):
            yield file
            return
        if is_asset(file.name):
            yield LeftOut(file.name, "asset", file.url)
            return
        try:
            with file.open() as stream:
                head = _read(stream, HEAD_BYTES)
                kind = file_kind(head, file.name)
                if kind not in _ARCHIVES:
                    yield self._entry(file, kind, head, stream)
                    return
                if depth >= self.limits.nesting:
                    yield LeftOut(file.name, "nesting", file.url)
                    return
                if not file.seekable:
                    with _spooled(file, head, stream) as (spooled, path):
                        yield from self._archive(spooled, path, kind, budget, depth)
                    return
            yield from self._archive(file, self._place(file), kind, budget, depth)
        except BudgetSpent:
            yield LeftOut(file.name, "bomb", file.url)
        except PermissionError:
            yield LeftOut(file.name, "unreadable", file.url)
        except ConfigurationError as error:
            if isinstance(error.__cause__, ModuleNotFoundError) or self.path.is_file():
                raise  # what the user has named
            yield LeftOut(file.name, "damaged", file.url)
        except DAMAGE:
            yield LeftOut(file.name, "damaged", file.url)
        except Exception:
            # Whatever a library raises on a file that breaks its assumptions.
            logger.warning(_("%s cannot be read"), file.name, exc_info=True)
            yield LeftOut(file.name, "damaged", file.url)

    def _place(self, file: File) -> Path:
        root = self.path.resolve()
        return root / file.name if root.is_dir() else root

    def _archive(
        self, file: File, path: Path, kind: FileKind, budget: Budget | None, depth: int
    ) -> Iterator[Found]:
        """Yield what is in an archive at *path* on disk."""
        if kind == "warc":
            with needs_extra("warc", _("The WARC file {path}").format(path=file.name)):
                from topiccrawl.imports.warc import warc_entries  # optional dependency
            yield from warc_entries(file, path, self.limits, self.known)
            return
        budget = budget or Budget.of(file.size, self.limits)
        if kind == "packed":
            yield from self._file(packed_file(file, budget), budget, depth + 1)
            return
        members = zip_files if kind == "zip" else tar_files
        for member in members(file, budget):
            yield from self._file(member, budget, depth + 1)

    def _entry(self, file: File, kind: FileKind, head: bytes, stream: BinaryIO) -> Found:
        """Return the page or document of which *head* was read from *stream*."""
        whole = head[: head.rfind(b"\n") + 1] or head
        if kind == "text" and is_url_list(decode(whole).text.splitlines()):
            return LeftOut(file.name, "url-list", file.url)
        if kind not in ("page", "mhtml", "document", "text"):
            return LeftOut(file.name, kind, file.url)
        key = entry_key(file.stamp)
        if self.known(key):
            return LeftOut(file.name, BEFORE, file.url)
        most = self.limits.file_bytes
        body = head if file.size > most else head + _read(stream, most + 1 - len(head))
        if max(file.size, len(body)) > most:
            return LeftOut(file.name, "too-large", file.url)
        if kind in ("document", "text"):
            content_type = "text/plain" if kind == "text" else ""
            return Entry(key, "document", file.name, file.url, body, content_type)
        content_type = ""
        if kind == "mhtml":
            saved = read_mhtml(body)
            if saved is None:
                return LeftOut(file.name, "damaged", file.url)
            body, content_type, origin = saved.body, saved.content_type, saved.origin
        else:
            origin = origin_of(body := without_pictures(body))
        if origin.saved_at is None:
            origin = replace(origin, saved_at=file.modified)
        return Entry(key, "page", file.name, file.url, body, content_type, origin)


@contextmanager
def _spooled(file: File, head: bytes, stream: BinaryIO) -> Iterator[tuple[File, Path]]:
    """Copy an archive in an archive to a temporary file, which can be read in any order."""
    with tempfile.NamedTemporaryFile(prefix="topiccrawl-import-") as copy:
        copy.write(head)
        shutil.copyfileobj(stream, copy)
        copy.flush()
        path = Path(copy.name)
        yield (
            replace(
                file,
                size=path.stat().st_size,
                open=lambda: cast("BinaryIO", path.open("rb")),
                seekable=True,
            ),
            path,
        )


def _read(stream: BinaryIO, most: int) -> bytes:
    """Return the next *most* bytes, or all that are left: a read may give fewer."""
    pieces = BytesIO()
    while most > 0 and (piece := stream.read(min(most, 1 << 20))):
        pieces.write(piece)
        most -= len(piece)
    return pieces.getvalue()
