"""RobotsMiddleware: robots.txt as RFC 9309 asks for, with Scrapy's parsers.

Scrapy's own middleware allows everything when a robots.txt answers with 5xx, cannot be reached or is too
large.  Here

* 5xx, 429 and no answer mean that nothing of the host may be fetched for now.  After an error answer the
  host waits, longer each time, and its links return to the queue; without any answer, a link failed
  and has the attempts of a page that cannot be reached;
* other 4xx, more than five redirects and redirects to refused addresses allow everything;
* of a large file the first 512 KiB count, and rules that take long to match are left out
  (:func:`topiccrawl.politeness.robots.bounded`); large files are parsed in a thread;
* a robots.txt is used for 24 hours.  If it cannot be fetched again then, it is used further;
* a robots.txt that must wait for the delay of its host (after a redirect, a failure) takes no place of the crawl
  meanwhile: the links that wait for it return to the queue.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler

from topiccrawl import details
from topiccrawl.backoff import exponential_delay
from topiccrawl.crawl.requests.meta import LEASE, ROBOTS
from topiccrawl.crawl.requests.refused import (
    CertificateRefused,
    HostPaused,
    PrivateAddress,
    RequestRefused,
    RobotsDelayed,
    RobotsUnreachable,
)
from topiccrawl.crawl.requests.search import ticket_of
from topiccrawl.crawl.session.current import find_session
from topiccrawl.language import _
from topiccrawl.politeness.robots import (
    LIFETIME_SECONDS,
    MAX_BYTES,
    MAX_REDIRECTS,
    RobotsAnswer,
    bounded,
    meaning,
)
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)

#: Checks of a robots.txt that answers with errors before the links of its host are given up.  A guess:
#: with pauses from a minute on, doubled each time, half an hour.  RFC 9309 speaks of 30 days, which
#: no run should wait for.
MAX_CHECKS = 5
#: Longest pause between two of them (a guess).
_LONGEST_PAUSE_SECONDS = 3600.0
#: Bytes of robots.txt that are kept for all hosts; beyond, the host used longest ago is asked again.
#: A guess: a parsed file takes up to 40 times its size, and most have under 2 KiB.
_KEPT_BYTES = 4 * 1024 * 1024
#: What a host is counted with beside its text.
_ENTRY_BYTES = 512
#: Files above this are parsed in a thread: Protego takes .2 ms for 1 KiB.
_INLINE_BYTES = 16 * 1024


@dataclass
class _Robots:
    """What is known of one robots.txt."""

    parser: RobotParser | None
    """``None``: everything is allowed."""
    size: int = 0
    expires: float = 0.0
    checks: int = 0
    """Answers with errors in a row; 0 when the rules are known."""
    read: bool = True
    """False as long as it waits for the delay of its host for the first time."""
    later: Request | None = None
    """The request to send next, when that delay ends: a redirect, another try."""

    @property
    def has_rules(self) -> bool:
        """Whether the rules are known, if only earlier ones."""
        return self.read and not self.checks


class RobotsMiddleware(RobotsTxtMiddleware):
    """Asks each host for its robots.txt and refuses what it forbids."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = find_session(crawler)
        self._agent = self._robotstxt_useragent or self._default_useragent
        self._known: OrderedDict[str, _Robots] = OrderedDict()
        self._bytes = 0
        self._asking: dict[str, asyncio.Task[_Robots]] = {}
        self._received: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        connected(self, crawler)

    async def process_request(  # type: ignore[override]
        self, request: Request, spider: Any = None
    ) -> Request | None:
        """Pass what the host's robots.txt allows; put back what has to wait for it."""
        web = urlparse_cached(request).scheme in ("http", "https")
        if not web or request.meta.get("dont_obey_robotstxt"):
            return None
        robots = await self._robots(request)
        while not robots.read:
            wait = max(0.0, robots.expires - self._now())
            if self._session is not None and LEASE in request.meta:
                until = self._session.clock() + wait
                return self._session.put_back(request, until, "politeness/put_back/robots")
            await asyncio.sleep(wait)
            robots = await self._robots(request)
        if robots.checks:
            return self._unreachable(request, robots)
        if robots.parser is not None and not robots.parser.allowed(request.url, self._agent):
            self._stats.inc_value("robotstxt/forbidden")
            raise IgnoreRequest(details.ROBOTS())
        return None

    def bytes_received(self, data: bytes, request: Request) -> None:
        """End the transfer of a robots.txt once as much of it is here as counts."""
        if ROBOTS in request.meta:
            self._received[request] = self._received.get(request, 0) + len(data)
            if self._received[request] > MAX_BYTES:
                raise StopDownload(fail=False)

    # -- inside --------------------------------------------------------------------------------

    async def _robots(self, request: Request) -> _Robots:
        """Return the robots.txt of the request's host, asking for it once."""
        netloc = urlparse_cached(request).netloc
        known = self._known.get(netloc)
        if known is not None and self._now() < known.expires:
            self._known.move_to_end(netloc)
            return known
        task = self._asking.get(netloc)
        if task is None:
            task = asyncio.ensure_future(self._ask(request, netloc, known))
            self._asking[netloc] = task
            task.add_done_callback(lambda _: self._asking.pop(netloc, None))
        return await asyncio.shield(task)

    async def _ask(self, request: Request, netloc: str, old: _Robots | None) -> _Robots:
        robots = None if old is None else old.later
        if old is not None:
            old.later = None
        if robots is None:
            robots = self._request(request, netloc)
            self._stats.inc_value("robotstxt/request_count")
        now, lasting = self._now(), LIFETIME_SECONDS
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(robots)
        except RobotsDelayed as delayed:
            found = old or _Robots(None, read=False)
            found.later = delayed.request
            lasting = self._now() - now + delayed.seconds
        except Exception as error:
            found = self._failed(error, urlparse_cached(request).hostname or "", old)
        else:
            self._stats.inc_value("robotstxt/response_count")
            self._stats.inc_value(f"robotstxt/response_status_count/{response.status}")
            found = await self._answered(response, request, old)
        if found.later is None:
            if found.checks:
                lasting = self._pause(found.checks)
            elif found is old:
                lasting = self._pause(1)
        found.expires = now + lasting
        self._keep(netloc, found)
        return found

    def _request(self, request: Request, netloc: str) -> Request:
        robots = Request(
            f"{urlparse_cached(request).scheme}://{netloc}/robots.txt",
            priority=self.DOWNLOAD_PRIORITY,
            meta={
                "dont_obey_robotstxt": True,
                ROBOTS: True,
                "redirect_ttl": MAX_REDIRECTS,
                **ticket_of(request),
            },
            callback=NO_CALLBACK,
        )
        if (timeout := request.meta.get("download_timeout")) is not None:
            robots.meta["download_timeout"] = timeout
        return robots

    async def _answered(self, response: Response, request: Request, old: _Robots | None) -> _Robots:
        what = meaning(response.status)
        if what is RobotsAnswer.UNREACHABLE:
            return self._unknown(old, urlparse_cached(request).hostname, f"HTTP {response.status}")
        # Without rules is without those that it had before.
        body = b"" if what is RobotsAnswer.UNAVAILABLE else response.body
        if len(body) > _INLINE_BYTES:
            parser, size = await asyncio.to_thread(self._parse, body)
        else:
            parser, size = self._parse(body)
        await self.crawler.signals.send_catch_log_async(
            signal=signals.robots_parsed, robotparser=parser, request=request
        )
        return _Robots(parser, size)

    def _parse(self, body: bytes) -> tuple[RobotParser, int]:
        text = bounded(body, self._agent)
        return build_from_crawler(self._parserimpl, self.crawler, text), len(text)

    def _failed(self, error: Exception, host: str, old: _Robots | None) -> _Robots:
        """Return what a robots.txt without an answer means; raises what its page fails with."""
        self._stats.inc_value(f"robotstxt/exception_count/{type(error).__name__}")
        if isinstance(error, PrivateAddress | CertificateRefused) and error.host != host:
            return _Robots(None)  # of another host, by a redirect
        if old is not None and old.has_rules:
            return old
        if isinstance(error, HostPaused):
            return self._unknown(old, host, str(error))
        if isinstance(error, RequestRefused):  # its page would be refused as well
            raise error
        if isinstance(error, IgnoreRequest):
            if "redirections" in str(error):
                return _Robots(None)
            return self._unknown(old, host, str(error))  # unpacks to more than may be read
        raise RobotsUnreachable(details.ROBOTS_FAILED(host=host, error=error), error) from error

    def _unknown(self, old: _Robots | None, host: str | None, why: str) -> _Robots:
        """The server answered, but not with its rules: earlier ones count, else nothing is allowed."""
        if old is not None and old.has_rules:
            return old
        checks = 1 if old is None else old.checks + 1
        if checks == 1 and self._session is not None:
            logger.info(
                _("%(host)s answers with an error for its robots.txt (%(why)s); its pages wait"),
                {"host": host, "why": why},
            )
        return _Robots(None, checks=checks)

    def _unreachable(self, request: Request, robots: _Robots) -> Request:
        """Put *request* back until robots.txt is asked for again, or give it up after many times."""
        session = self._session
        if robots.checks > MAX_CHECKS or session is None or LEASE not in request.meta:
            self._stats.inc_value("robotstxt/unreachable")
            raise RobotsUnreachable(details.ROBOTS_ERRORS(host=urlparse_cached(request).hostname))
        until = session.clock() + max(0.0, robots.expires - self._now())
        return session.put_back(request, until, "politeness/put_back/robots")

    def _pause(self, checks: int) -> float:
        base = 60.0 if self._session is None else self._session.settings.retry_delay_seconds
        return exponential_delay(checks, base=base, cap=_LONGEST_PAUSE_SECONDS)

    def _keep(self, netloc: str, robots: _Robots) -> None:
        if (old := self._known.pop(netloc, None)) is not None:
            self._bytes -= old.size + _ENTRY_BYTES
        self._known[netloc] = robots
        self._bytes += robots.size + _ENTRY_BYTES
        while self._bytes > _KEPT_BYTES and len(self._known) > 1:
            _, forgotten = self._known.popitem(last=False)
            self._bytes -= forgotten.size + _ENTRY_BYTES

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
