"""The data of one report: everything that the HTML shows, in bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from topiccrawl.reporting.aggregates.attachments import Attachments
from topiccrawl.scoring.harvest import harvest_rate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.reporting.aggregates.activity import Activity
    from topiccrawl.reporting.aggregates.curve import CurvePoint
    from topiccrawl.reporting.aggregates.histogram import Bin
    from topiccrawl.reporting.aggregates.pages import StoredPages
    from topiccrawl.reporting.aggregates.probability import Probabilities
    from topiccrawl.reporting.aggregates.tallies import HostCount, ReasonCount, Thresholds
    from topiccrawl.reporting.aggregates.ways import WayCount
    from topiccrawl.reporting.stories import StoriesFound
    from topiccrawl.scoring.evidence import LinkEvidence

#: Reasons of dropped URLs without a page, which the crawl does not count as fetched either.
NO_PAGE_REASONS = frozenset({"redirected", "not-html", "site-file", "robots", "offsite", "deleted"})


@dataclass(frozen=True, slots=True)
class Counts:
    """Outcomes by verdict.

    ``fetched = stored + copies + dropped - skipped``: a page counts as fetched when its content was
    judged.  Failures (404, timeout …) and skipped URLs (redirects, files) have no page.
    """

    stored: int
    dropped: int
    failed: int
    queued: int
    """Of a report: links that waited at the end of the last run that left their number, else those stored."""
    skipped: int
    """Dropped for one of NO_PAGE_REASONS; part of *dropped*."""
    relevant: int
    """Fetched pages on topic: the stored ones, and those dropped for another reason than relevance."""
    copies: int
    """Stored pages that are copies of others; not part of *stored*."""

    @property
    def fetched(self) -> int:
        """Pages whose content was judged."""
        return self.stored + self.copies + self.dropped - self.skipped

    @property
    def harvest(self) -> float:
        """Harvest rate: relevant / fetched, in [0, 1]; 0 when nothing was fetched."""
        return harvest_rate(self.relevant, self.fetched)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the crawler."""

    id: str
    started_at: datetime | None
    """``None`` for a run with outcomes but without a record of its own."""
    duration: timedelta | None
    finished: bool
    stop_reason: str
    strategy: str
    seed: int
    counts: Counts
    stats: Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link still waiting in the queue."""

    url: str
    site: str
    link: LinkEvidence


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything that one report shows."""

    topic: str
    run_id: str | None
    """The run shown, ``None`` for all runs of the topic."""
    generated_at: datetime
    counts: Counts
    hosts: int
    hosts_complete: bool
    """False if *hosts* is a lower bound, because there were more than can be counted."""
    runs: Sequence[RunRow]
    measured_run: str | None
    """The run that ended last, of those that left the sizes of the queue."""
    curve: Sequence[CurvePoint]
    marks: Sequence[int]
    """Pages fetched before each run but the first one."""
    top_hosts: Sequence[HostCount]
    other_hosts: HostCount
    bins: Sequence[Bin]
    """Of the relevance."""
    thresholds: Thresholds | None
    """Of the relevance."""
    probabilities: Probabilities | None
    """``None`` if the page classifier has not judged."""
    reasons: Sequence[ReasonCount]
    pages: StoredPages
    waiting: Sequence[LinkRow]
    stories: StoriesFound | None
    """``None`` if no story has copies and no event has several stories."""
    attachments: Attachments
    ways: Sequence[WayCount]
    """How pages were found that no link led to, most frequent way first."""
    since: datetime | None
    """The moment since which outcomes, pages and runs are shown; ``None`` for all."""
    collection: int
    """Pages of the whole collection."""
    activity: Activity | None
    """What became new, changed and vanished; ``None`` in the report of one run."""

    @property
    def last_run(self) -> RunRow | None:
        """The newest run shown."""
        return self.runs[-1] if self.runs else None

    @property
    def duration(self) -> timedelta | None:
        """Sum over the runs whose duration is known, without what was before *since*; ``None`` when none is."""
        known = [
            max(run.duration - self._before(run), timedelta())
            for run in self.runs
            if run.duration is not None
        ]
        return sum(known, timedelta()) if known else None

    def _before(self, run: RunRow) -> timedelta:
        if self.since is None or run.started_at is None:
            return timedelta()
        return max(self.since - run.started_at, timedelta())
