"""Records of a crawl for the store: outcomes of URLs, and the run itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl import details
from topiccrawl.crawl.storing.definitions import topic_size
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import Membership, OutcomeRecord, PageRecord, RunRecord, Verdict
from topiccrawl.store.reasons import DELETED
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.frontier.contract import QueuedLink
    from topiccrawl.items import PageItem
    from topiccrawl.topics.topic import Topic


def kept_verdict(
    page: PageRecord | Membership, reason: str, detail: str
) -> tuple[Verdict, str, str]:
    """Return verdict, reason and detail of the outcome of a kept page.

    *reason* and *detail* are those of a page that is listed; those of a copy name its original.
    """
    if page.copy_of:
        return "duplicate", page.relation, details.COPY_OF(relation=page.relation, url=page.copy_of)
    return "stored", reason, detail


class CrawlRecords:
    """Makes the records of one run; outcomes are numbered in their order."""

    def __init__(
        self,
        topic: Topic,
        settings: CrawlSettings,
        run_id: str,
        started_at: datetime,
        progress: CrawlProgress,
        clock: Callable[[], float],
    ) -> None:
        """*clock* is the frontier's."""
        self._clock = clock
        self._topic = topic
        self._settings = settings
        self._run_id = run_id
        self._started_at = started_at
        self._progress = progress

    def of_item(self, item: PageItem, verdict: Verdict, reason: str, detail: str) -> OutcomeRecord:
        """Return the outcome of a fetched page; takes the next number in the run's order."""
        if reason == DELETED:  # nothing of the page may remain
            return self.of_url(item.url, None, verdict, reason, detail)
        judgment = None if item.decision is None else item.decision.judgment
        relevance = item.analysis.relevance if item.analysis.page.looks_like_html else None
        return OutcomeRecord(
            topic=self._topic.name,
            url=item.url,
            verdict=verdict,
            reason=reason,
            detail=detail,
            at=item.fetched_at,
            run_id=self._run_id,
            sequence=self._progress.next_outcome(),
            title=item.title or item.analysis.page.title,
            site=item.site,
            relevance=relevance.score if relevance else None,
            probability=item.probability,
            probability_threshold=None if judgment is None else judgment.threshold,
            judgment_parts={} if judgment is None else judgment.parts,
            threshold=self._topic.threshold,
            main_terms=tuple(relevance.main_terms) if relevance else (),
            link=item.link,
        )

    def of_url(
        self, url: str, evidence: LinkEvidence | None, verdict: Verdict, reason: str, detail: str
    ) -> OutcomeRecord:
        """Return the outcome of a URL without a page: an error, a robots rule, a redirect."""
        canonical = canonical_url(url)
        return OutcomeRecord(
            topic=self._topic.name,
            url=canonical,
            verdict=verdict,
            reason=reason,
            detail=detail,
            at=datetime.fromtimestamp(self._clock(), UTC),
            run_id=self._run_id,
            sequence=self._progress.next_outcome(),
            site=host_of(canonical),
            link=evidence or LinkEvidence(),
        )

    def of_queued(self, link: QueuedLink, position: int) -> OutcomeRecord:
        """Return the outcome of a link that is still queued at the end of the run."""
        return OutcomeRecord(
            topic=self._topic.name,
            url=link.url,
            verdict="queued",
            reason="queued",
            detail=details.QUEUED(n=position),
            at=datetime.now(UTC),
            run_id=self._run_id,
            sequence=0,
            site=link.host,
            link=link.evidence,
        )

    def of_run(
        self,
        *,
        finished_at: datetime | None = None,
        stop_reason: str = "",
        stats: Mapping[str, object] | None = None,
    ) -> RunRecord:
        """Return the record of the run, with the size of its topic and the numbers and strings of *stats*."""
        numbers = {**topic_size(self._topic.definition), **(stats or {})}
        return RunRecord(
            id=self._run_id,
            topic=self._topic.name,
            started_at=self._started_at,
            finished_at=finished_at,
            stop_reason=stop_reason,
            strategy=self._settings.strategy,
            seed=self._settings.seed,
            stats={k: v for k, v in numbers.items() if isinstance(v, int | float | str)},
        )
