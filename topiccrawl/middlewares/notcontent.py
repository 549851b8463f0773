"""NotContentMiddleware: recognizes responses that are not content before anything learns from them.

It stands between decompression (590) and retries (550). A block page or captcha, with any status, does
not reach them: its host is slowed or rested, and its link returns to the frontier. The attempt counts if
the host had given content since its last block; if not, it is no evidence about the page.
Other pages that are not content pass; no link of theirs is scored
(:class:`~topiccrawl.middlewares.linkscore.LinkScoreMiddleware`), and the pipeline of the body drops them.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Self
from weakref import WeakValueDictionary

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl import details
from topiccrawl.crawl.pages.reading import read_elsewhere
from topiccrawl.crawl.requests.meta import DOWNLOAD_SLOT, EVIDENCE, IMPORTED, LEASE
from topiccrawl.crawl.requests.refused import BlockedByHost, RequestRefused
from topiccrawl.crawl.session.current import required_session
from topiccrawl.page.notcontent import NotContent, recognize
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession

#: Between decompression (590) and retries (550).
NOT_CONTENT_ORDER = 560


class NotContentMiddleware:
    """Raises for block pages and captchas, and remembers what else is not content."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._trying: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the crawler's session; off when the crawl has no topic, or by setting."""
        session = required_session(crawler)
        if not session.settings.blocks.recognize:
            raise NotConfigured("TOPICCRAWL_NOT_CONTENT is off")
        return cls(session)

    async def process_response(self, request: Request, response: Response) -> Response | Request:
        """Return *response*; for a block page its request, or raise :class:`BlockedByHost`."""
        # Requests that bypass the queue (robots.txt) are not pages.
        if EVIDENCE not in request.meta:
            return response
        host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
        content = self._session.content
        if 300 <= response.status < 400:  # redirects have no page
            if response.status == HTTPStatus.NOT_MODIFIED:
                content.given(host, request.url)
            return response
        if (again := await self._read(request, response)) is not None:
            return again
        found = self._check(request, response, host)
        if found is None:
            if response.status == HTTPStatus.TOO_MANY_REQUESTS:
                content.rests.refused(host)
            elif 200 <= response.status < 300:
                content.given(host, request.url)
            return response
        if not found.by_host or IMPORTED in request.meta:
            return response
        forbidden = response.status == HTTPStatus.FORBIDDEN
        if forbidden and content.rests.forbidden(host):
            return response
        # In a series of blocks, an attempt is no evidence about the page. A host that has never given
        # content may forbid everything.
        counts = content.rests.gives_content(host) or (forbidden and not content.rests.good(host))
        message = details.NOT_CONTENT(detail=found.reason)
        async with self._trying.setdefault(host, asyncio.Lock()):
            if content.rests.confirmed(host, request.url):
                if forbidden:
                    return response
                raise BlockedByHost(found.kind, message, None)
            if await self._gives_other_pages(host):
                content.rests.suspect(host, request.url)
                raise BlockedByHost(found.kind, message, self._session.clock())
            until = content.blocked(host, found)
        if LEASE in request.meta and not counts:
            # The host blocks, whatever it is asked for: the attempt does not count.
            return request.replace(dont_filter=True)
        raise BlockedByHost(found.kind, message, until)

    async def _read(self, request: Request, response: Response) -> Request | None:
        """Have the page analyzed elsewhere; return its request if it goes back to the queue."""
        if response.request is None:
            # Scrapy sets it later; the analysis needs the anchor that led to the page.
            response.request = request
        if not isinstance(response, TextResponse) or self._session.documents.wanted(response):
            return None
        return await read_elsewhere(self._session, request, response)

    def _check(self, request: Request, response: Response, host: str) -> NotContent | None:
        """Return what *response* is if it is not content."""
        session = self._session
        if not isinstance(response, TextResponse) and response.body:
            return None
        if session.documents.wanted(response):
            return None
        analysis = session.pages.analysis(response)
        if session.trials.wanted(analysis.page):
            return None  # large: content by its size, and costly
        asked = request.meta.get("redirect_urls", [request.url])[0]
        analysis.not_content = session.content.check(
            response, analysis, canonical_url(asked), host, request.meta[EVIDENCE]
        )
        return analysis.not_content

    async def _gives_other_pages(self, host: str) -> bool:
        """Return whether *host*, which is to rest, gives a page that it has given before."""
        session = self._session
        url = session.content.rests.doubtful(host, session.clock())
        if not url:
            return False
        session.control.count("blocked/asked_again")
        request = Request(url, dont_filter=True, meta={"dont_retry": True, DOWNLOAD_SLOT: host})
        try:
            response = await session.control.download(request)
        except Exception:  # whatever it is, it is not a page
            return False
        try:
            if isinstance(response, TextResponse):
                await read_elsewhere(session, request, response)
        except RequestRefused:
            return False
        page = session.pages.analysis(response).page
        return response.status == HTTPStatus.OK and recognize(page) is None
