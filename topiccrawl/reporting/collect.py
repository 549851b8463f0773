"""Reading a store once, outcome by outcome, into the data of a report.

Memory is bounded: the curve, the histogram and the tallies keep a fixed number of entries for any
number of outcomes; pages are read one at a time and kept without their bodies.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from topiccrawl.reporting.curve import HarvestCurve
from topiccrawl.reporting.data import (
    NO_PAGE_REASONS,
    Counts,
    LinkRow,
    ReportData,
    RunMark,
    RunRow,
)
from topiccrawl.reporting.histogram import Histogram
from topiccrawl.reporting.probability import ProbabilityTally
from topiccrawl.reporting.tallies import Best, HostTally, ReasonTally, Thresholds, outcome_host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from topiccrawl.store.contract import OutcomeRecord, PageOrder, PageRecord, RunRecord, Store

#: Reasons of pages that were dropped by a judgment, which counts instead of the relevance.
OVERRULED = frozenset({"off-topic", "withdrawn", "judged"})

#: Rows of the table of hosts; the rest is summed up in one row.
TOP_HOSTS = 30

#: Pages listed as best and as newest.
TOP_PAGES = 20

#: Pages read for each page listed, because some have no date or an impossible one.  A guess.
SPARE = 10

#: Waiting links listed.
TOP_LINKS = 20

#: Runs counted one by one: a topic crawled daily for five years has some 1,800.
MAX_RUNS = 2_000

#: Tolerance for a publish date later than the fetch: time zones differ by up to a day.
DATE_SLACK = timedelta(days=1)


@dataclass(slots=True)
class _RunTally:
    stored: int = 0
    dropped: int = 0
    failed: int = 0
    queued: int = 0
    skipped: int = 0
    relevant: int = 0
    first: datetime | None = None
    last: datetime | None = None

    def counts(self) -> Counts:
        return Counts(
            self.stored, self.dropped, self.failed, self.queued, self.skipped, self.relevant
        )


class Aggregate:
    """Aggregates of outcomes for a report, in bounded memory."""

    def __init__(self) -> None:
        self.curve = HarvestCurve()
        self.histogram = Histogram()
        self.probabilities = ProbabilityTally()
        self.hosts = HostTally()
        self.reasons = ReasonTally()
        self.waiting = Best(TOP_LINKS)
        self.total = _RunTally()
        self.runs: dict[str, _RunTally] = {}
        self.marks: list[RunMark] = []
        self.thresholds: Thresholds | None = None

    def add(self, outcome: OutcomeRecord) -> None:
        """Count one outcome; they must come in crawl order."""
        run = self._run(outcome.run_id)
        stored, failed = outcome.verdict == "stored", outcome.verdict == "failed"
        skipped = outcome.verdict == "dropped" and outcome.reason in NO_PAGE_REASONS
        relevant = is_relevant(outcome)
        for tally in (self.total,) if run is None else (self.total, run):
            setattr(tally, outcome.verdict, getattr(tally, outcome.verdict) + 1)
            tally.skipped += skipped
            tally.relevant += relevant
            if outcome.verdict != "queued":
                tally.first = outcome.at if tally.first is None else min(tally.first, outcome.at)
                tally.last = outcome.at if tally.last is None else max(tally.last, outcome.at)
        if outcome.verdict == "queued":
            self.waiting.add(outcome)
            return
        fetched = not failed and not skipped
        if fetched:
            if run is not None and run.counts().fetched == 1:
                self.marks.append(RunMark(outcome.run_id, self.curve.fetched))
            self.curve.add(relevant)
        self.hosts.add(
            outcome_host(outcome), fetched=fetched, relevant=relevant, stored=stored, failed=failed
        )
        if not stored:
            self.reasons.add(outcome)
        if outcome.relevance is not None:
            self.histogram.add(outcome.relevance, stored)
        self.probabilities.add(outcome)
        if (value := outcome.threshold) is not None:
            self.thresholds = Thresholds.seen(self.thresholds, value)

    def _run(self, run_id: str) -> _RunTally | None:
        if run_id not in self.runs:
            if len(self.runs) >= MAX_RUNS:
                return None
            self.runs[run_id] = _RunTally()
        return self.runs[run_id]


def is_relevant(outcome: OutcomeRecord) -> bool:
    """Return whether a fetched page is on topic.

    A stored page is on topic.  A page dropped for another reason than its judgment (a duplicate, a
    list without a body) is on topic if its recorded probability reaches the recorded threshold; if it
    has none, the relevance counts.
    """
    if outcome.verdict != "dropped":
        return outcome.verdict == "stored"
    if outcome.reason in OVERRULED:
        return False
    if outcome.probability is not None and outcome.probability_threshold is not None:
        return outcome.probability >= outcome.probability_threshold
    if outcome.relevance is None or outcome.threshold is None:
        return False
    return outcome.relevance >= outcome.threshold


async def collect(
    store: Store,
    topic: str,
    *,
    generated_at: datetime,
    run_id: str | None = None,
    tick: Callable[[], None] = lambda: None,
) -> ReportData:
    """Read *topic* (or one run of it) from an open *store*; *tick* is called once per outcome."""
    aggregate = Aggregate()
    async with aclosing(store.outcomes(topic, run_id=run_id)) as outcomes:  # type: ignore[type-var]
        async for outcome in outcomes:
            aggregate.add(outcome)
            tick()
    records = [r for r in await store.runs(topic) if run_id in (None, r.id)]
    top, rest = aggregate.hosts.top(TOP_HOSTS)
    thresholds = aggregate.thresholds
    return ReportData(
        topic=topic,
        run_id=run_id,
        generated_at=generated_at,
        counts=aggregate.total.counts(),
        hosts=len(aggregate.hosts),
        hosts_complete=aggregate.hosts.complete,
        runs=_run_rows(records, aggregate.runs),
        curve=aggregate.curve.points(),
        marks=[mark for mark in aggregate.marks if mark.fetched],
        top_hosts=top,
        other_hosts=rest,
        bins=aggregate.histogram.bins(thresholds.high if thresholds else 0.0),
        thresholds=thresholds,
        probabilities=aggregate.probabilities.result(),
        reasons=aggregate.reasons.all(),
        best=await _pages(store, topic, "relevance", run_id, lambda page: True),
        newest=await _pages(store, topic, "published", run_id, _has_possible_date),
        waiting=[LinkRow(o.url, outcome_host(o), o.link) for o in aggregate.waiting.all()],
    )


def _run_rows(records: Sequence[RunRecord], tallies: dict[str, _RunTally]) -> list[RunRow]:
    """Return the recorded runs, oldest first, then runs known from outcomes only."""
    rows: list[RunRow] = []
    for record in records:
        tally = tallies.get(record.id, _RunTally())
        end = record.finished_at or tally.last
        rows.append(
            RunRow(
                id=record.id,
                started_at=record.started_at,
                duration=max(end - record.started_at, timedelta()) if end else None,
                finished=record.finished_at is not None,
                stop_reason=record.stop_reason,
                strategy=record.strategy,
                seed=record.seed,
                counts=tally.counts(),
                stats=record.stats,
            )
        )
    known = {record.id for record in records}
    for run_id, tally in tallies.items():
        if run_id not in known and tally.first is not None:
            span = tally.last - tally.first if tally.first and tally.last else None
            rows.append(
                RunRow(run_id, tally.first, span, False, "", "", 0, tally.counts(), stats={})
            )
    return rows


async def _pages(
    store: Store,
    topic: str,
    order: PageOrder,
    run_id: str | None,
    wanted: Callable[[PageRecord], bool],
) -> list[PageRecord]:
    """Return the first pages in *order* that are wanted, without their bodies."""
    rows: list[PageRecord] = []
    # A limit lets a backend sort the best few instead of everything.
    limit = None if run_id else TOP_PAGES * SPARE
    async with aclosing(store.pages(topic, order=order, limit=limit)) as pages:  # type: ignore[type-var]
        async for page in pages:
            if run_id in (None, page.run_id) and wanted(page):
                rows.append(replace(page, body=""))
                if len(rows) >= TOP_PAGES:
                    break
    return rows


def _has_possible_date(page: PageRecord) -> bool:
    """Return whether the page has a publish date that is not later than its fetch."""
    return page.published_at is not None and page.published_at <= page.fetched_at + DATE_SLACK
