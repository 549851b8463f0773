"""The runs of a crawl, each with its own counts of outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from topiccrawl.reporting.aggregates.report_data import NO_PAGE_REASONS, Counts, RunRow
from topiccrawl.reporting.words.stats import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from topiccrawl.store.contract import OutcomeRecord, RunRecord

#: Prefix of the sizes of the queue, which a run leaves when it ends by itself.
_SIZES = f"{PREFIX}frontier/size/"


@dataclass(slots=True)
class RunTally:
    """Counts of outcomes, and the times of the first and the last one."""

    stored: int = 0
    duplicate: int = 0
    dropped: int = 0
    failed: int = 0
    queued: int = 0
    skipped: int = 0
    relevant: int = 0
    first: datetime | None = None
    last: datetime | None = None

    def counts(self) -> Counts:
        """Return the counts."""
        return Counts(
            self.stored,
            self.dropped,
            self.failed,
            self.queued,
            self.skipped,
            self.relevant,
            self.duplicate,
        )

    def add(self, outcome: OutcomeRecord, *, relevant: bool) -> None:
        """Count one outcome."""
        setattr(self, outcome.verdict, getattr(self, outcome.verdict) + 1)
        self.relevant += relevant
        if outcome.verdict == "queued":
            return
        self.skipped += outcome.verdict == "dropped" and outcome.reason in NO_PAGE_REASONS
        self.first = outcome.at if self.first is None else min(self.first, outcome.at)
        self.last = outcome.at if self.last is None else max(self.last, outcome.at)


def last_measured(records: Iterable[RunRecord]) -> RunRecord | None:
    """Return the run that ended last, of the runs that left the sizes of the queue.

    Workers of one queue are overlapping runs: the one that began last need not have the newest
    sizes.
    """
    ended = [
        (run.finished_at, number, run)
        for number, run in enumerate(records)
        if run.finished_at and any(name.startswith(_SIZES) for name in run.stats)
    ]
    return max(ended)[-1] if ended else None


def waiting_links(run: RunRecord) -> int:
    """Return how many links waited when *run* ended."""
    return sum(stat_count(run.stats.get(_SIZES + state)) for state in ("queued", "delayed"))


def stat_count(value: object) -> int:
    """Return a stat as a count; 0 for text and other values that no counter has."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return max(0, int(value))


def run_rows(records: Sequence[RunRecord], tallies: Mapping[str, RunTally]) -> list[RunRow]:
    """Return the recorded runs, oldest first, then runs known from outcomes only."""
    rows: list[RunRow] = []
    for record in records:
        tally = tallies.get(record.id, RunTally())
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
