"""The download handler for http and https: Scrapy's, limited to the addresses that may be contacted.

Every request passes here, whatever asked for it: links, redirects, robots.txt, seeds, start URLs.  A name
is resolved and its addresses are checked before anything is sent.  The connection is checked once more
by its other end, in case the name has a new address by then (DNS rebinding), and is closed before the
request is written.

A request that goes to a proxy is not checked: the proxy resolves the name and connects, and its own
address may be private.  Nor is one to the search engine that the user named.  Addresses that are written
in the URL are refused all the same, by
:class:`~topiccrawl.middlewares.addresses.AddressMiddleware`.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadFailedError
from scrapy.utils.httpobj import urlparse_cached
from twisted.web.client import HTTPConnectionPool

from topiccrawl.crawl.proxies.proxying import CrawlProxies
from topiccrawl.crawl.requests.meta import PROXIED, ROBOTS
from topiccrawl.crawl.requests.refused import CertificateRefused, PrivateAddress
from topiccrawl.crawl.requests.search import may_be_private
from topiccrawl.crawl.settings.network import NetworkSettings
from topiccrawl.network.framing import BoundedFactory
from topiccrawl.network.resolving import resolve
from topiccrawl.network.socks import SCHEME, SocksHandler
from topiccrawl.urls.addresses import AddressRules, literal_address
from topiccrawl.urls.routes import split_route

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred


#: Packages whose errors describe faults of certificates; Twisted uses them for TLS.
_TLS_PACKAGES = ("OpenSSL", "service_identity")


class PublicHTTPHandler(HTTP11DownloadHandler):
    """Scrapy's handler for direct connections to allowed addresses, and for proxies."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._rules = AddressRules(NetworkSettings.from_settings(crawler.settings).private_allowed)
        self._verifies = crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
        self._by_proxy = HTTP11DownloadHandler(crawler)
        self._by_proxy._pool._factory = BoundedFactory
        self._by_socks = SocksHandler(crawler)
        self._proxies = CrawlProxies.of(crawler)
        self._pool = _checked(self._pool, self._rules)

    async def download_request(self, request: Request) -> Response:
        """Download; raises :class:`PrivateAddress` for an address that may not be contacted."""
        plain, route = split_route(request.url)
        if route:
            # A server receives no fragments; the page is known by its whole address all the same.
            response = await self._download(request.replace(url=plain))
            return response.replace(url=request.url)
        if ROBOTS not in request.meta:
            return await self._download(request)
        # Whatever size it announces: RobotsMiddleware ends the transfer.
        request.meta["download_maxsize"] = 0
        try:
            return await self._download(request)
        finally:
            # Not for what it unpacks to.
            del request.meta["download_maxsize"]

    async def _download(self, request: Request) -> Response:
        if PROXIED in request.meta and self._proxies is not None:
            return await self._proxies.fetch(request, self._through_proxy)
        if request.meta.get("proxy") or may_be_private(request):
            return await self._through_proxy(request)
        host = urlparse_cached(request).hostname or ""
        literal = literal_address(host)
        for address in [literal] if literal is not None else await resolve(host):
            if not self._rules.allows(host, address):
                raise PrivateAddress(host, address)
        try:
            return await super().download_request(request)
        except DownloadFailedError as error:
            if self._verifies and (problem := _certificate_problem(error)):
                raise CertificateRefused(host, problem) from error
            raise

    async def _through_proxy(self, request: Request) -> Response:
        """Download through the proxy in ``meta``, or without one."""
        if (request.meta.get("proxy") or "").startswith(f"{SCHEME}://"):
            return await self._by_socks.download_request(request)
        return await self._by_proxy.download_request(request)

    async def close(self) -> None:
        """Close the connections."""
        await self._by_proxy.close()
        await self._by_socks.close()
        await super().close()


def _certificate_problem(error: DownloadFailedError) -> str:
    """Return why a certificate was refused, ``""`` if *error* is another one."""
    for reason in getattr(error.__cause__, "reasons", ()):
        if type(reason.value).__module__.partition(".")[0] in _TLS_PACKAGES:
            return str(reason.value)
    return ""


def _checked(pool: HTTPConnectionPool, rules: AddressRules) -> HTTPConnectionPool:
    """Return a pool like *pool* whose connections lead to addresses that *rules* allow."""
    checked = _CheckedPool(pool._reactor, persistent=pool.persistent)  # type: ignore[no-untyped-call]
    checked.maxPersistentPerHost = pool.maxPersistentPerHost
    checked._factory = BoundedFactory
    checked.rules = rules
    return checked


class _CheckedPool(HTTPConnectionPool):
    rules: AddressRules

    def getConnection(self, key: Any, endpoint: Any) -> Deferred[Any]:  # noqa: N802
        """Return a connection to the host of *key*: scheme, host, port."""
        connecting: Deferred[Any] = super().getConnection(key, endpoint)
        host = key[1].decode("ascii", "replace")
        return connecting.addCallback(self._check, host)

    def _check(self, connection: Any, host: str) -> Any:
        peer = ip_address(connection.transport.getPeer().host.partition("%")[0])
        if not self.rules.allows(host, peer):
            connection.transport.abortConnection()
            raise PrivateAddress(host, peer)
        return connection
