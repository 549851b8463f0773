"""ProxyMiddleware: marks the requests that take a proxy, and keeps them from failing for want of one.

The proxy itself is chosen, and replaced, by the download handler
(:mod:`topiccrawl.crawl.proxies.proxying`).  While none works, requests wait here, before robots.txt is asked for;
those of the queue return to it.  A link that no proxy gave an answer for returns to the queue, too, some
times, without losing an attempt.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, Final, Self

from scrapy import Request
from scrapy.exceptions import NotConfigured

from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.proxies.proxying import CrawlProxies
from topiccrawl.crawl.requests.failures import ProxiesFailed
from topiccrawl.crawl.requests.meta import LEASE, PROXIED
from topiccrawl.crawl.requests.refused import RobotsUnreachable
from topiccrawl.crawl.session.current import find_session
from topiccrawl.language import _
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: Before robots.txt (100), whose request is sent through the same proxy.
PROXY_ORDER: Final = 90
#: Seconds for which a request waits here for a proxy before it returns to the queue (a guess: less than
#: the life of a lease, and long enough not to keep the queue busy).
_WAIT_SECONDS: Final = 20.0
#: Seconds between two looks for a proxy (a guess).
_LOOK_SECONDS: Final = 0.25
#: How often a link returns to the queue because no proxy gave an answer, before that counts as a failed
#: attempt, and for how many links that is remembered (guesses).
_ROUNDS: Final = 5
_REMEMBERED: Final = 100_000


class ProxyMiddleware:
    """Marks requests; waits for proxies; returns links to the queue that bad proxies failed."""

    def __init__(self, crawler: Crawler, proxies: CrawlProxies) -> None:
        self._crawler = crawler
        self._proxies = proxies
        self._session = find_session(crawler)
        self._rounds: BoundedDict[int, int] = BoundedDict(_REMEMBERED)
        self._waiting = False
        self._closing = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the settings; off when they name no proxies."""
        proxies = CrawlProxies.of(crawler)
        if proxies is None:
            raise NotConfigured
        middleware = cls(crawler, proxies)
        proxies.on_false_page(middleware.fetch_again)
        return connected(middleware, crawler)

    async def process_request(self, request: Request) -> Request | None:
        """Mark a request that takes a proxy, once there is one for it."""
        proxies = self._proxies
        if not proxies.wanted(request):
            return None
        if not proxies.usable(request) and proxies.pool is not None:
            await proxies.pool.filled()
        began = time.monotonic()
        while not proxies.usable(request):
            if proxies.settings.direct:
                self._say_waiting(_("No proxy works; pages are fetched without one"))
                request.meta.pop(PROXIED, None)
                request.meta.pop("proxy", None)
                return None
            if len(proxies.roster) and math.isinf(proxies.ready_at(request)):
                # Nothing to wait for, unless the pool gives another one: the link is tried some times.
                if proxies.pool is not None:
                    proxies.pool.look()
                raise ProxiesFailed(_("no proxy opens tunnels for https"))
            self._say_waiting(
                _("No proxy works; the crawl waits for one (TOPICCRAWL_PROXY_DIRECT is off)")
            )
            now = time.monotonic()
            if self._stopping or now - began > _WAIT_SECONDS:
                if LEASE in request.meta and self._session is not None:
                    return self._put_back(request, max(1.0, proxies.ready_at(request) - now))
                raise ProxiesFailed(_("no proxy is usable"))
            await asyncio.sleep(_LOOK_SECONDS)
            if proxies.pool is not None:
                proxies.pool.look()
        if self._waiting:
            self._waiting = False
            logger.info(_("A proxy works again"))
        request.meta[PROXIED] = True
        # Which one is decided when the request is sent; this keeps others from setting one.
        request.meta["proxy"] = proxies.any_url
        return None

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return a link to the queue that no proxy gave an answer for."""
        cause = exception.cause if isinstance(exception, RobotsUnreachable) else exception
        lease = request.meta.get(LEASE)
        if not isinstance(cause, ProxiesFailed) or lease is None or self._session is None:
            return None
        rounds = self._rounds.pop(lease, 0) + 1
        if rounds > _ROUNDS:
            return None
        self._rounds[lease] = rounds
        return self._put_back(request, min(30.0, self._proxies.settings.rest * rounds / 2))

    def fetch_again(self, url: str) -> None:
        """Fetch a page once more that a proxy had replaced by another."""
        engine, spider = self._crawler.engine, self._crawler.spider
        if engine is None or spider is None or self._stopping:
            return
        self._crawler.stats.inc_value("topiccrawl/proxies/fetched_again")
        errback = getattr(spider, "failed", None)
        engine.crawl(Request(url, dont_filter=True, callback=spider.parse, errback=errback))

    def spider_closed(self) -> None:
        """End the waiting, and count the proxies."""
        self._closing = True
        roster, stats = self._proxies.roster, self._crawler.stats
        if unusable := len(roster) - roster.usable(time.monotonic()):
            stats.set_value("topiccrawl/proxies/known", len(roster))
            stats.set_value("topiccrawl/proxies/unusable", unusable)

    # -- inside --------------------------------------------------------------------------------

    @property
    def _stopping(self) -> bool:
        return self._closing or (self._session is not None and self._session.control.stopping)

    def _put_back(self, request: Request, seconds: float) -> Request:
        """Return *request* to the queue, whose host waits for *seconds*."""
        session = self._session
        assert session is not None
        until = session.clock() + min(seconds, 60.0)
        return session.put_back(request, until, "proxies/put_back")

    def _say_waiting(self, line: str) -> None:
        if not self._waiting:
            self._waiting = True
            logger.warning(line)
            self._crawler.stats.inc_value("topiccrawl/proxies/waits")
