"""The records of revisits: the visits of each page, and the versions that a page had before.

A *visit record* is the state of one URL that is visited again: its history, what a conditional request
needs, and the last times.  A *version* is the title and the body that a page had until a change was
found; the page itself has the current ones, so that nothing is stored twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from topiccrawl.store.fields import RecordType
from topiccrawl.store.ids import record_id
from topiccrawl.store.values import to_milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitRecord:
    """What the visits of one URL found: an article of the collection, a list page or a feed.

    Writing it sets ``changed_at`` and ``gone_at`` of the stored page with this URL, if there is one.
    """

    topic: str
    url: str
    """Canonical URL, the key together with ``topic``."""
    kind: str = "article"
    """``article``, ``list`` or ``feed``."""
    history: str = ""
    """The ``PageHistory`` as JSON; the store does not read it."""
    etag: str = ""
    """Header ``ETag`` of the last whole answer, as the server sent it; empty without one."""
    last_modified: str = ""
    """Header ``Last-Modified`` of the last whole answer; empty without one."""
    body_digest: str = ""
    """Hash of what is compared to find changes: the body of an article, the links of a list page."""
    visited_at: datetime
    """Time of the last visit."""
    changed_at: datetime | None = None
    """Time of the last visit that found a change; ``None`` if none did."""
    gone_at: datetime | None = None
    """Time of the visit since which the page has been gone; ``None`` while it is there."""

    @property
    def id(self) -> str:
        """Primary key, that of the page: see :func:`~topiccrawl.store.ids.record_id`."""
        return record_id(self.topic, self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRecord:
    """A former title and body of a page; :mod:`topiccrawl.store.versions` packs and unpacks it."""

    topic: str
    url: str
    """Canonical URL of the page."""
    at: datetime
    """Time at which this version was seen first."""
    replaced_at: datetime
    """Time of the visit that found another version in its place; the key together with the URL."""
    title: str = ""
    digest: str = ""
    """``content_hash`` of the body."""
    text: bytes = b""
    """The body, compressed, or as a difference to that of the version ``base``."""
    base: str = ""
    """Key of the page's first version, if ``text`` is a difference to its body; empty otherwise."""

    @property
    def id(self) -> str:
        """Primary key: topic, URL and time of the change."""
        return record_id(self.topic, f"{self.url}\x00{to_milliseconds(self.replaced_at)}")


VISITS: Final = RecordType("visits", VisitRecord, key=lambda visit: visit.id, since=6)
VERSIONS: Final = RecordType("versions", VersionRecord, key=lambda version: version.id, since=6)


class VisitStore(Protocol):
    """What a store does for visits and former versions."""

    def visits(self, topic: str) -> AsyncIterator[VisitRecord]:
        """Yield the visit records of *topic* by id."""

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        """Return the visit record of this canonical URL."""

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        """Return the former versions of the page with this canonical URL, oldest first."""

    def changes(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[tuple[str, datetime]]:
        """Yield (url, ``replaced_at``) of the versions of *topic*, by time, from *since* on."""

    async def trim_versions(self, topic: str, url: str, most: int) -> int:
        """Delete versions of a page that has more than *most*; return how many.

        :func:`~topiccrawl.store.versions.surplus_versions` says which: never the first and the last.
        """
