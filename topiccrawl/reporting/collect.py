"""Reading a store once, record by record, into the data of a report.

Memory is bounded: the curve, the histogram and the tallies keep a fixed number of entries for any
number of outcomes and pages.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from topiccrawl.reporting.activity import ActivityTally, recent
from topiccrawl.reporting.attachments import AttachmentTally
from topiccrawl.reporting.curve import HarvestCurve
from topiccrawl.reporting.data import NO_PAGE_REASONS, LinkRow, ReportData, RunMark
from topiccrawl.reporting.histogram import Histogram
from topiccrawl.reporting.pages import PageTally
from topiccrawl.reporting.probability import ProbabilityTally
from topiccrawl.reporting.runs import RunTally, run_rows
from topiccrawl.reporting.scale import china_day
from topiccrawl.reporting.stories import collect_stories
from topiccrawl.reporting.tallies import Best, HostTally, ReasonTally, Thresholds, outcome_host
from topiccrawl.reporting.ways import WayTally

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from topiccrawl.store.contract import OutcomeRecord, Store

#: Reasons of pages that were dropped by a judgment, which counts instead of the relevance.
OVERRULED = frozenset({"off-topic", "withdrawn", "judged"})

#: Rows of the table of hosts; the rest is summed up in one row.
TOP_HOSTS = 30

#: Waiting links listed.
TOP_LINKS = 20

#: Runs counted one by one: a topic crawled daily for five years has some 1,800.
MAX_RUNS = 2_000


class Aggregate:
    """Aggregates of outcomes for a report, in bounded memory."""

    def __init__(self) -> None:
        self.curve = HarvestCurve()
        self.histogram = Histogram()
        self.probabilities = ProbabilityTally()
        self.hosts = HostTally()
        self.reasons = ReasonTally()
        self.waiting = Best(TOP_LINKS)
        self.total = RunTally()
        self.runs: dict[str, RunTally] = {}
        self.marks: list[RunMark] = []
        self.thresholds: Thresholds | None = None

    def add(self, outcome: OutcomeRecord) -> None:
        """Count one outcome; they must come in crawl order."""
        run = self._run(outcome.run_id)
        stored, failed = outcome.verdict == "stored", outcome.verdict == "failed"
        skipped = outcome.verdict == "dropped" and outcome.reason in NO_PAGE_REASONS
        relevant = is_relevant(outcome)
        for tally in (self.total,) if run is None else (self.total, run):
            tally.add(outcome, relevant=relevant)
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
        if not outcome.kept:
            self.reasons.add(outcome)
        if outcome.relevance is not None:
            self.histogram.add(outcome.relevance, outcome.kept)
        self.probabilities.add(outcome)
        if (value := outcome.threshold) is not None:
            self.thresholds = Thresholds.seen(self.thresholds, value)

    def _run(self, run_id: str) -> RunTally | None:
        if run_id not in self.runs:
            if len(self.runs) >= MAX_RUNS:
                return None
            self.runs[run_id] = RunTally()
        return self.runs[run_id]


def is_relevant(outcome: OutcomeRecord) -> bool:
    """Return whether a fetched page is on topic.

    A stored page is on topic, copies too.  A page dropped for another reason than its judgment (a
    list without a body) is on topic if its recorded probability reaches the recorded threshold; if it
    has none, the relevance counts.
    """
    if outcome.verdict != "dropped":
        return outcome.kept
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
    since: datetime | None = None,
    tick: Callable[[], None] = lambda: None,
) -> ReportData:
    """Read *topic* from an open *store*: all, one run, or what happened *since* a moment.

    Waiting links are shown whatever *since* is.  *tick* is called once per record.
    """
    aggregate = Aggregate()
    async with aclosing(store.outcomes(topic, run_id=run_id)) as outcomes:  # type: ignore[type-var]
        async for outcome in outcomes:
            if since is None or outcome.at >= since or outcome.verdict == "queued":
                aggregate.add(outcome)
            tick()
    activity = ActivityTally(since or recent(generated_at))
    if run_id is None:
        changes = store.changes(topic, since=since or recent(generated_at))
        async with aclosing(changes) as found:  # type: ignore[type-var]
            async for url, at in found:
                activity.change(url, at)
    collection = 0
    pages, attachments, ways = PageTally(), AttachmentTally(), WayTally()
    async with aclosing(store.pages(topic)) as stored:  # type: ignore[type-var]
        async for page in stored:
            collection += 1
            activity.add(page)
            first = page.first_seen or page.fetched_at
            if run_id in (None, page.run_id) and (since is None or first >= since):
                pages.add(page)
                attachments.add(page)
                ways.add(page)
            tick()
    stories = await collect_stories(store, topic)
    records = [
        r
        for r in await store.runs(topic)
        if run_id in (None, r.id) and (since is None or (r.finished_at or r.started_at) >= since)
    ]
    top, rest = aggregate.hosts.top(TOP_HOSTS)
    thresholds = aggregate.thresholds
    return ReportData(
        ways=ways.result(),
        attachments=await attachments.result(store, topic),
        since=since,
        collection=collection,
        activity=activity.result() if run_id is None else None,
        topic=topic,
        run_id=run_id,
        generated_at=generated_at,
        counts=aggregate.total.counts(),
        hosts=len(aggregate.hosts),
        hosts_complete=aggregate.hosts.complete,
        runs=run_rows(records, aggregate.runs),
        curve=aggregate.curve.points(),
        marks=[mark for mark in aggregate.marks if mark.fetched],
        top_hosts=top,
        other_hosts=rest,
        bins=aggregate.histogram.bins(thresholds.high if thresholds else 0.0),
        thresholds=thresholds,
        probabilities=aggregate.probabilities.result(),
        reasons=aggregate.reasons.all(),
        pages=pages.result(china_day(generated_at)),
        waiting=[LinkRow(o.url, outcome_host(o), o.link) for o in aggregate.waiting.all()],
        stories=stories if stories.count or stories.events else None,
    )
