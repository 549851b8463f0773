"""LinkScoreMiddleware: scores every link of every page (default IPageRank-RWB, [thesis] chapter 9).

It works in two places.  ``process_response`` analyzes the page, scores its links and, when a round is
due, recomputes the ranking and re-scores what is queued, in place.  The ``request_scheduled`` signal
sets the priority of a request *before* it enters the queue (``process_request`` would be too late:
the request has left the queue by then).  What is computed is in :mod:`topiccrawl.crawl.ordering`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl.crawl.control import MAX_PAGES
from topiccrawl.crawl.current import has_topic, session_of
from topiccrawl.crawl.meta import (
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    IMPORTED,
    LEASE,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.crawl.ordering import FetchedPage, page_view
from topiccrawl.crawl.reading import put_back, read_elsewhere
from topiccrawl.crawl.refreshing.answers import file_digest, validators_of
from topiccrawl.crawl.refreshing.visits import NOT_MODIFIED
from topiccrawl.crawl.sites import SITE_ISSUE
from topiccrawl.scheduling.requests import redirect_source
from topiccrawl.steps import run_steps_in_turns
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import Stated
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.page.body.host_learning import BodyEdges
    from topiccrawl.scoring.evidence import LinkEvidence
    from topiccrawl.urls.novelty import PageText

logger = logging.getLogger(__name__)


class LinkScoreMiddleware:
    """Scores the links of fetched pages and keeps the queue's scores up to date."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._ranking = asyncio.Lock()
        self._judging: asyncio.Task[None] | None = None
        self._judge_at = session.settings.judge_again_every_pages

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the crawler's session; off when the crawl has no topic."""
        if not has_topic(crawler):
            raise NotConfigured("no topic: LinkScoreMiddleware cannot score links")
        middleware = cls(session_of(crawler))
        crawler.signals.connect(middleware.request_scheduled, signals.request_scheduled)
        return middleware

    def request_scheduled(self, request: Request) -> None:
        """Set evidence and priority; a request that carries a score keeps it (retries)."""
        if SCORE in request.meta:
            if SITE_ISSUE in request.meta and redirect_source(request.meta) is not None:
                self._session.sites.redirected(request)
            return
        evidence = self._session.order.request_evidence(
            canonical_url(request.url),
            depth=request.meta.get(DEPTH, 0),
            priority=request.priority,
        )
        request.meta[SCORE] = evidence.score
        request.meta[EVIDENCE] = evidence
        request.priority = round(PRIORITY_SCALE * evidence.score)

    def process_request(self, request: Request) -> None:
        """Record, at the moment of dispatch, the parts of the score: ``scrapy explain`` shows them."""
        lease = request.meta.get(LEASE)
        evidence: LinkEvidence | None = request.meta.get(EVIDENCE)
        if lease is not None and evidence is not None:
            order = self._session.order
            request.meta[EVIDENCE] = order.with_current_parts(lease, evidence)
            order.handed_out(lease)
        self._session.documents.allow_size(request)

    async def process_response(self, request: Request, response: Response) -> Response | Request:
        """Score the page's links before any other component handles the page.

        A large page goes back to the queue when the crawl ends, or when too many others wait.
        """
        # Requests that bypass the queue (robots.txt) are no pages.
        if EVIDENCE not in request.meta:
            return response
        visits = self._session.visits
        if not 200 <= response.status < 300:
            if response.status == NOT_MODIFIED and visits is not None:
                visits.read(request, response, None)
                self._session.page_budget.page_fetched(request.meta.get(LEASE))
            return response
        if (read := await self._session.sites.read(request, response)) is not None:
            if visits is not None and (found := visits.read(request, read, None)) is not None:
                found.new_links = self._session.sites.new_in(read)
                found.changed = found.new_links > 0
                found.etag, found.last_modified = validators_of(response)
                found.digest = file_digest(response)
            return read
        if response.request is None:
            # Scrapy sets it later; the analysis needs the anchor that led to the page.
            response.request = request
        session = self._session
        host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
        if session.documents.wanted(response):
            if session.documents.turns.crowded:
                return put_back(session, request, session.documents.turns)
            document = await session.documents.read(response)
            if document is None:
                return request.replace(dont_filter=True)
            if document.document.kind:
                session.pages.add_page(response, document)
        elif not isinstance(response, TextResponse):
            return response
        page = session.pages.analysis(response).page
        if not page.looks_like_html:
            return response
        if (again := await read_elsewhere(session, request, response)) is not None:
            return again
        if not session.pages.elsewhere and session.trials.wanted(page):
            if session.trials.turns.crowded:
                return put_back(session, request, session.trials.turns)
            if not await session.trials.run(page):
                return request.replace(dont_filter=True)
        analysis = session.pages.analysis(response)
        revisit = None
        if session.visits is not None:
            revisit = session.visits.read(request, response, analysis)
        not_content = analysis.not_content
        session.page_budget.page_fetched(request.meta.get(LEASE))
        if revisit is not None and revisit.mark.kind == "article" and not revisit.changed:
            if session.page_budget.reached:
                session.control.stop(MAX_PAGES)
            return response  # its links are known
        if (imported := request.meta.get(IMPORTED)) is not None and imported.held:
            return response  # it was read before: now its parts are joined
        if revisit is None:
            session.progress.pages += 1
            session.control.count("pages/analyzed")
        if left_out := analysis.page.lines_left_out:
            session.control.count("pages/host_lines", left_out)
        if session.page_budget.reached:
            session.control.stop(MAX_PAGES)
        own = canonical_url(response.url)
        if not_content is not None and not_content.kind != "shell":
            # Nothing is learned from it, and none of its links is followed: a soft 404 has links that
            # other pages have, too, and some that lead to further ones without end.
            return response
        # What is imported says nothing about the addresses of a site: a user has chosen the pages.
        # Nor does a page that is fetched again: its text is on its site already.
        learned = imported is None and revisit is None
        text = analysis.text if learned else None
        await run_steps_in_turns(analysis.read_links())
        fetched = FetchedPage(
            url=own,
            view=page_view(own, analysis),
            links=analysis.links,
            evidence=request.meta[EVIDENCE],
            host=host,
            text=text,
            stated=_stated(analysis, text, request.meta.get("redirect_urls")),
            edges=self._edges(analysis, own) if learned and not_content is None else None,
        )
        if not_content is not None:
            passed = session.order.passed_on(fetched)
            session.order.expect(passed)
            session.pages.hold(response, passed)
            return response
        if imported is not None or (revisit is not None and revisit.changed):
            session.classifier.renew(link_id(own))
        links = await run_steps_in_turns(session.order.page_in_pieces(fetched))
        if revisit is not None and session.visits is not None:
            links = session.visits.promote(revisit, analysis.page, links)
        if session.sites:
            depth = request.meta[EVIDENCE].depth
            session.sites.page(request, own, analysis, depth, (it.evidence.score for it in links))
        judgment = session.classifier.judgment(link_id(own))
        if judgment is not None and judgment.kept and revisit is None:
            session.progress.relevant += 1
            session.control.count("pages/relevant")
        if session.order.round_due:
            # A round gives way to the event loop; a second one must not begin before it ends.
            async with self._ranking:
                await self._rank()
        session.order.expect(links)
        session.pages.hold(response, links)
        return response

    def _edges(self, analysis: PageAnalysis, own: str) -> BodyEdges | None:
        """Learn which lines the host repeats; return what other workers have to learn."""
        page, host_lines = analysis.page, self._session.host_lines
        if host_lines is None or page.media_type or not page.edge_lines:
            return None
        if analysis.paging is not None and analysis.paging.number > 1:
            return None  # parts of one article repeat its abstract
        return host_lines.learn(page.url, own, page.edge_lines)

    async def _rank(self) -> None:
        """Run one ranking round, a few milliseconds at a time."""
        changed = 0
        learns = self._session.classifier.due
        for rescored in self._session.order.ranking_round():
            changed += rescored
            await asyncio.sleep(0)
        pages, every = self._session.journal.pages, self._session.settings.judge_again_every_pages
        if (
            learns
            and every
            and pages >= self._judge_at
            and self._session.frontier.try_lead(self._session.clock())
        ):
            self._judge_at = pages + every
            # Not awaited: writing to the store may take longer than the crawl should wait.
            self._judging = asyncio.create_task(self._session.judge_again())
        logger.debug("Ranking round: %(changed)d queued links changed", {"changed": changed})


def _stated(analysis: PageAnalysis, text: PageText | None, redirects: object) -> Stated:
    """Return what mirrors and versions are learned from; *redirects* are the URLs that led here."""
    found = redirects if isinstance(redirects, list) else []
    page = analysis.page
    sources = [canonical_url(url) for url in found if isinstance(url, str)]
    return Stated(
        analysis.content if text is not None else None,
        "" if page.canonical_url is None else canonical_url(page.canonical_url),
        tuple(map(canonical_url, page.versions)),
        redirected=sources[-1] if sources else "",
        asked=sources[0] if sources else "",
    )
