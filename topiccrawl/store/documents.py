"""Records as plain documents and back: the one place where both backends agree on values.

A document is a dict of str, int, float, ``datetime``, bytes, ``None``, lists and dicts.  MongoDB
stores it as it is, SQLite spreads it over columns, the spool writes it as JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, SupportsFloat, SupportsIndex, cast

from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import (
    OutcomeRecord,
    PageRecord,
    RunRecord,
    Verdict,
    record_id,
    storable,
)

#: Whatever a store can write.
Record = PageRecord | OutcomeRecord | RunRecord

Document = dict[str, Any]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
#: BSON and SQLite integers are signed 64-bit.
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1


def to_milliseconds(moment: datetime) -> int:
    """Return whole milliseconds since 1970 UTC, rounded down; a naive time is taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // _MILLISECOND


def from_milliseconds(value: int) -> datetime:
    """Return the aware UTC time of *value* milliseconds since 1970.

    Years outside 1 to 9999, which only a page with a nonsense date and a time zone reaches, are
    moved to the nearest end.
    """
    try:
        return EPOCH + value * _MILLISECOND
    except OverflowError:
        end = datetime.max if value > 0 else datetime.min
        return end.replace(microsecond=0, tzinfo=UTC)


def _moment(moment: datetime) -> datetime:
    return from_milliseconds(to_milliseconds(moment))


def _finite(name: str, value: float) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return number


def _optional(name: str, value: float | None) -> float | None:
    return None if value is None else _finite(name, value)


def _terms(terms: Iterable[tuple[str, float]]) -> list[Document]:
    # Documents, not pairs: FerretDB refuses arrays within arrays, and people query by name.
    return [
        {"term": storable(term), "weight": _finite("main_terms", value)} for term, value in terms
    ]


def _terms_back(terms: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, float], ...]:
    return tuple((term["term"], term["weight"]) for term in terms)


def _stat(value: object) -> float | int | str:
    """Return a statistic in a type that every backend holds.

    Integers beyond 64 bits become floats; floats that are not finite, and values of other types
    (Scrapy's own start time, say), become text.
    """
    if isinstance(value, SupportsIndex):
        whole = int(value)
        if _INT_MIN <= whole <= _INT_MAX:
            return whole
        return float(whole) if abs(whole) < 2**1023 else str(whole)
    if isinstance(value, SupportsFloat):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    return storable(str(value))


def link_document(link: LinkEvidence) -> Document:
    """Return *link* as a document."""
    return {
        "score": _finite("link.score", link.score),
        "parts": {
            storable(name): _finite(f"link.parts[{name!r}]", value)
            for name, value in link.parts.items()
        },
        "parent": None if link.parent is None else storable(link.parent),
        "anchor": storable(link.anchor),
        "depth": int(link.depth),
    }


def link_record(document: Mapping[str, Any]) -> LinkEvidence:
    """Return the link trace kept in *document*."""
    return LinkEvidence(**document)


def page_document(page: PageRecord) -> Document:
    """Return *page* as a document; raise ValueError for a number that is not finite."""
    return {
        "_id": page.id,
        "topic": storable(page.topic),
        "url": storable(page.url),
        "final_url": storable(page.final_url),
        "title": storable(page.title),
        "site": storable(page.site),
        "charset": storable(page.charset),
        "language": storable(page.language),
        "content_hash": storable(page.content_hash),
        "relevance": _finite("relevance", page.relevance),
        "main_terms": _terms(page.main_terms),
        "fetched_at": _moment(page.fetched_at),
        "published_at": None if page.published_at is None else _moment(page.published_at),
        "link": link_document(page.link),
        "run_id": storable(page.run_id),
        "author": storable(page.author),
        "source": storable(page.source),
        "editor": storable(page.editor),
        "kind": storable(page.kind),
        "summary": storable(page.summary),
        "keywords": [storable(word) for word in page.keywords],
        "body": storable(page.body),
        "html": None if page.html is None else bytes(page.html),
    }


def page_record(document: Mapping[str, Any]) -> PageRecord:
    """Return the page kept in *document*; its HTML is ``None`` if it was not read along.

    Documents from before a field existed (format 1: no author, source, editor, kind, summary and
    keywords) give the field's default.
    """
    fields = {name: value for name, value in document.items() if name != "_id"}
    fields["keywords"] = tuple(fields.get("keywords", ()))
    fields["main_terms"] = _terms_back(fields["main_terms"])
    fields["link"] = link_record(fields["link"])
    return PageRecord(**fields)


def outcome_document(outcome: OutcomeRecord) -> Document:
    """Return *outcome* as a document; raise ValueError for a number that is not finite."""
    return {
        "_id": outcome.id,
        "topic": storable(outcome.topic),
        "url": storable(outcome.url),
        "verdict": outcome.verdict,
        "reason": storable(outcome.reason),
        "detail": storable(outcome.detail),
        "at": _moment(outcome.at),
        "run_id": storable(outcome.run_id),
        "sequence": int(outcome.sequence),
        "title": storable(outcome.title),
        "site": storable(outcome.site),
        "relevance": _optional("relevance", outcome.relevance),
        "threshold": _optional("threshold", outcome.threshold),
        "main_terms": _terms(outcome.main_terms),
        "link": link_document(outcome.link),
    }


def outcome_record(document: Mapping[str, Any]) -> OutcomeRecord:
    """Return the outcome kept in *document*."""
    fields = {name: value for name, value in document.items() if name != "_id"}
    fields["verdict"] = cast(Verdict, fields["verdict"])
    # FerretDB leaves empty lists and nulls out of what $setOnInsert inserts.
    fields["main_terms"] = _terms_back(fields.get("main_terms", ()))
    fields["link"] = link_record(fields["link"])
    return OutcomeRecord(**fields)


def run_document(run: RunRecord) -> Document:
    """Return *run* as a document, keyed by topic and run so that topics cannot meet.

    The seed is text: a seed of more than 64 bits must come back as it was to repeat a run.
    """
    return {
        "_id": record_id(run.topic, run.id),
        "topic": storable(run.topic),
        "run_id": storable(run.id),
        "started_at": _moment(run.started_at),
        "finished_at": None if run.finished_at is None else _moment(run.finished_at),
        "stop_reason": storable(run.stop_reason),
        "strategy": storable(run.strategy),
        "seed": str(int(run.seed)),
        "stats": {storable(name): _stat(value) for name, value in sorted(run.stats.items())},
    }


def run_record(document: Mapping[str, Any]) -> RunRecord:
    """Return the run kept in *document*."""
    fields = {name: value for name, value in document.items() if name not in ("_id", "run_id")}
    fields["id"] = document["run_id"]
    fields["seed"] = int(fields["seed"])
    return RunRecord(**fields)


def newest_pages(pages: Iterable[PageRecord]) -> list[Document]:
    """Return the documents of *pages*, the last of each URL."""
    return list({document["_id"]: document for document in map(page_document, pages)}.values())


def newest_runs(runs: Iterable[RunRecord]) -> list[Document]:
    """Return the documents of *runs*, the last of each run."""
    return list({document["_id"]: document for document in map(run_document, runs)}.values())


def newest_outcomes(outcomes: Iterable[OutcomeRecord]) -> list[Document]:
    """Return the documents of *outcomes*, the last of each URL, ``queued`` only if nothing else."""
    kept: dict[str, Document] = {}
    for outcome in outcomes:
        document = outcome_document(outcome)
        known = kept.get(document["_id"])
        if known is None or document["verdict"] != "queued" or known["verdict"] == "queued":
            kept[document["_id"]] = document
    return list(kept.values())
