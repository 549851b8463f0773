"""PolitenessMiddleware: what hosts ask for reaches the frontier, for all workers together.

It stands nearest to the downloader, so that it is the first to see every answer and every failure:

* the transfer of a leased request ends (``landed``) however it ends: with an answer, a failure, or
  before it began (robots.txt, HTTP cache);
* 429, 503 and hosts that do not answer get their pause (``hold_host``);
* the links of a host that has not answered for long are given up one by one, without a try;
* a request that the downloader would make wait goes back to the frontier: the robots.txt that came
  before it may have asked for a long delay, or its host's window may have closed meanwhile.

The robots.txt request itself does not go through the frontier: it is made under the lease of the page
that waits for it, and Scrapy's slot spaces the two.  The slot counts from the start of a request; here
``slot.lastseen`` is moved on to the moment when the server had seen it, and ``slot.delay`` is at least
the Crawl-delay as soon as robots.txt is read.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotConfigured,
)
from twisted.web.client import HTTPConnectionPool

from topiccrawl.crawl.session import CrawlSession
from topiccrawl.politeness.backoff import HostBackoff, parse_retry_after
from topiccrawl.politeness.delays import HostDelays, ready_at
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scheduling.requests import LEASE

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.core.downloader import Downloader, Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

    from topiccrawl.crawl.settings import PolitenessSettings

#: Behind every middleware of Scrapy's (the last is the HTTP cache at 900).
POLITENESS_ORDER = 950

#: No answer came: the host is down, or too busy to say so.
NO_ANSWER = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
#: A page that the slot would make wait for longer goes back to the frontier.  A guess: the way through
#: the frontier costs some milliseconds, and a slot of the crawl is worth more than that.
_SLOT_WAIT_SECONDS = 0.5
#: A robots.txt that is tried again waits out a pause of its host up to here; it is ignored beyond, as
#: Scrapy does after its last failure.  A guess: the spider cannot close meanwhile.
_ROBOTS_WAIT_SECONDS = 60.0
#: The links of a host that is gone are given up for so long; then one is tried again.
_GONE_SECONDS = 3600.0
#: With so many pauses noted, those that are over are forgotten.
_HELD_HOSTS = 10_000


class PolitenessMiddleware:
    """Tells the frontier when transfers end and hosts must be left alone."""

    def __init__(self, run: CrawlSession, crawler: Crawler, options: PolitenessSettings) -> None:
        self._run = run
        self._crawler = crawler
        self._stats = crawler.stats
        settings = crawler.settings
        self._robots_agent: str = settings["ROBOTSTXT_USER_AGENT"] or ""
        self._agent: str = settings["USER_AGENT"]
        self._windows = HostWindows(options.windows, options.timezone)
        self._delays = HostDelays(options.crawl_delay_max)
        self._backoff = HostBackoff(options.backoff, options.retry_after_max)
        #: Ends of pauses of hosts whose requests may still be on their way to the downloader.
        self._held: dict[str, float] = {}
        #: Until when the links of a host are given up.
        self._gone: dict[str, float] = {}
        #: Requests whose answer has begun, and leased ones whose end the frontier knows.
        self._seen: WeakSet[Request] = WeakSet()
        self._landed: WeakSet[Request] = WeakSet()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the settings and connect; off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        # Twisted sends a GET again by itself, at once, when a kept connection breaks: RetryMiddleware
        # does that through the frontier.
        HTTPConnectionPool.retryAutomatically = False
        run = CrawlSession.of(crawler)
        middleware = cls(run, crawler, run.config.politeness)
        run.closed_until = middleware.closed_until
        connect = crawler.signals.connect
        connect(middleware.request_reached_downloader, signals.request_reached_downloader)
        connect(middleware.headers_received, signals.headers_received)
        connect(middleware.response_downloaded, signals.response_downloaded)
        connect(middleware.request_left_downloader, signals.request_left_downloader)
        connect(middleware.robots_parsed, signals.robots_parsed)
        return middleware

    def closed_until(self, host: str, now: float) -> float | None:
        """Return when the time window of *host* opens, ``None`` while it is open."""
        return self._windows.opens_at(host, now)

    # -- on the way to the downloader ----------------------------------------------------------

    async def process_request(self, request: Request) -> Request | None:
        """Let a request pass if its host may be contacted now; leased ones go back otherwise."""
        host = self._host(request)
        now = self._run.clock()
        if now < self._gone.get(host, 0.0):
            self._count("gone")
            raise IgnoreRequest(f"{host} does not answer")
        wait = self._slot_wait(host)
        pause = max(0.0, self._held.get(host, 0.0) - now)
        if not pause:
            self._held.pop(host, None)
        if LEASE not in request.meta:
            if pause > _ROBOTS_WAIT_SECONDS:
                self._count("ignored")
                raise IgnoreRequest(f"{host} is left alone for {pause:.0f} s")
            wait = max(wait, pause)
            if wait:
                await asyncio.sleep(wait)
            return None
        if (opens := self._windows.opens_at(host, now + wait)) is not None:
            self._run.frontier.hold_host(host, opens)
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
        """AutoThrottle does not know of the Crawl-delay: the slot's delay is at least that."""
        self._raise_delay(self._host(request))

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Take the Crawl-delay before the page that waited for robots.txt is fetched."""
        host = self._host(request)
        agent = self._robots_agent or request.headers.get(b"User-Agent") or self._agent
        delay = robotparser.crawl_delay(agent)
        if self._delays.ask(host, delay):
            self._count("crawl_delay")
            if delay is not None and delay > self._delays.asked(host):
                self._count("crawl_delay_capped")
        self._raise_delay(host)

    # -- on the way back -----------------------------------------------------------------------

    def headers_received(self, request: Request) -> None:
        """The server has seen this request: the delay of its host begins."""
        self._contacted(request)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Take note of what the host answered, robots.txt included."""
        if request not in self._seen:
            # A download handler that does not tell when headers arrive.
            self._contacted(request)
        host = self._host(request)
        self._raise_delay(host)
        now = self._run.clock()
        header = response.headers.get(b"Retry-After")
        asked = parse_retry_after(None if header is None else header.decode("latin-1"), now)
        pause = self._backoff.answered(host, response.status, asked, self._delay(host))
        if pause is not None:
            self._hold(host, now + pause, str(response.status))
            if asked is not None:
                self._count("retry_after" if asked <= pause else "retry_after_capped")
        elif LEASE not in request.meta and self._delay(host):
            # No worker contacts the host right after its robots.txt.
            self._run.frontier.hold_host(host, self._ready_at(host))

    def request_left_downloader(self, request: Request) -> None:
        """A request that failed may have been seen by the server at any moment until now."""
        if request not in self._seen:
            self._contacted(request)

    def process_response(self, request: Request, response: Response) -> Response:
        """The transfer is over, or there was none."""
        self._land(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """The transfer failed, or a middleware let none begin."""
        if isinstance(exception, NO_ANSWER):
            host = self._host(request)
            pause = self._backoff.failed(host, self._delay(host))
            if self._backoff.is_gone(host):
                self._gone[host] = self._run.clock() + _GONE_SECONDS
            elif pause is not None:
                self._hold(host, self._run.clock() + pause, "no_answer")
            if self._backoff.is_down(host):
                # One try for each page of a host that is down: the frontier tries them again later.
                request.meta["dont_retry"] = True
        self._land(request)

    # -- inside --------------------------------------------------------------------------------

    def _land(self, request: Request) -> None:
        lease: int | None = request.meta.get(LEASE)
        if lease is None or request in self._landed:
            return
        self._landed.add(request)
        host = self._host(request)
        slot = self._slot(host)
        delay = None if slot is None else self._delay(host)
        self._run.frontier.transfer_finished(lease, self._ready_at(host), delay)
        self._count("landed")

    def _put_back(self, request: Request, why: str) -> Request:
        """End the transfer before it began; the scheduler puts the request back under its lease."""
        self._land(request)
        self._count(f"put_back/{why}")
        return request.replace(dont_filter=True)

    def _hold(self, host: str, until: float, why: str) -> None:
        if len(self._held) >= _HELD_HOSTS:
            now = self._run.clock()
            self._held = {name: end for name, end in self._held.items() if end > now}
        self._held[host] = max(until, self._held.get(host, 0.0))
        self._run.frontier.hold_host(host, until)
        self._count(f"held/{why}")

    def _contacted(self, request: Request) -> None:
        self._seen.add(request)
        slot = self._slot(self._host(request))
        if slot is not None:
            slot.lastseen = max(slot.lastseen, time.monotonic())

    def _raise_delay(self, host: str) -> None:
        slot = self._slot(host)
        if slot is not None:
            slot.delay = self._delays.effective(host, slot.delay)

    def _delay(self, host: str) -> float:
        """The present delay of *host*; without a slot (no contact yet) what robots.txt asked for."""
        slot = self._slot(host)
        return self._delays.effective(host, 0.0 if slot is None else slot.delay)

    def _ready_at(self, host: str) -> float:
        slot = self._slot(host)
        now = self._run.clock()
        if slot is None:
            return now
        return ready_at(now, time.monotonic() - slot.lastseen, self._delay(host))

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
