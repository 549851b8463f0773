"""Counting outcomes, for a report and for the end of a run, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.aggregates.curve import HarvestCurve
from topiccrawl.reporting.aggregates.histogram import Histogram
from topiccrawl.reporting.aggregates.probability import ProbabilityTally
from topiccrawl.reporting.aggregates.report_data import NO_PAGE_REASONS
from topiccrawl.reporting.aggregates.runs import RunTally
from topiccrawl.reporting.aggregates.tallies import (
    Best,
    HostTally,
    ReasonTally,
    Thresholds,
    outcome_host,
)
from topiccrawl.store.reasons import OFF_TOPIC

if TYPE_CHECKING:
    from topiccrawl.store.contract import OutcomeRecord

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
        self.marks: list[int] = []
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
                self.marks.append(self.curve.fetched)
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
        if not run_id:  # of a page that a user has deleted
            return None
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
    if outcome.reason in OFF_TOPIC:
        return False
    if outcome.probability is not None and outcome.probability_threshold is not None:
        return outcome.probability >= outcome.probability_threshold
    if outcome.relevance is None or outcome.threshold is None:
        return False
    return outcome.relevance >= outcome.threshold
