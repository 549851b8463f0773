"""LinkScoreMiddleware: every link of every page gets its IPageRank-RWB score (thesis chapters 4 and 9).

It works in two places.  ``process_response`` analyses the page, scores its links and, every
TOPICCRAWL_IPAGERANK_EVERY_PAGES pages, recomputes the ranking and re-scores what is queued, in place.
Several workers on one frontier have one link graph: each tells the others of its pages, all rank, and
one of them, elected, re-scores the queue.
The ``request_scheduled`` signal sets the priority of a request *before* it enters the queue
(``process_request`` would be too late: the request has left the queue by then).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl.dedup.urls import canonical_url, host_of
from topiccrawl.frontier.contract import Evidence, QueuedLink, link_id
from topiccrawl.frontier.requests import (
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    LEASE,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.run import ScoredLink, TopicRun
from topiccrawl.scoring.strategy import LinkScores, PageView

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.page import PageAnalysis

logger = logging.getLogger(__name__)

#: Requests that no page led to (seeds) come before every scored link.
SEED_SCORE = 1_000.0
#: A ranking round looks at every queued link.  With this many of them for each page between two
#: rounds, some 2 µs each (2026-11, SQLite), rounds take 2 ms of a page's time at most.
_QUEUED_PER_PAGE = 1_000
#: Links re-scored between two turns of the event loop: 10 ms in the slowest backend.
_RESCORE_PIECE = 1_000
#: A queue of up to this many links is re-scored exactly, TOPICCRAWL_FRONTIER_SCORE_TOLERANCE or not.
_EXACT_QUEUE = 20_000


class LinkScoreMiddleware:
    """Scores the links of fetched pages and keeps the queue's scores up to date."""

    def __init__(self, run: TopicRun, crawler: Crawler) -> None:
        self._run = run
        self._stats = crawler.stats
        self._ranking = asyncio.Lock()
        self._rank_at = run.config.rank_every_pages

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the crawler's run; off when the crawl has no topic."""
        if not TopicRun.started(crawler):
            raise NotConfigured("no topic: LinkScoreMiddleware has nothing to score by")
        middleware = cls(TopicRun.of(crawler), crawler)
        crawler.signals.connect(middleware.request_scheduled, signals.request_scheduled)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        return middleware

    async def spider_opened(self) -> None:
        """Learn what other workers and earlier runs have found, before the first link is chosen."""
        run = self._run
        more = True
        while more:
            more = run.knowledge.catch_up()
            await asyncio.sleep(0)
        size = run.frontier.size()
        run.resumed = size.queued + size.delayed + size.leased + size.done + size.given_up > 0
        if not run.resumed:
            return
        self._stats.set_value("topiccrawl/run/resumed_pages", run.knowledge.pages)
        logger.info(
            "Going on with the queue of this topic: %(queued)d links queued, %(delayed)d waiting, "
            "%(done)d done, %(pages)d pages known (-a fresh=1 starts over)",
            {"queued": size.queued, "delayed": size.delayed, "done": size.done,
             "pages": run.knowledge.pages},
        )  # fmt: skip
        if run.knowledge.pages:
            await self._rank()

    def request_scheduled(self, request: Request) -> None:
        """Give the request its evidence and priority; one that carries a score keeps it (retries)."""
        if SCORE in request.meta:
            return
        canonical = canonical_url(request.url)
        evidence = self._run.take_evidence(canonical) or self._unannounced(request, canonical)
        request.meta[SCORE] = evidence.score
        request.meta[EVIDENCE] = evidence
        request.priority = round(PRIORITY_SCALE * evidence.score)

    def _unannounced(self, request: Request, canonical: str) -> Evidence:
        """Return the evidence of a request that no scored link is waiting for: a seed as a rule.

        Spiders of other projects also ask for links that are known, which must not be lifted over
        all others, and for links that the page's analysis did not see (scripts, forms).
        """
        depth = request.meta.get(DEPTH, 0)
        if not depth:
            return Evidence(SEED_SCORE + request.priority, {"seed": 1.0})
        scores, parts = self._run.strategy.rescore(np.array([link_id(canonical)], dtype=np.int64))
        if not np.isfinite(scores[0]):
            return Evidence(request.priority / PRIORITY_SCALE, depth=depth)
        return Evidence(float(scores[0]), {k: float(v[0]) for k, v in parts.items()}, depth=depth)

    def process_request(self, request: Request) -> None:
        """Note, at the moment of dispatch, what the score was made of: ``scrapy explain`` tells it."""
        lease = request.meta.get(LEASE)
        evidence: Evidence | None = request.meta.get(EVIDENCE)
        if lease is None or evidence is None or evidence.parent is None:
            return
        _, parts = self._run.strategy.rescore(np.array([lease], dtype=np.int64))
        now = {name: float(v[0]) for name, v in parts.items() if np.isfinite(v[0])}
        request.meta[EVIDENCE] = replace(evidence, parts={**evidence.parts, **now})

    async def process_response(self, request: Request, response: Response) -> Response:
        """Score the page's links before anything else sees the page."""
        # Requests that bypass the queue (robots.txt) are no pages.
        if EVIDENCE not in request.meta or not isinstance(response, TextResponse):
            return response
        if not 200 <= response.status < 300:
            return response
        run = self._run
        analysis = run.analyse(response)
        if not analysis.page.looks_like_html:
            return response
        run.progress.pages += 1
        run.progress.relevant += analysis.relevant
        self._stats.inc_value("topiccrawl/pages/analysed")
        if analysis.relevant:
            self._stats.inc_value("topiccrawl/pages/relevant")
            self._earn(request)
        run.knowledge.catch_up()
        scored = self._score(request, response, analysis)
        # After its links were read: what a page teaches holds for the next one.
        run.gate.observe(canonical_url(response.url), analysis.page, analysis.relevant)
        if run.knowledge.pages >= self._rank_at:
            # A round gives way to the event loop; a second one must not begin before it ends.
            async with self._ranking:
                await self._rank()
        run.keep_scored(response, scored)
        return response

    def _earn(self, request: Request) -> None:
        """A relevant page earns its host more pages."""
        host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
        self._run.frontier.allow(host, self._run.config.host_budget_growth)

    def _score(
        self, request: Request, response: Response, analysis: PageAnalysis
    ) -> list[ScoredLink]:
        run = self._run
        evidence: Evidence = request.meta.get(EVIDENCE) or Evidence(SEED_SCORE)
        own = canonical_url(response.url)
        links = analysis.links
        view = PageView(
            id=link_id(own),
            relevance=analysis.relevance.score,
            background=analysis.background,
            relevant=analysis.relevant,
            depth=evidence.depth,
            order=run.knowledge.pages + 1,
            inherited=evidence.parts.get("inherited", 0.0),
            links=links.batch,
        )
        scores = run.strategy.score(view)
        run.knowledge.tell_page(view)
        offered = [
            ScoredLink(link, _evidence_of(scores, i, own, link.anchor, evidence.depth + 1))
            for i, link in enumerate(links.links)
        ]
        # Links of an earlier page may still wait in the scheduler.
        run.flush_links()
        known = run.frontier.known([link_id(s.link.canonical) for s in offered])
        # Known links get the new evidence as data: a Request each would cost more than the scoring.
        merged = [
            QueuedLink(s.link.canonical, host_of(s.link.canonical), s.evidence)
            for s, seen in zip(offered, known, strict=True)
            if seen
        ]
        if merged:
            run.frontier.push(merged)
            self._stats.inc_value("topiccrawl/links/known", len(merged))
        self._stats.inc_value("topiccrawl/links/scored", len(offered))
        return [s for s, seen in zip(offered, known, strict=True) if not seen]

    async def _rank(self) -> None:
        """One ranking round, a few milliseconds at a time."""
        run = self._run
        for _ in run.strategy.rank():
            await asyncio.sleep(0)
        waiting = run.frontier.size()
        queue = waiting.queued + waiting.delayed
        self._rank_at = run.knowledge.pages + max(
            run.config.rank_every_pages, queue // _QUEUED_PER_PAGE
        )
        self._stats.inc_value("topiccrawl/ranking/rounds")
        if not run.frontier.lead(run.clock()):
            return
        tolerance = run.config.score_tolerance if queue > _EXACT_QUEUE else 0.0
        queued = changed = 0
        for ids, old in run.frontier.queued():
            scores, _ = run.strategy.rescore(ids)
            queued += len(ids)
            # Links that no page led to (seeds) are unknown to the strategy and keep their score.
            better = np.isfinite(scores) & (np.abs(scores - old) > tolerance * np.abs(old))
            for piece in np.array_split(np.flatnonzero(better), len(ids) // _RESCORE_PIECE + 1):
                if len(piece):
                    changed += run.frontier.rescore(ids[piece], scores[piece])
                    await asyncio.sleep(0)
            await asyncio.sleep(0)
        self._stats.inc_value("topiccrawl/ranking/rescored", changed)
        logger.debug(
            "Ranking round: %(changed)d of %(queued)d queued links changed",
            {"changed": changed, "queued": queued},
        )


def _evidence_of(scores: LinkScores, i: int, parent: str, anchor: str, depth: int) -> Evidence:
    return Evidence(
        score=float(scores.score[i]),
        parts={name: float(values[i]) for name, values in scores.parts.items()},
        parent=parent,
        anchor=anchor[:200],
        depth=depth,
    )
