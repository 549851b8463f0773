"""From what happened to a URL to the records that the store keeps."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord, Verdict
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.items import PageItem


def page_record(session: CrawlSession, item: PageItem, html: bytes | None = None) -> PageRecord:
    """Return the record of a page that passed all filters; *html* is compressed with zlib."""
    return PageRecord(
        topic=session.topic.name,
        url=item.url,
        final_url=item.final_url,
        title=item.title,
        body=item.body,
        site=item.site,
        charset=item.charset,
        language=item.language,
        content_hash=item.content_hash,
        relevance=item.relevance,
        main_terms=tuple(item.main_terms),
        fetched_at=item.fetched_at,
        published_at=item.published_at,
        link=_item_trace(item),
        run_id=session.id,
        author=item.author,
        source=item.source,
        editor=item.editor,
        kind=item.kind,
        summary=item.summary,
        keywords=tuple(item.keywords),
        html=zlib.compress(html) if html is not None else None,
    )


def item_outcome(
    session: CrawlSession, item: PageItem, verdict: Verdict, reason: str, detail: str
) -> OutcomeRecord:
    """Return what became of a fetched page; takes the next number in the run's order."""
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
        link=_item_trace(item),
    )


def failure_outcome(
    session: CrawlSession,
    url: str,
    evidence: LinkEvidence | None,
    verdict: Verdict,
    reason: str,
    detail: str,
) -> OutcomeRecord:
    """Return what became of a URL that gave no page: an error, a robots rule, a redirect."""
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
        link=trace(evidence),
    )


def queued_outcome(session: CrawlSession, link: QueuedLink, position: int) -> OutcomeRecord:
    """Return the record of a link still waiting at the end of the run."""
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
        link=trace(link.evidence),
    )


def run_record(
    session: CrawlSession,
    *,
    finished_at: datetime | None = None,
    stop_reason: str = "",
    stats: Mapping[str, object] | None = None,
) -> RunRecord:
    """Return the run's own record; plain numbers and strings of *stats* are kept."""
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


def trace(evidence: LinkEvidence | None) -> LinkEvidence:
    """Return the store's view of a link's evidence."""
    if evidence is None:
        return LinkEvidence()
    return LinkEvidence(
        evidence.score, dict(evidence.parts), evidence.parent, evidence.anchor, evidence.depth
    )


def _item_trace(item: PageItem) -> LinkEvidence:
    return LinkEvidence(item.link_score, item.link_parts, item.parent, item.anchor, item.depth)
