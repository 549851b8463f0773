"""PolitenessMiddleware: reports to the frontier, for all workers, when hosts may be contacted.

It is the middleware nearest to the downloader, so it sees every response and every failure first:

* the transfer of a leased request ends (``transfer_finished``) however it ends: with a response, a
  failure, or before it began (robots.txt, HTTP cache);
* 429, 503 and hosts that do not answer get a pause (``hold_host``), and a time-out is not tried again at once;
* the links of a host that has not answered for long are given up one by one, without an attempt;
* a request that the downloader would delay returns to the frontier: the robots.txt that came before
  it may have asked for a long delay, or the host's time window may have closed meanwhile.

The robots.txt request itself does not go through the frontier: it is sent under the lease of the page
that waits for it, and Scrapy's slot spaces the two.  The slot counts from the start of a request; here
``slot.lastseen`` is moved to the moment when the server saw it, and ``slot.delay`` is at least the
Crawl-delay as soon as robots.txt is read, for as long as robots.txt asks for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Self
from weakref import WeakSet

from scrapy import Request, signals
from scrapy.exceptions import DownloadTimeoutError
from scrapy.utils.httpobj import urlparse_cached
from twisted.web.client import HTTPConnectionPool

from topiccrawl import details
from topiccrawl.crawl.requests.failures import NO_ANSWER
from topiccrawl.crawl.requests.meta import LEASE, PROBE, ROBOTS
from topiccrawl.crawl.requests.refused import HostGone, HostPaused, RobotsDelayed
from topiccrawl.crawl.session.current import required_session
from topiccrawl.language import _
from topiccrawl.network.probe import NetworkProbe
from topiccrawl.politeness.backoff import HostBackoff, parse_retry_after
from topiccrawl.politeness.delays import HostDelays, ready_at
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader, Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

    from topiccrawl.crawl.session.session import CrawlSession


logger = logging.getLogger(__name__)

#: After all of Scrapy's middlewares (the last is the HTTP cache at 900).
POLITENESS_ORDER = 950

#: A page that the slot would delay for longer returns to the frontier, and a robots.txt with the page that waits
#: for it: meanwhile, its place is for others.  A choice: the way through the frontier costs some milliseconds.
_SLOT_WAIT_SECONDS = 0.1
#: A repeated robots.txt request waits for at most this long while its host is paused; beyond, robots.txt
#: counts as unknown.  A guess.
_ROBOTS_WAIT_SECONDS = 60.0
#: The links of a host that is gone are given up for this long; then one is tried again.
_GONE_SECONDS = 3600.0
#: With so many ends of pauses recorded, expired ones are removed.
_HELD_HOSTS = 10_000


class PolitenessMiddleware:
    """Reports the ends of transfers and the pauses of hosts to the frontier."""

    def __init__(self, session: CrawlSession, crawler: Crawler) -> None:
        options = session.settings.politeness
        self._session = session
        self._crawler = crawler
        self._stats = crawler.stats
        settings = crawler.settings
        self._robots_agent: str = settings["ROBOTSTXT_USER_AGENT"] or ""
        self._agent: str = settings["USER_AGENT"]
        self._delays = HostDelays(options.crawl_delay_max)
        self._backoff = HostBackoff(options.backoff, options.retry_after_max)
        self._probe = NetworkProbe(crawler, session.network, session.control)
        #: Ends of pauses of hosts whose requests may still be on their way to the downloader.
        self._held: dict[str, float] = {}
        #: Until when the links of each host are given up.
        self._gone: dict[str, float] = {}
        #: Requests whose response has begun, and leased ones whose end was reported.
        self._seen: WeakSet[Request] = WeakSet()
        self._finished: WeakSet[Request] = WeakSet()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the settings and connect; off when the crawl has no topic."""
        middleware = cls(required_session(crawler), crawler)
        # Twisted sends a GET again by itself, at once, when a kept connection breaks: RetryMiddleware
        # does that through the frontier.
        HTTPConnectionPool.retryAutomatically = False
        crawler.signals.connect(middleware._probe.stop, signals.spider_closed)
        return connected(middleware, crawler)

    # -- on the way to the downloader ----------------------------------------------------------

    async def process_request(self, request: Request) -> Request | None:
        """Pass a request whose host may be contacted now; return leased ones to the frontier otherwise."""
        host = self._host(request)
        now = self._session.clock()
        if now < self._gone.get(host, 0.0):
            self._count("gone")
            raise HostGone(details.HOST_GONE(host=host))
        wait = self._slot_wait(host)
        rests_until = self._session.content.rests.until(host)
        pause = max(0.0, self._held.get(host, 0.0) - now, rests_until - now)
        if not pause:
            self._held.pop(host, None)
        if LEASE not in request.meta:
            if pause > _ROBOTS_WAIT_SECONDS:
                self._count("ignored")
                raise HostPaused(details.HOST_PAUSED(host=host, n=f"{pause:.0f}"))
            wait = max(wait, pause)
            if wait > _SLOT_WAIT_SECONDS and ROBOTS in request.meta:
                raise RobotsDelayed(request, wait)
            if wait:
                await asyncio.sleep(wait)
            return None
        if (opens := self._session.windows.opens_at(host, now + wait)) is not None:
            self._session.frontier.hold_host(host, opens)
            return self._put_back(request, "window")
        if pause:
            return self._put_back(request, "pause")
        if wait > _SLOT_WAIT_SECONDS:
            return self._put_back(request, "delay")
        if wait:
            # Here and not in the slot, whose jitter could make it shorter.
            await asyncio.sleep(wait)
        return None

    def request_reached_downloader(self, request: Request) -> None:
        """Keep the slot's delay at the Crawl-delay at least: AutoThrottle ignores it."""
        self._set_delay(self._host(request))

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Take the Crawl-delay before the page that waited for robots.txt is fetched."""
        host = self._host(request)
        agent = self._robots_agent or request.headers.get(b"User-Agent") or self._agent
        delay = robotparser.crawl_delay(agent)
        if self._delays.ask(host, delay, urlparse_cached(request).netloc):
            self._count("crawl_delay")
            if delay is not None and delay > self._delays.asked(host):
                self._count("crawl_delay_capped")
        self._set_delay(host)

    # -- on the way back -----------------------------------------------------------------------

    def headers_received(self, request: Request) -> None:
        """Start the delay of the host: the server has seen this request."""
        self._contacted(request)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Record the status of the host, robots.txt included."""
        if request not in self._seen:
            # A download handler that does not report the arrival of headers.
            self._contacted(request)
        host = self._host(request)
        self._gone.pop(host, None)  # a request that was under way before
        parts = urlparse_cached(request)
        site = f"{parts.scheme}://{parts.netloc}"
        if self._session.network.answered(host, site, time.monotonic()):
            logger.info(_("The network is back: %(host)s answers"), {"host": host})
        if PROBE in request.meta:
            return  # an answer to this is no evidence about its pages
        self._set_delay(host)
        now = self._session.clock()
        header = response.headers.get(b"Retry-After")
        asked = parse_retry_after(None if header is None else header.decode("latin-1"), now)
        pause = self._backoff.answered(host, response.status, asked, self._delay(host))
        if pause is not None:
            self._hold(host, now + pause, str(response.status))
            self._session.content.rests.paused(host, now, now + pause)
            if asked is not None:
                self._count("retry_after" if asked <= pause else "retry_after_capped")
        elif LEASE not in request.meta and self._delay(host):
            # No worker contacts the host right after its robots.txt.
            self._session.frontier.hold_host(host, self._ready_at(host))

    def request_left_downloader(self, request: Request) -> None:
        """Start the delay after a failure: the server may have seen the request until now."""
        if request not in self._seen:
            self._contacted(request)

    def process_response(self, request: Request, response: Response) -> Response:
        """End the transfer, if there was one."""
        self._finish(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """End the transfer: it failed, or a middleware prevented it."""
        if isinstance(exception, NO_ANSWER) and not self._network_lost(request):
            host = self._host(request)
            pause = self._backoff.failed(host, self._delay(host))
            if self._backoff.is_gone(host):
                self._note(self._gone, host, self._session.clock() + _GONE_SECONDS)
            elif pause is not None:
                self._hold(host, self._session.clock() + pause, "no_answer")
            timed_out = isinstance(exception, DownloadTimeoutError) and _tried_later(request)
            if timed_out or self._backoff.is_down(host):
                # One attempt for each page of a host that is down, or that has kept a connection of the crawl
                # for all of DOWNLOAD_TIMEOUT: the frontier retries later.
                request.meta["dont_retry"] = True
        self._finish(request)

    # -- inside --------------------------------------------------------------------------------

    def _network_lost(self, request: Request) -> bool:
        """Record a request without an answer; return whether that is not its host's fault."""
        network = self._session.network
        if network.failed(self._host(request), time.monotonic()):
            self._probe.start()
        if network.lost:
            request.meta["dont_retry"] = True
        return network.lost

    def _finish(self, request: Request) -> None:
        lease: int | None = request.meta.get(LEASE)
        if lease is None or request in self._finished:
            return
        self._finished.add(request)
        host = self._host(request)
        slot = self._slot(host)
        delay = None if slot is None else self._delay(host)
        self._session.frontier.transfer_finished(lease, self._ready_at(host), delay)
        self._count("landed")

    def _put_back(self, request: Request, why: str) -> Request:
        """End the transfer before it began; the scheduler puts the request back under its lease."""
        self._finish(request)
        self._count(f"put_back/{why}")
        return request.replace(dont_filter=True)

    def _hold(self, host: str, until: float, why: str) -> None:
        self._note(self._held, host, until)
        self._session.frontier.hold_host(host, until)
        self._count(f"held/{why}")

    def _note(self, ends: dict[str, float], host: str, until: float) -> None:
        """Add the end of a pause to *ends*; expired ones are removed when there are many."""
        if len(ends) >= _HELD_HOSTS:
            now = self._session.clock()
            for name in [name for name, end in ends.items() if end <= now]:
                del ends[name]
        ends[host] = max(until, ends.get(host, 0.0))

    def _contacted(self, request: Request) -> None:
        self._seen.add(request)
        slot = self._slot(self._host(request))
        if slot is not None:
            slot.lastseen = max(slot.lastseen, time.monotonic())

    def _set_delay(self, host: str) -> None:
        slot = self._slot(host)
        if slot is not None:
            self._delays.raise_slot(host, slot, self._session.content.rests.delay(host))

    def _delay(self, host: str) -> float:
        """The current delay of *host*; without a slot (no contact yet) the one of robots.txt."""
        rests = self._session.content.rests
        return self._delays.effective(host, self._slot(host), rests.delay(host))

    def _ready_at(self, host: str) -> float:
        slot = self._slot(host)
        if slot is None:
            return self._session.clock()
        return ready_at(self._session.clock, slot.lastseen, self._delay(host))

    def _slot_wait(self, host: str) -> float:
        """Seconds for which the downloader would make a request of *host* wait at least."""
        slot = self._slot(host)
        if slot is None or not slot.delay:
            return 0.0
        return max(0.0, slot.lastseen + slot.delay - time.monotonic())

    @property
    def _downloader(self) -> Downloader:
        assert self._crawler.engine is not None
        return self._crawler.engine.downloader

    def _host(self, request: Request) -> str:
        return self._downloader.get_slot_key(request)

    def _slot(self, host: str) -> Slot | None:
        return self._downloader.slots.get(host)

    def _count(self, what: str) -> None:
        self._stats.inc_value(f"topiccrawl/politeness/{what}")


def _tried_later(request: Request) -> bool:
    """Whether the frontier tries the link of *request*, or the page that waits for it, again."""
    return LEASE in request.meta or ROBOTS in request.meta
