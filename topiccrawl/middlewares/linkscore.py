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
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl.crawl.ordering import (
    SEED_SCORE,
    default_evidence,
    merge_known,
    next_ranking,
    page_view,
    rescore_queue,
    scored_links_of,
    with_current_parts,
)
from topiccrawl.crawl.session import CrawlSession, ScoredLink
from topiccrawl.scheduling.requests import (
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    LEASE,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import text_hash
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.page import PageAnalysis

logger = logging.getLogger(__name__)


class LinkScoreMiddleware:
    """Scores the links of fetched pages and keeps the queue's scores up to date."""

    def __init__(self, run: CrawlSession, crawler: Crawler) -> None:
        self._run = run
        self._stats = crawler.stats
        self._ranking = asyncio.Lock()
        self._rank_at = next_ranking(run.strategy, 0, 0, run.config.rank_every_pages)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the crawler's run; off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic: LinkScoreMiddleware has nothing to score by")
        middleware = cls(CrawlSession.of(crawler), crawler)
        crawler.signals.connect(middleware.request_scheduled, signals.request_scheduled)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        return middleware

    async def spider_opened(self) -> None:
        """Learn what other workers and earlier runs have found, before the first link is chosen."""
        run = self._run
        more = True
        while more:
            more = run.knowledge.replay()
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
        evidence = self._run.take_evidence(canonical) or default_evidence(
            self._run.strategy,
            canonical,
            depth=request.meta.get(DEPTH, 0),
            priority=request.priority,
        )
        request.meta[SCORE] = evidence.score
        request.meta[EVIDENCE] = evidence
        request.priority = round(PRIORITY_SCALE * evidence.score)

    def process_request(self, request: Request) -> None:
        """Note, at the moment of dispatch, what the score was made of: ``scrapy explain`` tells it."""
        lease = request.meta.get(LEASE)
        evidence: LinkEvidence | None = request.meta.get(EVIDENCE)
        if lease is not None and evidence is not None:
            request.meta[EVIDENCE] = with_current_parts(self._run.strategy, lease, evidence)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Score the page's links before anything else sees the page."""
        # Requests that bypass the queue (robots.txt) are no pages.
        if EVIDENCE not in request.meta or not isinstance(response, TextResponse):
            return response
        if not 200 <= response.status < 300:
            return response
        run = self._run
        if response.request is None:
            # Scrapy says it later; the analysis asks now by which anchor the page was found.
            response.request = request
        analysis = run.analyse(response)
        if not analysis.page.looks_like_html:
            return response
        run.progress.pages += 1
        run.progress.relevant += analysis.relevant
        self._stats.inc_value("topiccrawl/pages/analysed")
        if analysis.relevant:
            self._stats.inc_value("topiccrawl/pages/relevant")
            self._earn(request)
        run.knowledge.replay()
        scored = self._score(request, response, analysis)
        # After its links were read: what a page teaches holds for the next one.
        content = text_hash(analysis.page.visible_text)
        run.gate.learn(canonical_url(response.url), content, analysis.relevant)
        if run.knowledge.pages >= self._rank_at:
            # A round gives way to the event loop; a second one must not begin before it ends.
            async with self._ranking:
                await self._rank()
        run.keep_scored(response, scored)
        return response

    def _earn(self, request: Request) -> None:
        """A relevant page earns its host more pages."""
        host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
        self._run.frontier.extend_budget(host, self._run.config.host_budget_growth)

    def _score(
        self, request: Request, response: Response, analysis: PageAnalysis
    ) -> list[ScoredLink]:
        run = self._run
        evidence: LinkEvidence = request.meta.get(EVIDENCE) or LinkEvidence(SEED_SCORE)
        own = canonical_url(response.url)
        view = page_view(own, analysis, evidence, run.knowledge.pages + 1)
        scores = run.strategy.score(view)
        run.knowledge.publish_page(view)
        offered = scored_links_of(analysis.links.links, scores, own, evidence.depth)
        # Links of an earlier page may still wait in the scheduler.
        run.flush_links()
        new = merge_known(run.frontier, offered)
        if len(new) < len(offered):
            self._stats.inc_value("topiccrawl/links/known", len(offered) - len(new))
        self._stats.inc_value("topiccrawl/links/scored", len(offered))
        return new

    async def _rank(self) -> None:
        """One ranking round, a few milliseconds at a time."""
        run = self._run
        for _ in run.strategy.rank():
            await asyncio.sleep(0)
        waiting = run.frontier.size()
        queue = waiting.queued + waiting.delayed
        self._rank_at = next_ranking(
            run.strategy, run.knowledge.pages, queue, run.config.rank_every_pages
        )
        self._stats.inc_value("topiccrawl/ranking/rounds")
        if not run.frontier.try_lead(run.clock()):
            return
        queued = changed = 0
        for looked_at, moved in rescore_queue(
            run.frontier, run.strategy, queue, run.config.score_tolerance
        ):
            queued += looked_at
            changed += moved
            await asyncio.sleep(0)
        self._stats.inc_value("topiccrawl/ranking/rescored", changed)
        logger.debug(
            "Ranking round: %(changed)d of %(queued)d queued links changed",
            {"changed": changed, "queued": queued},
        )
