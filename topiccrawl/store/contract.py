"""What a store keeps and promises: records, and the contract that every backend fulfils.

One document per (topic, canonical URL).  A record is *durable* when ``write`` has returned: kill -9
after that moment loses nothing.  Writing the same record twice leaves one document (upsert).

What is the same in every backend, whatever its own types can do (``documents.py`` sees to it):

- times are kept in UTC with milliseconds (a MongoDB date has no more) and read back aware; a naive
  time is taken as UTC;
- text is Unicode: a lone surrogate, which UTF-8 cannot hold, becomes U+FFFD; NUL stays;
- numbers of a page must be finite; sequences come back as tuples, mappings as dicts.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from topiccrawl.scoring.evidence import LinkEvidence

#: What happened to a URL that was fetched or tried.
Verdict = Literal["stored", "dropped", "failed", "queued"]

#: Orders in which pages can be read back.
PageOrder = Literal["fetched", "relevance", "published"]


def record_id(topic: str, url: str) -> str:
    """Return the primary key of *url* within *topic*: 128 bits of BLAKE2b as 32 hex digits.

    Keyed by content, so that a retried write meets its own document.
    """
    key = f"{storable(topic)}\x00{storable(url)}"
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


def storable(text: str) -> str:
    """Return *text* as a store can hold it: every lone surrogate replaced by U+FFFD.

    Broken numeric entities and badly escaped JSON bring surrogates into titles and bodies; one of
    them must not cost the page.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page of the collection, with the evidence for keeping it."""

    topic: str
    url: str
    """Canonical URL: the key, together with *topic*."""
    final_url: str
    """Where the response came from, after redirects."""
    title: str
    body: str
    site: str
    """Host name."""
    charset: str
    language: str
    content_hash: str
    """Hex digest of the normalised body."""
    relevance: float
    main_terms: Sequence[tuple[str, float]]
    """Terms that contributed most to *relevance*, with their contribution, largest first."""
    fetched_at: datetime
    """Aware, UTC."""
    published_at: datetime | None
    """Aware; ``None`` when the page does not say."""
    link: LinkEvidence
    run_id: str
    author: str = ""
    """Names joined by a space; empty, like the next four, when the page does not say plainly or was
    stored before the field existed."""
    source: str = ""
    """The medium that the page names as its origin."""
    editor: str = ""
    kind: str = ""
    """``"article"``, ``"list"``, ``"thread"`` or ``"other"``."""
    summary: str = ""
    """The page's most telling sentences, in their order."""
    keywords: Sequence[str] = ()
    """Its most telling terms, best first; simplified and in lower case."""
    html: bytes | None = None
    """The response body compressed with zlib, when TOPICCRAWL_STORE_HTML is on."""

    @property
    def id(self) -> str:
        """Primary key: see :func:`record_id`."""
        return record_id(self.topic, self.url)


@dataclass(frozen=True, slots=True)
class OutcomeRecord:
    """What became of one URL, kept for ``scrapy explain`` and ``scrapy report``."""

    topic: str
    url: str
    verdict: Verdict
    reason: str
    """Stable word for counting: ``"relevant"``, ``"irrelevant"``, ``"duplicate-title"``, ``"http-404"`` …"""
    detail: str
    """The same for a person: values and thresholds, or the URL that it duplicates."""
    at: datetime
    run_id: str
    sequence: int
    """Position in the run's order of outcomes, from 1; 0 for a link still queued."""
    title: str = ""
    site: str = ""
    relevance: float | None = None
    threshold: float | None = None
    main_terms: Sequence[tuple[str, float]] = ()
    link: LinkEvidence = field(default_factory=LinkEvidence)

    @property
    def id(self) -> str:
        """Primary key: see :func:`record_id`."""
        return record_id(self.topic, self.url)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run of the crawler on one topic."""

    id: str
    topic: str
    started_at: datetime
    finished_at: datetime | None = None
    stop_reason: str = ""
    strategy: str = ""
    seed: int = 0
    stats: Mapping[str, float | int | str] = field(default_factory=dict)


class Store(Protocol):
    """The contract.  All methods may be awaited from the crawl's event loop without blocking it.

    Writing raises ``StoreUnavailable`` while the backend is away; nothing of that batch counts as
    written then (repeating it is safe).  It raises ``RecordRejected`` (or any other exception) when
    a record itself cannot be stored: repeating will not help, but the batch may be written without
    that record.  Wrong addresses and missing rights raise
    :class:`~topiccrawl.errors.ConfigurationError` in ``open``.
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
    ) -> None:
        """Upsert all records; durable when this returns.

        An outcome never lowers what is known: ``queued`` does not replace any other verdict of
        the same URL.
        """

    def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
    ) -> AsyncIterator[PageRecord]:
        """Pages of *topic*; ``fetched`` oldest first, ``relevance`` and ``published`` best/newest first.

        Equals are ordered by the time of fetching, then by id.  Undated pages come last.
        """

    async def page(self, topic: str, url: str) -> PageRecord | None:
        """The page with this canonical URL, with its HTML if it was kept."""

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        """The last outcome of this canonical URL."""

    def outcomes(self, topic: str, *, run_id: str | None = None) -> AsyncIterator[OutcomeRecord]:
        """Outcomes of *topic* in order of (at, sequence)."""

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        """Runs of *topic*, oldest first."""

    async def topics(self) -> Mapping[str, int]:
        """Topics in this store with their number of pages, by name; 0 if only a run is known."""

    async def count(self, topic: str) -> int:
        """Number of pages of *topic*."""

    def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        """(url, title) of every page of *topic*, oldest first: what deduplication starts from."""


class StoreUnavailable(ConnectionError):  # noqa: N818 - a state of the world, not a fault
    """The backend cannot be reached at the moment; the write may be repeated."""


class RecordRejected(ValueError):  # noqa: N818 - the backend's answer
    """The backend is there but refuses a record for what it holds; repeating will not help."""
