"""The records of visits: from what is known of an address and what a visit found to what is stored."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.freshness.history import PageHistory, directory_of
from topiccrawl.frontier.clock import CLOCK_STEP_SECONDS
from topiccrawl.store.contract import VisitRecord
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.crawl.refreshing.marks import VisitKind
    from topiccrawl.crawl.refreshing.visit import Found


def new_history(url: str, first_seen: float, kind: VisitKind) -> PageHistory:
    """Return the history of a page that was fetched once."""
    return PageHistory(
        first_seen,
        site=host_of(url),
        directory=directory_of(url),
        kind="article" if kind == "article" else "list",
    )


def history_of(record: VisitRecord) -> PageHistory:
    """Return the history in *record*; a damaged one begins anew at its last visit."""
    try:
        return PageHistory.from_json(json.loads(record.history))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        kind: VisitKind = "article" if record.kind == "article" else "list"
        return new_history(record.url, record.visited_at.timestamp(), kind)


def was_visited(record: VisitRecord, after: float, now: float) -> bool:
    """Return whether the last visit was later than *after*; one that is yet to come was before the clock was set back.

    Times are in seconds on the frontier's clock.
    """
    return after < record.visited_at.timestamp() <= now + CLOCK_STEP_SECONDS


def first_visit(topic: str, url: str, kind: VisitKind, found: Found) -> VisitRecord:
    """Return the record of an address that was fetched for the first time."""
    return VisitRecord(
        topic=topic,
        url=url,
        kind=kind,
        history=_packed(new_history(url, found.at, kind)),
        etag=found.etag,
        last_modified=found.last_modified,
        body_digest=found.digest,
        visited_at=_moment(found.at),
    )


def next_visit(known: VisitRecord, found: Found) -> VisitRecord:
    """Return the record after a visit that found the page."""
    history = _signaled(history_of(known), found)
    whole = bool(found.digest)
    return replace(
        known,
        history=_packed(history.visited(found.at, found.changed, found.new_links)),
        etag=found.etag if whole else known.etag,
        last_modified=found.last_modified if whole else known.last_modified,
        body_digest=found.digest or known.body_digest,
        visited_at=_moment(found.at),
        changed_at=_moment(found.at) if found.changed else known.changed_at,
        gone_at=None,
    )


def missed_visit(known: VisitRecord, at: float) -> VisitRecord:
    """Return the record after a visit at which the site did not have the page.

    A page is marked as gone at the second such visit in a row, with the time of that visit: a report
    of what happened since yesterday has it then.
    """
    history = history_of(known)
    gone_at = known.gone_at
    if history.gone and gone_at is None:
        gone_at = _moment(at)
    return replace(
        known,
        history=_packed(history.vanished(at)),
        visited_at=_moment(at),
        gone_at=gone_at,
    )


def _signaled(history: PageHistory, found: Found) -> PageHistory:
    for at, source in found.signals:
        history = history.signaled(at, source)
    return history


def _packed(history: PageHistory) -> str:
    return json.dumps(history.to_json(), ensure_ascii=False, separators=(",", ":"))


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
