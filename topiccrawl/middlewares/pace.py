"""AddressPaceMiddleware: limits the requests to one address that has many host names.

After :class:`~topiccrawl.middlewares.politeness.PolitenessMiddleware`, so that what begins here reaches the
downloader and comes back from it.  Requests by a proxy have no address and are not limited.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.httpobj import urlparse_cached

from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.crawl.session.current import required_session
from topiccrawl.network.resolving import resolve
from topiccrawl.politeness.addresses import AddressPaces
from topiccrawl.urls.addresses import literal_address

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.session.session import CrawlSession


class AddressPaceMiddleware:
    """Puts requests back whose address has too many under way, or too many in a short time."""

    def __init__(self, session: CrawlSession, crawler: Crawler) -> None:
        most = session.settings.network.requests_per_address
        self._session = session
        self._paces = AddressPaces(most, crawler.settings.getfloat("DOWNLOAD_DELAY"))
        self._address: WeakKeyDictionary[Request, str] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the setting; off without a topic, without a limit, and without Twisted's resolver."""
        session = required_session(crawler)
        twisted = crawler.settings.getbool("TWISTED_REACTOR_ENABLED")
        if not session.settings.network.requests_per_address or not twisted:
            raise NotConfigured("no limit by address")
        return cls(session, crawler)

    async def process_request(self, request: Request) -> Request | None:
        """Pass the request, or put it back until its address has room."""
        if LEASE not in request.meta or request.meta.get("proxy"):
            return None
        host = urlparse_cached(request).hostname or ""
        literal = literal_address(host)
        address = str((await resolve(host))[0] if literal is None else literal)
        wait = self._paces.begin(address, host, time.monotonic())
        if not wait:
            self._address[request] = address
            return None
        until = self._session.clock() + wait
        return self._session.put_back(request, until, "politeness/put_back/address")

    def process_response(self, request: Request, response: Response) -> Response:
        """End the request."""
        self._end(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """End the request: it failed."""
        self._end(request)

    def _end(self, request: Request) -> None:
        address = self._address.pop(request, None)
        if address is not None:
            self._paces.end(address)
