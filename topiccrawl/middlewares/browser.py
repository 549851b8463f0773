"""BrowserMiddleware: replaces pages whose content scripts put in by what a browser shows.

It sees the final response of a page: after redirects, retries and decompression, before anything is read
of it.  A page is fetched once; the browser gets what was fetched (:mod:`topiccrawl.network.browser`).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, Self

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from topiccrawl.crawl.pages.reading import read_elsewhere
from topiccrawl.crawl.requests.meta import EVIDENCE, IMPORTED
from topiccrawl.crawl.session.current import required_session
from topiccrawl.language import _
from topiccrawl.network.executable import check_browser
from topiccrawl.signals import connected
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.network.browser import PageBrowser

logger = logging.getLogger(__name__)

#: After retries (550), redirects (600) and decompression (590), before the scores of links (543).
BROWSER_ORDER: Final = 546


class BrowserMiddleware:
    """Loads pages in the browser."""

    def __init__(self, session: CrawlSession, crawler: Crawler, executable: str) -> None:
        self._session = session
        self._crawler = crawler
        self._choice = session.browsing
        self._executable = executable
        self._browser: PageBrowser | None = None
        self._hinted = session.settings.browser.mode != "named"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Find the browser; off when no page can be loaded in one."""
        session = required_session(crawler)
        settings = session.settings.browser
        if settings.mode == "off":
            raise NotConfigured("no browser")
        executable = check_browser(settings) if session.browsing.possible else ""
        return connected(cls(session, crawler, executable), crawler)

    async def process_response(self, request: Request, response: Response) -> Response | Request:
        """Return *response*, or the page as a browser shows it."""
        if (
            EVIDENCE not in request.meta
            or IMPORTED in request.meta
            or not 200 <= response.status < 300
            or not isinstance(response, HtmlResponse)
        ):
            return response
        if response.request is None:
            response.request = request
        named = self._choice.named(response.url)
        if not named and not self._choice.learns and self._hinted:
            return response
        pages = self._session.pages
        if not pages.analysis(response).page.looks_like_html:
            return response
        if named:
            return await self._render(request, response)
        if (again := await read_elsewhere(self._session, request, response)) is not None:
            return again
        analysis = pages.analysis(response)
        if not analysis.shell:
            return response
        if not self._choice.learns:
            self._hint(response.url)
            return response
        return await self._maybe_render(request, response, analysis)

    async def spider_closed(self) -> None:
        """Close the browser."""
        if self._browser is not None:
            await self._browser.close()

    # -- inside ------------------------------------------------------------------------------------

    async def _maybe_render(
        self, request: Request, response: Response, analysis: PageAnalysis
    ) -> Response:
        """Load a shell if its template is known to show more in a browser, or not known yet."""
        host, template, choice = host_of(response.url), analysis.template, self._choice
        load, trial = await choice.load(
            host, template, lambda: self._session.control.count("browser/trials")
        )
        if not load:
            return response
        gains: bool | None = None
        try:
            rendered = await self._render(request, response)
            # A large one returns to the queue later, if it must.
            if not self._session.trials.wanted(self._session.pages.analysis(rendered).page):
                await read_elsewhere(self._session, request, rendered)
            gains = analysis.shown.gains(self._session.pages.analysis(rendered).shown)
        finally:
            if trial:
                choice.tried(host, template, gains)
            elif gains is not None:
                choice.loaded(host, template, gains)
        if not gains:
            self._session.control.count("browser/useless")
        return rendered if gains else response

    async def _render(self, request: Request, response: Response) -> Response:
        if self._browser is None:
            # Not at module level: it needs the extra.
            from topiccrawl.network.browser import PageBrowser

            self._browser = PageBrowser(
                self._crawler,
                self._session.settings.browser,
                self._executable,
                self._session.control.download,
                self._session.control.count,
            )
        body = await self._browser.render(request, response)
        rendered = response.replace(body=body, encoding="utf-8")
        rendered.headers[b"Content-Type"] = b"text/html; charset=utf-8"
        rendered.request = request
        return rendered

    def _hint(self, url: str) -> None:
        self._hinted = True
        logger.info(
            _(
                "%(url)s shows no content without scripts; -a browser=1 loads such pages in a browser"
            ),
            {"url": url},
        )
