"""Middlewares of sessions: cookies on the way out, lost sessions on the way back.

Two, because redirects to a login page are seen before Scrapy's RedirectMiddleware follows them, and the
texts of pages after they are decompressed.  Scrapy's CookiesMiddleware is off by default and has no part
in this: the cookies of a session are kept in a jar of its own and go only to the sites of its login.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from topiccrawl.access.walls import Evidence, PageSigns
from topiccrawl.crawl.logins.requests import leads_back, repeated
from topiccrawl.crawl.requests.meta import EVIDENCE, IMPORTED, LEASE, LOGIN, PROBE, ROBOTS, SESSION
from topiccrawl.crawl.requests.refused import LoginAddress, LoginRests
from topiccrawl.crawl.requests.search import is_search
from topiccrawl.crawl.session.current import required_session, session_of
from topiccrawl.page.notcontent import recognize
from topiccrawl.scoring.evidence import LinkEvidence

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.logins.sessions import CrawlLogins
    from topiccrawl.crawl.logins.sites import SessionMark
    from topiccrawl.crawl.session.session import CrawlSession

#: Behind RedirectMiddleware (600) and CookiesMiddleware (700), before proxies (750) and the cache (900).
SESSION_ORDER = 710
#: Behind decompression (590), before meta refreshes (580), which may lead to the login page, are followed.
WALL_ORDER = 585
#: What a request that is sent with a session carries, beside headers.
_FLAGS: Final = ("dont_merge_cookies", "dont_cache")
_HEADERS: Final = ("Cookie", "Authorization")


class SessionMiddleware:
    """Sends the session's cookies to its sites, and notices redirects to its login page."""

    def __init__(self, logins: CrawlLogins, crawl: CrawlSession) -> None:
        self._logins = logins
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the crawl's sessions; off when it has no logins."""
        return cls(_logins(crawler), session_of(crawler))

    async def process_request(self, request: Request) -> Request | None:
        """Write the session into *request*; log in before the first one.

        A request whose login cannot be reached now goes back to the queue.
        """
        _clean(request)
        if request.meta.keys() & {LOGIN, ROBOTS, PROBE, IMPORTED} or is_search(request):
            return None
        session = self._logins.of(request.url)
        if session is None:
            return None
        evidence = request.meta.get(EVIDENCE)
        if isinstance(evidence, LinkEvidence) and session.is_login_address(request, evidence):
            raise LoginAddress(session.login.name)
        try:
            mark = await session.mark()
        except LoginRests as error:
            if LEASE not in request.meta:
                raise
            return self._crawl.put_back(request, error.until, "login/put_back")
        request.meta[SESSION] = mark
        if mark.access is not None:
            # The cache would keep the cookies in files.
            for flag in _FLAGS:
                request.meta[flag] = True
            session.authorize(request, mark.access)
        return None

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Take over new cookies; put a request back that was redirected to the login page."""
        mark: SessionMark | None = request.meta.get(SESSION)
        if mark is None:
            return response
        if mark.access is not None:
            values = response.headers.getlist("Set-Cookie")
            mark.access.jar.receive(request.url, [it.decode("latin-1") for it in values])
        if not 300 <= response.status < 400:
            return response
        evidence = mark.session.signs(response).evidence
        if evidence is Evidence.NONE:
            return repeated(request) if leads_back(request, response) else response
        return await mark.session.behind_wall(request, response, mark, evidence)


class LoginWallMiddleware:
    """Notices pages that were answered without a session, and puts their requests back."""

    def __init__(self, crawl: CrawlSession) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the crawl's session; off when it has no logins."""
        _logins(crawler)
        return cls(session_of(crawler))

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the page, or its request to be repeated; see :class:`LoginNeeded`."""
        mark: SessionMark | None = request.meta.get(SESSION)
        if mark is None:
            return response
        signs = mark.session.signs(response)
        if (
            signs.evidence is Evidence.NONE
            and not signs.logout
            and await self._asks(request, response)
        ):
            signs = PageSigns(Evidence.TEXT)
        if signs.evidence is Evidence.NONE:
            if 200 <= response.status < 300:
                mark.session.came_through(request, mark, signs)
            return response
        return await mark.session.behind_wall(request, response, mark, signs.evidence)

    async def _asks(self, request: Request, response: Response) -> bool:
        """Whether a page is recognized as one that asks for a login."""
        if response.status != HTTPStatus.OK or not isinstance(response, HtmlResponse):
            return False
        if response.request is None:
            # Scrapy sets it later; the analysis needs the anchor that led to the page.
            response.request = request
        page = self._crawl.pages.analysis(response).page
        if self._crawl.trials.wanted(page):
            return False  # large: content by its size, and costly
        await self._crawl.pages.prepare(response)
        page = self._crawl.pages.analysis(response).page
        found = recognize(page, response.status)
        return found is not None and found.kind == "login"


def _logins(crawler: Crawler) -> CrawlLogins:
    logins = required_session(crawler).logins
    if logins is None:
        raise NotConfigured
    return logins


def _clean(request: Request) -> None:
    """Remove a session that a redirect or a retry has copied: it may belong to another host."""
    mark: SessionMark | None = request.meta.pop(SESSION, None)
    if mark is None or mark.access is None:
        return
    for flag in _FLAGS:
        request.meta.pop(flag, None)
    for name in (*_HEADERS, *mark.access.headers):
        request.headers.pop(name, None)
