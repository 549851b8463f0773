"""Scrapy's middlewares for redirects and meta refreshes, without their trust in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import (
    BaseRedirectMiddleware,
    MetaRefreshMiddleware,
    RedirectMiddleware,
)
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response

from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.requests.meta import DOWNLOAD_SLOT, LOGIN
from topiccrawl.crawl.requests.pages import content_type
from topiccrawl.crawl.requests.refused import RedirectLoop
from topiccrawl.page.decoding import charset_of_header
from topiccrawl.page.decoding.detection import declared_in_page
from topiccrawl.page.decoding.encodings import encoding_of_label
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

#: Bytes of cookies of a host at most, as browsers keep of one cookie (RFC 6265, 6.1).
_COOKIE_BYTES = 4_096
#: Hosts whose cookies are kept at most (a guess).
_MOST_HOSTS = 1_000
#: Redirects of a link that are followed however many chains of its host were endless (a guess: from http to https,
#: and to ``www.``).
_LEAST_REDIRECTS = 2
#: Scrapy looks for the tag in the first 4,096 characters, which have at most as many bytes.
_HEAD_BYTES = 4 * 4_096


class _Cautious(BaseRedirectMiddleware):
    """Refuses targets with a user name, as links are refused: a password would get into files.

    After each link of a host whose redirects did not end within ``REDIRECT_MAX_TIMES``, half as many are
    followed, until one ends: a hundred links that lead on and on would cost two thousand requests.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        #: Links in a row whose redirects did not end, by the host that they began at.
        self._endless: BoundedDict[str, int] = BoundedDict(_MOST_HOSTS)

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        host = _first_host(request)
        if host in self._endless and not request.meta.get("redirect_times"):
            most = max(_LEAST_REDIRECTS, self.max_redirect_times >> self._endless[host])
            request.meta["redirect_ttl"] = min(most, request.meta.get("redirect_ttl", most))
        try:
            return super()._redirect(redirected, request, reason)
        except IgnoreRequest:
            self._endless[host] = self._endless.get(host, 0) + 1
            raise

    def _ended(self, request: Request) -> None:
        """Record that redirects have led to an answer."""
        if self._endless and request.meta.get("redirect_times"):
            self._endless.pop(_first_host(request), None)

    def _build_redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        if "@" in urlsplit(url).netloc:
            raise ValueError("the target has a user name")
        target = super()._build_redirect_request(source_request, response, url=url, **kwargs)
        if target.meta.get(DOWNLOAD_SLOT) == host_of(source_request.url):
            # The downloader wrote the host's name; another host has a slot, and a delay, of its own.
            del target.meta[DOWNLOAD_SLOT]
        return target


class SafeRedirectMiddleware(_Cautious, RedirectMiddleware):
    """Follows redirects to addresses that can be requested.

    Others (``mailto:``, a bad port) raise in Scrapy; here the response keeps its status, 302 or the like.

    Some sites set a cookie and redirect to the same address, or to another one and from there back, until the
    cookie comes back.  It is sent to that host from then on, and kept in memory only.  Other cookies are left
    to ``COOKIES_ENABLED``.  Redirects that lead back to an address without a new cookie are a loop.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._keeps_cookies = not settings.getbool("COOKIES_ENABLED")
        #: ``Cookie`` headers by host that are sent, the host that was met last at the end.
        self._cookies: BoundedDict[str, bytes] = BoundedDict(_MOST_HOSTS)
        #: The same of all redirects, which are not sent unless these turn out to be such a wall.
        self._offered: BoundedDict[str, bytes] = BoundedDict(_MOST_HOSTS)

    def process_request(self, request: Request) -> None:
        """Add the cookies without which the host shows no page."""
        cookie = self._cookies.get(host_of(request.url))
        if cookie and LOGIN not in request.meta and "Cookie" not in request.headers:
            request.headers["Cookie"] = cookie
            request.meta["dont_cache"] = True  # the cache would answer with the redirect

    def process_response(  # type: ignore[override]  # no spider: deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Return a request for the target of the redirect, if there is one, or *response*."""
        try:
            result = super().process_response(request, response)
        except ValueError:
            return response
        if not isinstance(result, Request):
            self._ended(request)
            return result
        if LOGIN in request.meta:
            return result
        leads_back = result.url in result.meta["redirect_urls"]
        if self._keeps_cookies:
            self._note_cookies(request, response)
            if leads_back and not self._send_cookies(result) and result.url != request.url:
                raise RedirectLoop(result.url)
        if leads_back:
            result.dont_filter = True  # it was fetched, without the cookie
        return result

    def _note_cookies(self, request: Request, response: Response) -> None:
        """Keep what a redirect sets, which may be the cookie that its target asks for."""
        if lines := response.headers.getlist("Set-Cookie"):
            host = host_of(request.url)
            _keep(self._offered, host, _merged(self._offered.get(host, b"").split(b";"), lines))

    def _send_cookies(self, target: Request) -> bool:
        """Send the cookies of the redirects to the host of *target* from now on; return whether any is new."""
        host = host_of(target.url)
        line = self._offered.get(host, b"")
        if line == self._cookies.get(host, b""):
            return False
        _keep(self._cookies, host, line)
        return host in self._cookies


def _first_host(request: Request) -> str:
    """Return the host that the redirects to *request* began at."""
    return host_of(request.meta.get("redirect_urls", [request.url])[0])


def _keep(cookies: dict[str, bytes], host: str, line: bytes) -> None:
    """Set the cookies of *host*, which becomes the last; too many are none."""
    if line and len(line) <= _COOKIE_BYTES:
        cookies[host] = line
    else:
        cookies.pop(host, None)


def _merged(before: Iterable[bytes], set_now: Iterable[bytes]) -> bytes:
    """Return a ``Cookie`` header of the cookies of one and the ``Set-Cookie`` headers that follow it."""
    cookies = {}
    for cookie in (*before, *(line.partition(b";")[0] for line in set_now)):
        name, equal, value = cookie.strip().partition(b"=")
        if name and equal:
            cookies[name] = value
    return b"; ".join(b"=".join(pair) for pair in cookies.items())


class SafeMetaRefreshMiddleware(_Cautious, MetaRefreshMiddleware):
    """Follows meta refreshes by reading only the head of a page, in an encoding of the web.

    Scrapy decodes the whole page with any codec of Python that the page names: ``zlib`` fails,
    ``punycode`` takes quadratic time, and the text stays in memory as long as the page.  A page whose
    refresh leads to no address that can be requested is a page like others.
    """

    def process_response(  # type: ignore[override]  # no spider: deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Return a request for the target of the refresh, if there is one, or *response*."""
        result = self._refreshed(request, response)
        if result is response:
            self._ended(request)
        return result

    def _refreshed(self, request: Request, response: Response) -> Request | Response:
        if not isinstance(response, HtmlResponse):
            return response
        body = response.body[:_HEAD_BYTES]
        # Of most pages nothing need be decoded; encodings that write the word otherwise have zero bytes.
        if b"refresh" not in body.lower() and b"\0" not in body:
            return response
        header = content_type(response)
        encoding = encoding_of_label(charset_of_header(header)) or declared_in_page(body)
        # Not response.replace(), which looks for the encoding of the whole page.
        head = HtmlResponse(
            response.url, response.status, response.headers, body, encoding=encoding or "utf-8"
        )
        try:
            result = super().process_response(request, head)
        except ValueError:
            return response
        return response if result is head else result
