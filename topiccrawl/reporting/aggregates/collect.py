"""Reading a store once, record by record, into the data of a report.

Memory is bounded: the curve, the histogram and the tallies keep a fixed number of entries for any
number of outcomes and pages.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime

from topiccrawl.reporting.aggregates.activity import ActivityTally, recent
from topiccrawl.reporting.aggregates.attachments import AttachmentTally
from topiccrawl.reporting.aggregates.outcomes import Aggregate
from topiccrawl.reporting.aggregates.pages import PageTally
from topiccrawl.reporting.aggregates.report_data import LinkRow, ReportData
from topiccrawl.reporting.aggregates.runs import last_measured, run_rows, waiting_links
from topiccrawl.reporting.aggregates.tallies import outcome_host
from topiccrawl.reporting.aggregates.ways import WayTally
from topiccrawl.reporting.scale import china_day
from topiccrawl.reporting.stories import collect_stories
from topiccrawl.store.contract import Store
from topiccrawl.store.page_record import PageRecord
from topiccrawl.store.records import OutcomeRecord, RunRecord

#: Rows of the table of hosts; the rest is summed up in one row.
TOP_HOSTS = 30


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which records a report is about: all, those of one run, or those since a moment."""

    run_id: str | None
    since: datetime | None
    measured_run: str | None
    """The run whose waiting links are shown: those of earlier runs may be gone.  ``None``: all."""

    def outcome(self, outcome: OutcomeRecord) -> bool:
        if outcome.verdict == "queued":
            return self.measured_run in (None, outcome.run_id)
        return self._recent(outcome.at)

    def page(self, page: PageRecord) -> bool:
        of_run = self.run_id in (None, page.run_id)
        return of_run and self._recent(page.first_seen or page.fetched_at)

    def run(self, run: RunRecord) -> bool:
        return self._recent(run.finished_at or run.started_at)

    def _recent(self, at: datetime) -> bool:
        return self.since is None or at >= self.since


async def collect(
    store: Store,
    topic: str,
    *,
    generated_at: datetime,
    run_id: str | None = None,
    since: datetime | None = None,
    with_stories: bool = True,
    tick: Callable[[], None] = lambda: None,
) -> ReportData:
    """Read *topic* from an open *store*: all, one run, or what happened *since* a moment.

    Waiting links are shown whatever *since* is.  Stories and events take 9 ms for each of the last 3,000
    stories.  *tick* is called once per record.
    """
    runs = [run for run in await store.runs(topic) if run_id in (None, run.id)]
    measured = last_measured(runs)
    chosen = _Chosen(run_id, since, measured.id if measured else None)
    aggregate = Aggregate()
    async with aclosing(store.outcomes(topic, run_id=run_id)) as outcomes:  # type: ignore[type-var]
        async for outcome in outcomes:
            if chosen.outcome(outcome):
                aggregate.add(outcome)
            tick()
    activity = ActivityTally(since or recent(generated_at))
    if run_id is None:
        changes = store.changes(topic, since=since or recent(generated_at))
        async with aclosing(changes) as changed:  # type: ignore[type-var]
            async for url, at in changed:
                activity.change(url, at)
    pages, attachments, ways = PageTally(), AttachmentTally(), WayTally()
    found = store.pages(topic) if since is None else store.pages(topic, since=since)
    async with aclosing(found) as stored:  # type: ignore[type-var]
        async for page in stored:
            activity.add(page)
            if chosen.page(page):
                pages.add(page)
                attachments.add(page)
                ways.add(page)
            tick()
    stories = await collect_stories(store, topic) if with_stories else None
    counts = aggregate.total.counts()
    if measured is not None:
        counts = replace(counts, queued=waiting_links(measured))
    # One that is going on began earlier, perhaps.
    seen = {run for run, tally in aggregate.runs.items() if tally.first is not None}
    records = [run for run in runs if run.id in seen or chosen.run(run)]
    top, rest = aggregate.hosts.top(TOP_HOSTS)
    thresholds = aggregate.thresholds
    return ReportData(
        ways=ways.result(),
        attachments=await attachments.result(store, topic),
        since=since,
        collection=await store.count(topic),
        activity=activity.result() if run_id is None else None,
        topic=topic,
        run_id=run_id,
        generated_at=generated_at,
        counts=counts,
        hosts=len(aggregate.hosts),
        hosts_complete=aggregate.hosts.complete,
        runs=run_rows(records, aggregate.runs),
        measured_run=chosen.measured_run,
        curve=aggregate.curve.points(),
        marks=[fetched for fetched in aggregate.marks if fetched],
        top_hosts=top,
        other_hosts=rest,
        bins=aggregate.histogram.bins(thresholds.high if thresholds else 0.0),
        thresholds=thresholds,
        probabilities=aggregate.probabilities.result(),
        reasons=aggregate.reasons.all(),
        pages=pages.result(china_day(generated_at)),
        waiting=[LinkRow(o.url, outcome_host(o), o.link) for o in aggregate.waiting.all()],
        stories=stories if stories and (stories.count or stories.events) else None,
    )
