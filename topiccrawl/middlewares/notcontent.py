"""NotContentMiddleware: recognizes responses that are not content before anything learns from them.

It stands between decompression (590) and retries (550). A block page or captcha, with any status, does
not reach them: its host is slowed or rested, and its link returns to the frontier. The attempt counts if
the host had given content since its last block; if not, it says nothing about the page.
Other pages that are not content pass; no link of theirs is scored
(:class:`~topiccrawl.middlewares.linkscore.LinkScoreMiddleware`), and the pipeline of the body drops them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl import details
from topiccrawl.crawl.meta import DOWNLOAD_SLOT, EVIDENCE, IMPORTED, LEASE
from topiccrawl.crawl.refused import BlockedByHost
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

#: Between decompression (590) and retries (550).
NOT_CONTENT_ORDER = 560


class NotContentMiddleware:
    """Raises for block pages and captchas, and remembers what else is not content."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the crawler's session; off when the crawl has no topic, or by setting."""
        if not CrawlSession.wanted(crawler):
            raise NotConfigured("no topic")
        session = CrawlSession.of(crawler)
        if not session.settings.blocks.recognize:
            raise NotConfigured("TOPICCRAWL_NOT_CONTENT is off")
        return cls(session)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        """Return *response*; for a block page its request, or raise :class:`BlockedByHost`."""
        # Requests that bypass the queue (robots.txt) are no pages; redirects have none.
        if EVIDENCE not in request.meta or 300 <= response.status < 400:
            return response
        if not isinstance(response, TextResponse):
            return response
        if response.request is None:
            # Scrapy sets it later; the analysis needs the anchor that led to the page.
            response.request = request
        session = self._session
        host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
        asked = request.meta.get("redirect_urls", [request.url])[0]
        if session.documents.wanted(response):
            return response
        analysis = session.pages.analysis(response)
        if session.trials.wanted(analysis.page):
            return response  # large: content by its size, and costly
        found = session.content.check(
            response, analysis.page, canonical_url(asked), host, request.meta[EVIDENCE]
        )
        if found is None:
            if 200 <= response.status < 300:
                session.content.content(host)
            return response
        analysis.not_content = found
        if not found.by_host or IMPORTED in request.meta:
            return response
        lease = LEASE in request.meta
        first = session.content.rests.gives_content(host)
        until = session.content.blocked(host, found)
        if lease and not first:
            # The host blocks, whatever it is asked for: the attempt does not count.
            return request.replace(dont_filter=True)
        raise BlockedByHost(found.kind, details.NOT_CONTENT(words=found.reason), until)
