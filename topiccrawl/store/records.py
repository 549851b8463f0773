"""The records of a store: near misses, outcomes and runs, and the types of all records.

The record of a page is in ``page_record``, those of revisits in ``visits``, those of the desk in ``desk``.  Documents,
SQL columns, schema upgrades, exports and the reference page (docs/store.md) follow from these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.desk import DESK, DeskRecord
from topiccrawl.store.fields import Document, RecordType, Stored
from topiccrawl.store.ids import record_id
from topiccrawl.store.page_record import PageRecord
from topiccrawl.store.reasons import JUDGED
from topiccrawl.store.values import INTEGER_AS_TEXT, Verdict
from topiccrawl.store.visits import VERSIONS, VISITS, VersionRecord, VisitRecord

__all__ = [
    "DESK",
    "FORMAT",
    "NEAR_MISSES",
    "OUTCOMES",
    "PAGES",
    "RECORD_TYPES",
    "RUNS",
    "VERSIONS",
    "VISITS",
    "DeskRecord",
    "NearMissRecord",
    "OtherRecords",
    "OutcomeRecord",
    "PageJudgment",
    "PageRecord",
    "Record",
    "RunRecord",
    "VersionRecord",
    "VisitRecord",
    "judgment_fields",
    "newest_documents",
    "newest_outcomes",
    "record_id",
    "record_type",
]

#: Address at the end of the detail of a redirect: :data:`topiccrawl.details.REDIRECTED`.
_TARGET: Final = re.compile(r"redirected to (\S+)$")
#: The last format that changed something else than adding fields (see ``UPGRADES`` of the stores).
_OTHER_CHANGE: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMissRecord:
    """A page that is not kept, complete, so that it can enter the collection later.

    :mod:`topiccrawl.store.near_misses` packs and unpacks the page.
    """

    topic: str
    url: str
    """Canonical URL, the key together with ``topic``."""
    probability: float
    """Probability that the page is on topic, in [0, 1]."""
    packed: bytes
    """The page's record without its HTML, as compressed JSON."""

    @property
    def id(self) -> str:
        """Primary key: see :func:`record_id`."""
        return record_id(self.topic, self.url)


@dataclass(frozen=True, slots=True)
class PageJudgment:
    """The numbers of a judgment of a page."""

    probability: float
    """Probability that the page is on topic, in [0, 1]."""
    threshold: float | None = None
    """Least probability of a kept page, in [0, 1]; ``None`` if another rule decided."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the judgment consists of, by name; empty if another rule decided."""


