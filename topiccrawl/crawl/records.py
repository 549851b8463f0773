"""Records of outcomes and runs, built from the state of a crawl."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, RunRecord, Verdict
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


def item_outcome(
    session: CrawlSession, item: PageItem, verdict: Verdict, reason: str, detail: str
) -> OutcomeRecord:
    """Return the outcome of a fetched page; takes the next number in the run's order."""
    relevance = item.analysis.relevance if item.analysis.page.looks_like_html else None
    return OutcomeRecord(
        topic=session.topic.name,
        url=item.url,
        verdict=verdict,
        reason=reason,
        detail=detail,
        at=item.fetched_at,
        run_id=session.id,
        sequence=session.progress.next_outcome(),
        title=item.title or item.analysis.page.title,
        site=item.site,
        relevance=relevance.score if relevance else None,
        threshold=session.topic.threshold,
        main_terms=tuple(relevance.main_terms) if relevance else (),
        link=item.link,
    )


def failure_outcome(
    session: CrawlSession,
    url: str,
    evidence: LinkEvidence | None,
    verdict: Verdict,
    reason: str,
    detail: str,
) -> OutcomeRecord:
    """Return the outcome of a URL without a page: an error, a robots rule, a redirect."""
    canonical = canonical_url(url)
    return OutcomeRecord(
        topic=session.topic.name,
        url=canonical,
        verdict=verdict,
        reason=reason,
        detail=detail,
        at=datetime.now(UTC),
        run_id=session.id,
        sequence=session.progress.next_outcome(),
        site=host_of(canonical),
        link=evidence or LinkEvidence(),
    )


def queued_outcome(session: CrawlSession, link: QueuedLink, position: int) -> OutcomeRecord:
    """Return the outcome of a link that is still queued at the end of the run."""
    return OutcomeRecord(
        topic=session.topic.name,
        url=link.url,
        verdict="queued",
        reason="queued",
        detail=f"number {position} in the queue when the run ended",
        at=datetime.now(UTC),
        run_id=session.id,
        sequence=0,
        site=link.host,
        link=link.evidence,
    )


def run_record(
    session: CrawlSession,
    *,
    finished_at: datetime | None = None,
    stop_reason: str = "",
    stats: Mapping[str, object] | None = None,
) -> RunRecord:
    """Return the record of the run, with the numbers and strings of *stats*."""
    return RunRecord(
        id=session.id,
        topic=session.topic.name,
        started_at=session.started_at,
        finished_at=finished_at,
        stop_reason=stop_reason,
        strategy=session.settings.strategy,
        seed=session.settings.seed,
        stats={k: v for k, v in (stats or {}).items() if isinstance(v, int | float | str)},
    )
