"""RevisitFeeder: offers revisits to the queue while the crawl runs, as many as it may make."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import call_later

from topiccrawl.crawl.refreshing.marks import REVISIT
from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.crawl.session.current import find_session
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.refreshing.refresher import Refresher
    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.scheduling.alarm import Cancellable

logger = logging.getLogger(__name__)

#: Revisits that wait in the queue of a run that makes nothing else: enough for as many hosts as are contacted at
#: a time, few enough that what is learned from the first visits counts for the next (a guess).
_WINDOW: Final = 200
#: Revisits that wait in the queue of another crawl, at most: the hosts of some may be paused (a guess).
_WAITING: Final = 20
#: Seconds between two looks of a run that waits for what becomes due.
_LEAST_WAIT: Final = 1.0
_MOST_WAIT: Final = 60.0
#: Seconds for which a worker without work waits for others: the leading one may still read what is due, and
#: revisits that two workers have died with rest for up to 20 s (a guess; see ``return_delay``).
_PATIENCE: Final = 30.0


class RevisitFeeder:
    """Keeps the share of revisits among the requests of the crawl.

    A run that makes revisits only has a window of them in the queue, and ends when nothing more is due.
    """

    def __init__(self, session: CrawlSession, refresher: Refresher, *, all_due: bool) -> None:
        """With *all_due*, the run does not end while a revisit is due."""
        self._all_due = all_due
        self._session = session
        self._refresher = refresher
        self._credit = 0.0
        self._task: asyncio.Task[None] | None = None
        self._nothing_due = False
        hours = session.settings.refresh_hours
        self._until = session.clock() + hours * 3600.0
        self._last_work: float | None = None
        """When this worker last had something to do; ``None`` while the session opens, which may take long."""
        self._later: Cancellable | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl makes no revisits."""
        session = find_session(crawler)
        if session is None or session.refresher is None:
            raise NotConfigured  # TOPICCRAWL_REFRESH_SHARE is 0
        all_due = session.refresher.only or getattr(crawler.spider, "visits_all_due", False)
        feeder = cls(session, session.refresher, all_due=all_due)
        return connected(feeder, crawler)

    def request_reached_downloader(self, request: Request) -> None:
        """Count a request of the queue, and offer more revisits when it is their turn."""
        if LEASE not in request.meta:
            return
        self._last_work = self._session.clock()
        if self._refresher.only:
            if self._refresher.under_way <= _WINDOW // 2:
                self._offer(_WINDOW // 2)
            return
        share = self._refresher.share
        # Each request that is not a revisit earns share / (1 - share) revisits.
        if REVISIT not in request.meta:
            self._credit = min(self._credit + share / (1.0 - share), float(_WAITING))
        if self._credit >= 1.0 and self._refresher.under_way < _WAITING:
            self._offer(int(self._credit))

    def spider_idle(self) -> None:
        """Keep a run of revisits open as long as something is due."""
        if not self._all_due or self._session.control.stopping:
            return
        if self._task is not None and not self._task.done():
            raise DontCloseSpider
        if self._later is not None:
            raise DontCloseSpider
        now = self._session.clock()
        if self._last_work is None:
            self._last_work = now
        if self._nothing_due:
            waits = now < self._last_work + _PATIENCE and self._awaits_others()
            if not waits and now >= self._until:
                return
            self._later = call_later(_LEAST_WAIT if waits else self.wait(), self.look)
        else:
            self._offer(_WINDOW, idle=True)
        raise DontCloseSpider

    def _awaits_others(self) -> bool:
        """Whether another worker may offer revisits, makes some of this one's, or has died with them."""
        if not self._refresher.leads:
            return True
        size = self._session.frontier.size()
        return self._refresher.under_way > 0 and size.delayed + size.elsewhere > 0

    def look(self) -> None:
        """Look for what has become due."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self._offer(_WINDOW, idle=True)

    def wait(self) -> float:
        """Return the seconds until something may become due."""
        now = self._session.clock()
        due = self._refresher.next_due()
        until = self._until if due is None else min(due, self._until)
        return min(max(until - now, _LEAST_WAIT), _MOST_WAIT)

    async def spider_closed(self) -> None:
        """Wait for what is being offered."""
        if self._later is not None:
            self._later.cancel()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def _offer(self, most: int, *, idle: bool = False) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._offered(most, idle=idle))

    async def _offered(self, most: int, *, idle: bool) -> None:
        """Offer revisits; a failure is logged, and the next look tries again."""
        offered = 0
        try:
            offered = await self._refresher.offer(most)
        except Exception:
            logger.exception("Revisits cannot be offered")
        self._credit = max(0.0, self._credit - offered)
        # While revisits are under way, more of their sites may be due.
        self._nothing_due = idle and offered == 0
        self._session.control.wake()
