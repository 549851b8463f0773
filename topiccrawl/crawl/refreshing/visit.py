"""One visit: what it found, the visit under way, what is written of it; and the counts of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topiccrawl.crawl.refreshing.marks import RevisitMark
    from topiccrawl.store.contract import VersionRecord, VisitRecord


#: The statistics of :class:`VisitCounts`; the field is the last word.
VisitCount: TypeAlias = Literal[
    "refresh/visited", "refresh/unchanged", "refresh/not_modified", "refresh/changed", "refresh/missing",
    "refresh/vanished", "refresh/back", "refresh/failed", "refresh/new_links", "refresh/lists",
    "refresh/made_before",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """What a visit found."""

    at: float
    """Seconds on the frontier's clock."""
    changed: bool
    new_links: int = 0
    etag: str = ""
    last_modified: str = ""
    digest: str = ""
    """Digest of what is compared; empty if the visit gave none (304, an unreadable page)."""
    signals: Iterable[tuple[float, str]] = ()


@dataclass(slots=True, eq=False)
class Revisit:
    """A visit under way of an address that was visited before."""

    mark: RevisitMark
    known: VisitRecord | None
    changed: bool = False
    digest: str = ""
    """See :class:`Found`."""
    same_first: bool = False
    """Whether the first page of an article on several ones is as it was: its other pages decide."""
    etag: str = ""
    last_modified: str = ""
    new_links: int = 0
    listed: int = 0
    """Links that a list page has."""
    not_modified: bool = False
    """Whether the site has answered 304."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A visit whose record is durable."""

    record: VisitRecord
    changed: bool
    new_links: int = 0
    listed: int = 0
    replanned: bool = False
    """Whether the next visit follows from the record alone: the page is missing, or another worker has made this
    visit."""


@dataclass(frozen=True, slots=True)
class Written:
    """What is written with a page that arrives at the store."""

    visit: VisitRecord
    version: VersionRecord | None = None
    changed: bool = False
    same: bool = False
    """Whether the store has the page with this text: then only the visit is written."""


@dataclass(slots=True)
class VisitCounts:
    """Visits of this run by what they found."""

    visited: int = 0
    unchanged: int = 0
    not_modified: int = 0
    changed: int = 0
    missing: int = 0
    vanished: int = 0
    back: int = 0
    failed: int = 0
    new_links: int = 0
    lists: int = 0
    made_before: int = 0
    """Visits that a worker had recorded which died before it could say so to the others."""