@dataclass(frozen=True, slots=True)
class OutcomeRecord:
    """Outcome of one URL, for ``scrapy explain`` and ``scrapy report``."""

    topic: str
    url: str
    verdict: Verdict
    reason: str
    """Stable word for counting: ``"relevant"``, ``"off-topic"``, ``"edited"``, ``"http-404"`` …"""
    detail: str
    """The reason for people: values and thresholds, or the URL of which the page is a copy."""
    at: datetime
    run_id: str
    sequence: int
    """Position in the run's order of outcomes, from 1; 0 for a link that is still queued."""
    title: str = ""
    site: str = ""
    relevance: float | None = None
    probability: Annotated[float | None, Stored(since=2)] = None
    """Probability that the page is on topic, when it was last judged."""
    probability_threshold: Annotated[float | None, Stored(since=3)] = None
    """Threshold of the probability then; ``None`` if another rule decided."""
    judgment_parts: Annotated[Mapping[str, float], Stored(since=3)] = field(default_factory=dict)
    """Parts of the page classifier's judgment by name, for ``scrapy explain``; empty without one."""
    threshold: float | None = None
    """The topic's threshold of the relevance."""
    main_terms: Sequence[tuple[str, float]] = ()
    link: LinkEvidence = field(default_factory=LinkEvidence)

    @property
    def kept(self) -> bool:
        """Whether the page is in the collection, listed or as a copy of another one."""
        return self.verdict in ("stored", "duplicate")

    @property
    def redirected_to(self) -> str:
        """Address to which the URL redirected, "" if it did not."""
        target = _TARGET.search(self.detail) if self.reason == "redirected" else None
        return "" if target is None else target[1]

    @property
    def is_wanted(self) -> bool:
        """Whether the user judged the page relevant: it is listed in any case."""
        return self.verdict == "stored" and self.reason == JUDGED

    @property
    def id(self) -> str:
        """Primary key: see :func:`record_id`."""
        return record_id(self.topic, self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run of the crawler on one topic."""

    topic: str
    id: Annotated[str, Stored(stored_as="run_id")]
    started_at: datetime
    finished_at: datetime | None = None
    stop_reason: str = ""
    strategy: str = ""
    seed: Annotated[int, Stored(codec=INTEGER_AS_TEXT)] = 0
    stats: Mapping[str, float | int | str] = field(default_factory=dict)


#: Whatever a store can write.
Record = (
    PageRecord
    | OutcomeRecord
    | RunRecord
    | NearMissRecord
    | VisitRecord
    | VersionRecord
    | DeskRecord
)

PAGES: Final = RecordType("pages", PageRecord, key=lambda page: page.id)
OUTCOMES: Final = RecordType("outcomes", OutcomeRecord, key=lambda outcome: outcome.id)
#: Runs are keyed by topic and run: the runs of two topics never replace each other.
RUNS: Final = RecordType("runs", RunRecord, key=lambda run: record_id(run.topic, run.id))
NEAR_MISSES: Final = RecordType(
    "near_misses", NearMissRecord, key=lambda it: it.id, since=2, singular="near miss"
)


class OtherRecords(TypedDict, total=False):
    """Arguments of ``Store.write`` that have no place: records by the names of their types."""

    visits: Sequence[VisitRecord]
    versions: Sequence[VersionRecord]
    desk: Sequence[DeskRecord]


#: All kinds of records.
RECORD_TYPES: Final[Sequence[RecordType[Any]]] = (
    PAGES,
    OUTCOMES,
    RUNS,
    NEAR_MISSES,
    VISITS,
    VERSIONS,
    DESK,
)

#: Format of what is written today.  A store of a newer or unknown format is refused.
FORMAT: Final = max(_OTHER_CHANGE, *(type_.format for type_ in RECORD_TYPES))


def judgment_fields(judgment: PageJudgment) -> dict[str, Any]:
    """Return the fields of an outcome's document that a judgment sets."""
    values = {
        "probability": judgment.probability,
        "probability_threshold": judgment.threshold,
        "judgment_parts": judgment.parts,
    }
    return {
        field.key: field.codec.encode(field.name, values[field.name])
        for field in OUTCOMES.fields
        if field.name in values
    }


def record_type(record: Record) -> RecordType[Any]:
    """Return the type of *record*."""
    if isinstance(record, PageRecord):
        return PAGES
    return next(type_ for type_ in RECORD_TYPES[1:] if isinstance(record, type_.record_class))


def newest_documents(**records: Any) -> dict[str, list[Document]]:
    """Return the documents of each kind, the last one of each key.

    *records* are sequences by the names of their types, the arguments of ``Store.write``.
    """
    names = [type_.name for type_ in RECORD_TYPES]
    if unknown := records.keys() - names:
        raise TypeError(f"there are no records of the kind {', '.join(sorted(unknown))}")
    return {
        type_.name: newest_outcomes(records.get(type_.name, ()))
        if type_ is OUTCOMES
        else type_.newest(records.get(type_.name, ()))
        for type_ in RECORD_TYPES
    }


def newest_outcomes(outcomes: Sequence[OutcomeRecord]) -> list[dict[str, Any]]:
    """Return the documents of *outcomes*, the last one of each URL.

    ``queued`` is returned only for a URL that has no other verdict.
    """
    kept: dict[str, dict[str, Any]] = {}
    for outcome in outcomes:
        document = OUTCOMES.document(outcome)
        known = kept.get(document["_id"])
        if known is None or document["verdict"] != "queued" or known["verdict"] == "queued":
            kept[document["_id"]] = document
    return list(kept.values())
