"""LocalHandler: the download handler of an import, which answers with what is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import HtmlResponse, Response
from scrapy.responsetypes import responsetypes

from topiccrawl.crawl.requests.meta import IMPORTED
from topiccrawl.crawl.requests.refused import NothingFetched

if TYPE_CHECKING:
    from scrapy import Request

    from topiccrawl.crawl.importing import HeldEntries
    from topiccrawl.imports.entries import Entry


class LocalHandler(BaseDownloadHandler):
    """Returns the entry that the request carries, or a part of an article; refuses all other requests."""

    lazy = True

    async def download_request(self, request: Request) -> Response:
        """Return the response; raises :class:`NothingFetched` without an entry."""
        entry: Entry | None = request.meta.get(IMPORTED)
        held: HeldEntries | None = getattr(self.crawler.spider, "held", None)
        if entry is None and held is not None:
            entry = held.get(request.url)
        if entry is None:
            raise NothingFetched
        kind = entry.content_type
        headers = {"Content-Type": kind} if kind else {}
        if entry.kind == "page":
            return HtmlResponse(request.url, body=entry.body, headers=headers)
        response_class = responsetypes.from_args(url=request.url, body=entry.body)
        return response_class(request.url, body=entry.body, headers=headers)
