"""LinkScoreMiddleware: scores every link of every page (default IPageRank-RWB, [thesis] chapter 9).

It works in two places.  ``process_response`` analyzes the page, scores its links and, when a round is
due, recomputes the ranking and re-scores what is queued, in place.  The ``request_scheduled`` signal
sets the priority of a request *before* it enters the queue (``process_request`` would be too late:
the request has left the queue by then).  What is computed is in :mod:`topiccrawl.crawl.queue.ordering`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.http import Response, TextResponse

from topiccrawl.crawl.pages.reading import put_back, read_elsewhere
from topiccrawl.crawl.queue.ordering import FetchedPage, ScoredLink, page_view
from topiccrawl.crawl.refreshing.answers import file_digest, validators_of
from topiccrawl.crawl.refreshing.links import promote_entries
from topiccrawl.crawl.refreshing.visits import NOT_MODIFIED
from topiccrawl.crawl.requests.meta import (
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    IMPORTED,
    LEASE,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.crawl.session.current import required_session
from topiccrawl.crawl.sites.marks import SITE_ISSUE
from topiccrawl.endings import MAX_PAGES
from topiccrawl.scheduling.requests import redirect_source
from topiccrawl.signals import connected
from topiccrawl.steps import run_steps_in_turns
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import Stated
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.refreshing.visit import Revisit
    from topiccrawl.crawl.session.session import CrawlSession
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
        return connected(cls(required_session(crawler)), crawler)

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
        # Requests that bypass the queue (robots.txt) are not pages.
        if EVIDENCE not in request.meta:
            return response
        if not 200 <= response.status < 300:
            self._count_unmodified(request, response)
            return response
        if (file := await self._site_file(request, response)) is not None:
            return file
        if response.request is None:
            # Scrapy sets it later; the analysis needs the anchor that led to the page.
            response.request = request
        if (other := await self._read(request, response)) is not None:
            return other
        analysis = self._session.pages.analysis(response)
        visits = self._session.visits
        revisit = None if visits is None else visits.read(request, response, analysis)
        if self._has_new_links(request, analysis, revisit):
            await self._hold_links(request, response, analysis, revisit)
        return response

    def _count_unmodified(self, request: Request, response: Response) -> None:
        """Record a page that is unchanged according to its host."""
        session = self._session
        if response.status == NOT_MODIFIED and session.visits is not None:
            session.visits.read(request, response, None)
            session.page_budget.page_fetched(request.meta.get(LEASE))
            self._obey_page_budget()

    async def _site_file(self, request: Request, response: Response) -> Response | None:
        """Return *response* as a file that lists the pages of a site; ``None`` if it is none."""
        sites, visits = self._session.sites, self._session.visits
        if (read := await sites.read(request, response)) is None:
            return None
        if visits is not None and (found := visits.read(request, read, None)) is not None:
            found.new_links = sites.new_in(read)
            found.changed = found.new_links > 0
            found.etag, found.last_modified = validators_of(response)
            found.digest = file_digest(response)
        return read

    async def _read(self, request: Request, response: Response) -> Response | Request | None:
        """Read the page, elsewhere if it is costly.

        Returns *response* if it is not a page, the request of a page that is fetched again, else ``None``.
        """
        session = self._session
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
        return None

    def _has_new_links(
        self, request: Request, analysis: PageAnalysis, revisit: Revisit | None
    ) -> bool:
        """Count the page; return whether its links may lead to something new."""
        session = self._session
        session.page_budget.page_fetched(request.meta.get(LEASE))
        if revisit is not None and revisit.mark.kind == "article" and not revisit.changed:
            self._obey_page_budget()
            return False  # its links are known
        if (imported := request.meta.get(IMPORTED)) is not None and imported.held:
            return False  # it was read before: now its parts are joined
        if revisit is None:
            session.progress.pages += 1
            session.control.count("pages/analyzed")
        if left_out := analysis.page.lines_left_out:
            session.control.count("pages/host_lines", left_out)
        self._obey_page_budget()
        # Nothing is learned from what is not content, and none of its links is followed: a soft 404 has
        # links that other pages have, too, and some that lead to further ones without end.
        return analysis.not_content is None or analysis.not_content.kind == "shell"

    def _obey_page_budget(self) -> None:
        if self._session.page_budget.reached:
            self._session.control.stop(MAX_PAGES)

    async def _hold_links(
        self,
        request: Request,
        response: Response,
        analysis: PageAnalysis,
        revisit: Revisit | None,
    ) -> None:
        """Score the page's links, and keep the new ones for the spider."""
        session = self._session
        fetched = await self._fetched(request, response, analysis, revisit)
        if analysis.not_content is not None:
            links = session.order.passed_on(fetched)
        else:
            links = await self._scored(request, fetched, analysis, revisit)
            if session.order.round_due:
                # A round yields to the event loop; a second one must not begin before it ends.
                async with self._ranking:
                    if session.order.round_due:  # and not for the pages that came meanwhile
                        await self._rank()
        session.order.expect(links)
        session.pages.hold(response, links)

    async def _fetched(
        self,
        request: Request,
        response: Response,
        analysis: PageAnalysis,
        revisit: Revisit | None,
    ) -> FetchedPage:
        """Return what the order of links depends on."""
        own = canonical_url(response.url)
        # Imported pages are no evidence about the addresses of a site: a user has chosen them.
        # Nor does a page that is fetched again: its text is on its site already.
        learned = request.meta.get(IMPORTED) is None and revisit is None
        text = analysis.text if learned else None
        await run_steps_in_turns(analysis.read_links())
        return FetchedPage(
            url=own,
            view=page_view(own, analysis),
            links=analysis.links,
            evidence=request.meta[EVIDENCE],
            host=request.meta.get(DOWNLOAD_SLOT) or host_of(request.url),
            text=text,
            stated=_stated(analysis, text, request.meta.get("redirect_urls")),
            edges=self._edges(analysis, own) if learned and analysis.not_content is None else None,
        )

    async def _scored(
        self,
        request: Request,
        fetched: FetchedPage,
        analysis: PageAnalysis,
        revisit: Revisit | None,
    ) -> list[ScoredLink]:
        """Have the page judged and its links scored; return those that are new to the frontier."""
        session = self._session
        page = link_id(fetched.url)
        if IMPORTED in request.meta or (revisit is not None and revisit.changed):
            session.judging.classifier.renew(page)
        links = await run_steps_in_turns(session.order.page_in_pieces(fetched))
        if revisit is not None:
            links = promote_entries(revisit, analysis.page, links)
        if session.sites:
            scores = (it.evidence.score for it in links)
            session.sites.page(request, fetched.url, analysis, fetched.evidence.depth, scores)
        judgment = session.judging.classifier.judgment(page)
        if judgment is not None and judgment.kept and revisit is None:
            session.progress.relevant += 1
            session.control.count("pages/relevant")
        return links

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
        learns = self._session.judging.classifier.due
        for rescored in self._session.order.ranking_round():
            changed += rescored
            await asyncio.sleep(0)
        pages, every = self._session.journal.pages, self._session.settings.judge_again_every_pages
        if learns and every and pages >= self._judge_at and self._session.queue.leads():
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
