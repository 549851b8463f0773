"""AddressMiddleware: refuses addresses outside the public internet before anything is asked of them.

Only addresses that are written in a URL; names are resolved, and checked, by the download handler
(:mod:`topiccrawl.network.handler`).  Here they are refused also when a proxy would resolve the name, and
no robots.txt is asked for.  A response of another download handler is dropped if it came from a refused
address.  The search engine that the user named is contacted wherever it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.utils.httpobj import urlparse_cached

from topiccrawl.crawl.requests.refused import PrivateAddress
from topiccrawl.crawl.requests.search import may_be_private
from topiccrawl.crawl.settings.network import NetworkSettings
from topiccrawl.urls.addresses import AddressRules, literal_address

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class AddressMiddleware:
    """Refuses requests to literal addresses that the rules do not allow."""

    def __init__(self, rules: AddressRules) -> None:
        self._rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the exceptions from the settings."""
        return cls(AddressRules(NetworkSettings.from_settings(crawler.settings).private_allowed))

    def process_request(self, request: Request) -> None:
        """Raise :class:`PrivateAddress` for an address that is not allowed."""
        if may_be_private(request):
            return
        host = urlparse_cached(request).hostname or ""
        address = literal_address(host)
        if address is not None and not self._rules.allows(host, address):
            raise PrivateAddress(host, address)

    def process_response(self, request: Request, response: Response) -> Response:
        """Drop what came from an address that is not allowed; a proxy's own address is."""
        address = response.ip_address
        if address is not None and not (request.meta.get("proxy") or may_be_private(request)):
            host = urlparse_cached(request).hostname or ""
            if not self._rules.allows(host, address):
                raise PrivateAddress(host, address)
        return response
