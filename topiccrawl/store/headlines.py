"""Headlines: the short fields of pages, for lists and counts of whole collections.

A headline has every field of a page by which pages are listed, counted, filtered and drawn, and none
that is long.  Stores keep what they need to read 100,000 of them in a few seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from topiccrawl.store.reasons import DELETED
from topiccrawl.store.records import PAGES, OutcomeRecord

#: Time before ``since`` from which headlines are read: a transaction that began before ``since`` may have
#: ended after it, and the clocks of several machines differ.  A guess; it costs only repetitions.
MARGIN: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHeadline:
    """A page without its long fields; all as in ``PageRecord``."""

    topic: str
    url: str
    title: str = ""
    site: str = ""
    author: str = ""
    source: str = ""
    kind: str = ""
    language: str = ""
    media_type: str = ""
    published_at: datetime | None = None
    first_seen: datetime
    fetched_at: datetime
    changed_at: datetime | None = None
    gone_at: datetime | None = None
    withdrawn_at: datetime | None = None
    """``None`` for a page of the collection.  Otherwise the page has left it, by withdrawal or deletion."""
    story: str = ""
    copy_of: str = ""
    relation: str = ""
    keywords: Sequence[str] = ()
    probability: float | None = None
    relevance: float = 0.0
    run_id: str = ""

    @property
    def dated(self) -> datetime:
        """Time of publication; of a page that states none, the time at which it was first seen."""
        return self.published_at or self.first_seen


#: Names of the fields, which are keys of a page's document too.
HEADLINE_FIELDS: Final = tuple(it.name for it in fields(PageHeadline))

_DECODERS: Final[dict[str, Callable[[Any], Any]]] = {
    it.name: it.codec.decode for it in PAGES.fields if it.name in HEADLINE_FIELDS
}
_DEFAULTS: Final = {
    it.key: it.stored_default
    for it in PAGES.fields
    if not it.required and it.key in HEADLINE_FIELDS
}


def headline(document: dict[str, Any]) -> PageHeadline:
    """Return the headline of the page in *document*, a document of a store; other keys are ignored."""
    values = {
        name: decode(document.get(name, _DEFAULTS.get(name))) for name, decode in _DECODERS.items()
    }
    values["first_seen"] = values["first_seen"] or values["fetched_at"]
    return PageHeadline(**values)


def deleted_headline(topic: str, url: str, at: datetime) -> PageHeadline:
    """Return what stands for a page that was deleted at the time *at*."""
    return PageHeadline(topic=topic, url=url, first_seen=at, fetched_at=at, withdrawn_at=at)


def with_margin(since: datetime) -> datetime:
    """Return the time from which changes are read that happened since *since*."""
    if since.tzinfo is None:
        since = since.replace(tzinfo=UTC)
    try:
        return since - MARGIN
    except OverflowError:
        return since


def deletion_outcome(topic: str, url: str) -> OutcomeRecord:
    """Return the outcome that remains of a deleted page."""
    return OutcomeRecord(
        topic=topic,
        url=url,
        verdict="dropped",
        reason=DELETED,
        detail="",
        at=datetime.now(UTC),
        run_id="",
        sequence=0,
    )
