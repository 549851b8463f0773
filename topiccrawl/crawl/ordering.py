"""What a fetched page does to the order of links, without Scrapy.

``LinkScoreMiddleware`` and the simulation in ``topiccrawl.evaluation`` both go through here: their orders are equal
because there is one place where they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.crawl.session import ScoredLink
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.scheduling.requests import PRIORITY_SCALE
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategy import LinkScores, PageView, Strategy
from topiccrawl.urls.canonical import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from topiccrawl.analysis.links import MergedLink
    from topiccrawl.analysis.page import PageAnalysis

#: Requests that no page led to (seeds) come before every scored link.
SEED_SCORE = 1_000.0
#: A ranking round looks at every queued link.  With this many of them for each page between two
#: rounds, some 2 µs each (2026-11, SQLite), rounds take 2 ms of a page's time at most.
_QUEUED_PER_PAGE = 1_000
#: Even a strategy that wants its rounds early has no more of them.
_LEAST_BETWEEN_ROUNDS = 10
#: Links re-scored between two turns of the event loop: 10 ms in the slowest backend.
_RESCORE_PIECE = 1_000
#: A queue of up to this many links is re-scored exactly, TOPICCRAWL_FRONTIER_SCORE_TOLERANCE or not.
_EXACT_QUEUE = 20_000

#: Links of one page, and of the next, are known again and again.
_host_of = lru_cache(maxsize=65_536)(host_of)


def default_evidence(
    strategy: Strategy, canonical: str, *, depth: int = 0, priority: int = 0
) -> LinkEvidence:
    """Return the evidence of a request that no scored link is waiting for: a seed as a rule.

    Spiders of other projects also ask for links that are known, which must not be lifted over all
    others, and for links that the page's analysis did not see (scripts, forms).
    """
    if not depth:
        return LinkEvidence(SEED_SCORE + priority, {"seed": 1.0})
    scores, parts = strategy.rescore(np.array([link_id(canonical)], dtype=np.int64))
    if not np.isfinite(scores[0]):
        return LinkEvidence(priority / PRIORITY_SCALE, depth=depth)
    return LinkEvidence(float(scores[0]), {k: float(v[0]) for k, v in parts.items()}, depth=depth)


def with_current_parts(strategy: Strategy, lease: int, evidence: LinkEvidence) -> LinkEvidence:
    """Return *evidence* with the parts of its score as they are when the link is fetched."""
    if evidence.parent is None:
        return evidence
    _, parts = strategy.rescore(np.array([lease], dtype=np.int64))
    now = {name: float(v[0]) for name, v in parts.items() if np.isfinite(v[0])}
    return replace(evidence, parts={**evidence.parts, **now})


def page_view(own: str, analysis: PageAnalysis, evidence: LinkEvidence, order: int) -> PageView:
    """Return what a strategy sees of the page with canonical URL *own*."""
    slots, weights = analysis.term_slots
    return PageView(
        id=link_id(own),
        relevance=analysis.relevance.score,
        background=analysis.background,
        relevant=analysis.relevant,
        depth=evidence.depth,
        order=order,
        inherited=evidence.parts.get("inherited", 0.0),
        links=analysis.links.batch,
        term_slots=slots,
        term_weights=weights,
        semantic=analysis.semantic,
    )


def scored_links_of(
    links: Sequence[MergedLink], scores: LinkScores, own: str, depth: int
) -> list[ScoredLink]:
    """Return the links of page *own*, at *depth*, each with its evidence."""
    parts = [(name, values.tolist()) for name, values in scores.parts.items()]
    return [
        ScoredLink(
            link,
            LinkEvidence(
                score=score,
                parts={name: values[i] for name, values in parts},
                parent=own,
                anchor=link.anchor[:200],
                depth=depth + 1,
            ),
        )
        for i, (link, score) in enumerate(zip(links, scores.score.tolist(), strict=True))
    ]


def merge_known(frontier: Frontier, offered: Sequence[ScoredLink]) -> list[ScoredLink]:
    """Tell *frontier* what the page says of links it knows, and return the others.

    Known links get the new evidence as data: a request each would cost more than the scoring.
    """
    known = frontier.known([link_id(s.link.canonical) for s in offered])
    merged = [
        QueuedLink(s.link.canonical, _host_of(s.link.canonical), s.evidence)
        for s, seen in zip(offered, known, strict=True)
        if seen
    ]
    if merged:
        frontier.push(merged)
    return [s for s, seen in zip(offered, known, strict=True) if not seen]


def next_ranking(strategy: Strategy, pages: int, queued: int, every: int) -> int:
    """Return the number of pages at which the next ranking round is due.

    A strategy that learns has the attribute ``round_growth``: it wants its next round when the crawl
    has grown by that share, if that is sooner than *every* pages.  One whose rounds are costly has
    ``round_least_growth``: it is content with a round when the crawl has grown by that share.
    """
    growth: float | None = getattr(strategy, "round_growth", None)
    if growth is not None:
        every = min(every, max(_LEAST_BETWEEN_ROUNDS, int(growth * pages)))
    least: float = getattr(strategy, "round_least_growth", 0.0)
    return pages + max(every, queued // _QUEUED_PER_PAGE, int(least * pages))


def rescore_queue(
    frontier: Frontier, strategy: Strategy, queued: int, tolerance: float
) -> Iterator[tuple[int, int]]:
    """Give every queued link its present score; yields (links looked at, changed) piece by piece.

    Changes below *tolerance*, relative to the old score, are left out when more than some ten
    thousand links are *queued*.
    """
    tolerance = tolerance if queued > _EXACT_QUEUE else 0.0
    for ids, old in frontier.queued():
        scores, _ = strategy.rescore(ids)
        # Links that no page led to (seeds) are unknown to the strategy and keep their score.
        better = np.isfinite(scores) & (np.abs(scores - old) > tolerance * np.abs(old))
        for piece in np.array_split(np.flatnonzero(better), len(ids) // _RESCORE_PIECE + 1):
            if len(piece):
                yield 0, frontier.rescore(ids[piece], scores[piece])
        yield len(ids), 0
