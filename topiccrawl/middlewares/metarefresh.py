"""SafeMetaRefreshMiddleware: Scrapy's, without its trust in what a page says of its encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse, Response

from topiccrawl.page.decoding import charset_of_header
from topiccrawl.page.decoding.detection import declared_in_page
from topiccrawl.page.decoding.encodings import encoding_of_label

if TYPE_CHECKING:
    from scrapy import Request

#: Scrapy looks for the tag in the first 4,096 characters, which have at most as many bytes.
_HEAD_BYTES = 4 * 4_096


class SafeMetaRefreshMiddleware(MetaRefreshMiddleware):
    """Follows meta refreshes by reading only the head of a page, in an encoding of the web.

    Scrapy decodes the whole page with any codec of Python that the page names: ``zlib`` fails,
    ``punycode`` takes quadratic time, and the text stays in memory as long as the page.
    """

    def process_response(  # type: ignore[override]  # no spider: deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Return a request for the target of the refresh, if there is one, or *response*."""
        if not isinstance(response, HtmlResponse):
            return response
        body = response.body[:_HEAD_BYTES]
        header = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
        encoding = encoding_of_label(charset_of_header(header)) or declared_in_page(body)
        # Not response.replace(), which looks for the encoding of the whole page.
        head = HtmlResponse(
            response.url, response.status, response.headers, body, encoding=encoding or "utf-8"
        )
        result = super().process_response(request, head)
        return response if result is head else result
