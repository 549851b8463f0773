"""The contract that every store backend fulfills.

One document per (topic, canonical URL).  A record is *durable* when ``write`` has returned: kill -9
after that moment loses nothing.  Writing the same record twice leaves one document (upsert).

Every backend returns the same values, whatever its own types are (see
:mod:`topiccrawl.store.values`):

- times are kept in UTC with milliseconds (a MongoDB date has no more) and read back aware; a naive
  time is taken as UTC;
- text is Unicode: a lone surrogate, which UTF-8 cannot hold, becomes U+FFFD; NUL stays;
- numbers of a page must be finite; sequences come back as tuples, mappings as dicts.

Copies
------
A kept page with ``copy_of`` is a *copy*; lists and counts leave copies out unless they are asked for.
A store maintains what comparing needs:

- The ``tokens`` of a page are written with it and not read back.  They have the topic mixed in, so
  that topics do not meet.
- A page written without tokens was not compared by its writer.  If the store has it with the same title
  and text, it keeps the fields of the comparison that the store has (``story``, ``copy_of``,
  ``relation``, ``relation_detail``, ``compared``, tokens); what was read can thus be written back.
  If the store has it with another one, its older tokens are deleted, and it must be compared.
- ``compared`` becomes 0, which means "must be compared", for the other members of a story that a page
  leaves or in which it changes (withdrawn, rewritten with another text, another story, no longer or
  newly a copy); for a page that returns to the collection; and for a copy whose ``copy_of`` is not a
  kept page without ``copy_of`` of its own.

Revisits
--------
- ``first_seen`` of a page that is written again stays the earliest one in the store, and
  ``changed_at`` stays where the page states none.  ``gone_at`` becomes what the page states.
- A visit, written after the pages of the same call, sets ``changed_at`` and ``gone_at`` of its page.
- A version is a *former* title and body; the current ones are those of the page.  Whoever writes a
  changed page writes its former version in the same call (:func:`~topiccrawl.store.versions.former_version`).
- SQLite writes pages, visits and versions of a call together or not at all.  MongoDB writes versions
  before pages, so that no text is lost, and visits last, so that an interrupted visit is repeated.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, Unpack

from topiccrawl.errors import StoreUnavailable
from topiccrawl.store.desk import DeskStore
from topiccrawl.store.headlines import PageHeadline
from topiccrawl.store.near_misses import NearMissStore
from topiccrawl.store.records import (
    DeskRecord,
    NearMissRecord,
    OtherRecords,
    OutcomeRecord,
    PageJudgment,
    PageRecord,
    RunRecord,
    VersionRecord,
    VisitRecord,
    record_id,
)
from topiccrawl.store.search import SearchQuery, SearchStore
from topiccrawl.store.stories import Membership, StoredStory, StoryStore
from topiccrawl.store.values import Verdict
from topiccrawl.store.visits import VisitStore

__all__ = [
    "DeskRecord",
    "Membership",
    "NearMissRecord",
    "OutcomeRecord",
    "PageHeadline",
    "PageJudgment",
    "PageOrder",
    "PageRecord",
    "PageStanding",
    "RecordRejected",
    "RunRecord",
    "SearchQuery",
    "Standing",
    "Store",
    "StoreBackend",
    "StoreUnavailable",
    "StoredStory",
    "TopicSize",
    "Verdict",
    "VersionRecord",
    "VisitRecord",
    "record_id",
]

#: Orders in which pages can be read back.
PageOrder = Literal["fetched", "relevance", "published"]

#: Whether a stored page is part of the collection.
Standing = Literal["kept", "withdrawn", "near-miss"]


@dataclass(frozen=True, slots=True)
class PageStanding:
    """Standing of one stored page, without the page."""

    url: str
    standing: Standing
    probability: float | None
    """Of the last judgment, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class TopicSize:
    """How many records of each kind a store has of one topic."""

    pages: int
    """Kept and withdrawn, without copies."""
    near_misses: int
    outcomes: int
    runs: int
    copies: int = 0
    """Kept and withdrawn pages that are copies of others."""
    visits: int = 0
    """URLs that were visited again or are to be."""
    versions: int = 0
    """Former versions of pages."""
    desk: int = 0
    """Records of the desk."""


