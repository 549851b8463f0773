"""What an import finds: entries to analyze, and files that are left out, each with its reason."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Final, Literal, TypeAlias

EntryKind: TypeAlias = Literal["page", "document"]

#: Bytes of a key: 64 bits, so that a million entries collide with probability 3e-8.
_KEY_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class File:
    """A file of what is imported: on disk, or in an archive."""

    name: str
    """Its path below what is imported, for people."""
    url: str
    """Its ``file:`` URL; that of a member of an archive continues the archive's."""
    size: int
    modified: datetime | None
    open: Callable[[], BinaryIO]
    """Opens it for reading; a file in a tar archive only once, before the next one is read."""
    seekable: bool = False
    """Whether the opened file can be read in any order."""

    @property
    def stamp(self) -> str:
        """What changes when the file changes."""
        return f"{self.url}|{self.size}|{self.modified}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a page was before it was saved, as far as it is known."""

    url: str = ""
    """http(s) URL; empty if nothing states it."""
    sure: bool = False
    """Whether the program that saved the page wrote the URL; otherwise the page states it itself, and
    many sites state the URL of their front page on every page."""
    saved_at: datetime | None = None
    """When the page was saved, with time zone."""
    published_at: datetime | None = None
    """When the page was published, if only its source code has it."""
    publisher: str = ""
    """Who published it, if only its source code has it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page or document, with the bytes that a server would have sent."""

    key: str
    """Identifies entry and version: an import that is repeated leaves it out by its key."""
    kind: EntryKind
    name: str
    url: str
    """Its ``file:`` URL."""
    body: bytes
    content_type: str = ""
    """As a Content-Type header; empty if nothing states it."""
    origin: Origin = Origin()
    held: bool = False
    """Whether it was analyzed before and then waited for the other parts of its article."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that gives no entry."""

    name: str
    reason: str
    """Stable word; :data:`topiccrawl.imports.reasons.REASONS` explains it."""
    url: str = ""


Found: TypeAlias = Entry | LeftOut


def entry_key(stamp: str) -> str:
    """Return the key of the entry with *stamp*."""
    raw = stamp.encode("utf-8", "surrogateescape")
    return hashlib.blake2b(raw, digest_size=_KEY_BYTES).hexdigest()