class Store(NearMissStore, VisitStore, StoryStore, SearchStore, DeskStore, Protocol):
    """The contract.  All methods can be awaited in the crawl's event loop without blocking it.

    Writing raises ``StoreUnavailable`` while the backend is away; nothing of that batch counts as
    written then (repeating it is safe).  It raises ``RecordRejected`` (or any other exception) when
    a record itself cannot be stored: repeating will not help, but the batch may be written without
    that record.  Wrong addresses and missing rights raise
    :class:`~topiccrawl.errors.ConfigurationError` in ``from_uri`` or ``open``.

    Methods for one kind of records are in the protocols that this one is made of, beside the records.
    Who needs no other takes one of those.
    """

    async def open(self) -> None:
        """Connect, create what is missing, and check that writing is possible."""

    async def close(self) -> None:
        """Release the connection.  Everything written before is durable."""

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        **others: Unpack[OtherRecords],
    ) -> None:
        """Upsert all records; they are durable when this returns.

        An outcome ``queued`` does not replace any other verdict of the same URL.  A page removes
        the near miss of its URL, also one of the same call.  A page with ``withdrawn_at`` is not
        part of the collection; written again without it, it is.
        """

    def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
        withdrawn: bool = False,
        copies: bool = False,
        since: datetime | None = None,
    ) -> AsyncIterator[PageRecord]:
        """Yield the pages of *topic* that are kept, or those that were *withdrawn*, at most *limit*.

        Of the kept pages, copies are left out without *copies*; of the withdrawn ones they never are.
        With *since*, only pages that were first fetched, last changed or gone since then, which the
        store finds without reading the others.

        ``fetched`` is oldest first, ``relevance`` best first and ``published`` newest first, with
        undated pages last.  Ties are broken by the time of fetching, then by id.
        """

    async def page(self, topic: str, url: str) -> PageRecord | None:
        """Return the page with this canonical URL, kept or withdrawn, with its HTML if it was kept."""

    async def pages_at(self, topic: str, urls: Sequence[str]) -> Sequence[PageRecord]:
        """Return the kept pages with these canonical URLs, without HTML, in no particular order."""

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        """Return the last outcome of this canonical URL."""

    def outcomes(self, topic: str, *, run_id: str | None = None) -> AsyncIterator[OutcomeRecord]:
        """Yield the outcomes of *topic* in order of (at, sequence)."""

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        """Return the runs of *topic*, oldest first."""

    async def topics(self) -> Mapping[str, int]:
        """Return the number of kept pages of each topic, without copies, by name.

        A topic that has only a run has 0.
        """

    async def count(self, topic: str) -> int:
        """Return the number of kept pages of *topic*, without copies."""

    def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        """Yield (url, title) of every kept page of *topic* that is not a copy, oldest first."""

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        """Return the kept documents of the page *url*, copies included, by URL, without HTML."""

    def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        """Yield the standing of every page and near miss of *topic*, near misses first.

        Where a write was interrupted, a URL can occur as a near miss and as a page; the page counts.
        """

    async def set_judgments(self, topic: str, judgments: Mapping[str, PageJudgment]) -> None:
        """Set the judgments of pages by canonical URL; unknown URLs are skipped.

        Pages and near misses get the probability, outcomes all of it, whatever their verdict.
        """

    def headlines(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[PageHeadline]:
        """Yield the headlines of the kept pages of *topic*, in no particular order.

        With *since*, those of all pages of which the store changed anything since then, by the clock
        of the store's writers: whoever reads all of them at the time *t* and later those *since t*
        has all.  Pages can be repeated.  Pages that have left the collection, by withdrawal or
        deletion, are among them, with ``withdrawn_at``.
        """

    async def delete_pages(self, topic: str, urls: Sequence[str]) -> int:
        """Delete pages, kept or withdrawn, and near misses, with all that is stored of them.

        Text, HTML, tokens, versions, visits and entries of the search index go with them.  Returns
        how many of the *urls* were stored.  For each of them, an outcome ``dropped`` with the reason
        ``deleted`` remains, so that everyone sees that the page is not missing by accident.  Copies
        of a deleted page must be compared again.
        """

    async def size(self, topic: str) -> TopicSize:
        """Return the number of records of *topic*."""

    async def forget(self, topic: str) -> None:
        """Delete all records of *topic*.

        ``topics`` lists it until everything is deleted, so that an interrupted call can be repeated.
        """


class StoreBackend(Protocol):
    """A class of stores, as the scheme of an address names it."""

    def from_uri(self, uri: str, *, read_only: bool = False) -> Store:
        """Return the store at the address *uri*, not yet open.

        With *read_only* the store creates nothing: neither file nor database nor index.  Raises
        :class:`~topiccrawl.errors.ConfigurationError` for an address of the wrong form.
        """


class RecordRejected(ValueError):  # noqa: N818 - the backend's answer
    """The backend is there but refuses a record for its content; repeating will not help."""
