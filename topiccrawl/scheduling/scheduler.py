"""The Scrapy scheduler on a frontier: best link first among the hosts that are ready.

Requests become links (``records.py``), the downloader's state becomes busy hosts (``slots.py``), and a
popped request carries its lease in ``meta`` until the lease is settled (``crawl/queue/leases.py``).  Redirects
and retries of a popped request are recognized here: they belong to its lease.

New links are collected and pushed together before the next read of the frontier: a page's fifty links
are one transaction or one round trip.  ``flush`` must be called before their page's lease is settled.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import AsyncioLoopingCall, call_later

from topiccrawl.crawl.control import wake_engine
from topiccrawl.crawl.requests.meta import DOWNLOAD_SLOT, LEASE
from topiccrawl.crawl.session.current import session_of
from topiccrawl.frontier.contract import Lease, PushResult, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.language import _, ngettext
from topiccrawl.scheduling.alarm import Alarm
from topiccrawl.scheduling.choosing import ANY_LINK, ChoiceRules, LinkChooser
from topiccrawl.scheduling.leased import note_arrival
from topiccrawl.scheduling.records import RequestRecords, once_more
from topiccrawl.scheduling.requests import redirect_source
from topiccrawl.scheduling.rules import RecordRules
from topiccrawl.scheduling.shares import SlotShares
from topiccrawl.scheduling.slots import AwaitedAnswers, DownloaderLike, HostReadiness
from topiccrawl.signals import connected
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from topiccrawl.crawl.queue.queue import CrawlQueue

logger = logging.getLogger(__name__)

#: Heartbeats within the time after which a silent worker counts as dead.  A guess: two may be late.
_BEATS_PER_DEADLINE = 4


class FrontierScheduler(BaseScheduler):
    """Scheduler over :class:`~topiccrawl.frontier.contract.Frontier`; its stats are in
    docs/frontier.md.
    """

    def __init__(
        self,
        queue: CrawlQueue,
        chooser: LinkChooser | None = None,
        rules: ChoiceRules = ANY_LINK,
        *,
        stats: StatsCollector | None = None,
        alarm: Alarm | None = None,
        slot_key: Callable[[Request], str] | None = None,
        heartbeat_seconds: float | None = None,
        settings: BaseSettings | None = None,
    ) -> None:
        """Store the components that the scheduler uses.

        Parameters
        ----------
        queue
            What to fetch next.
        chooser
            Leases the next link; default: the best one, whatever its host.
        rules
            What the crawl demands of the next link.
        stats
            Receives the counts of docs/frontier.md.
        alarm
            Wakes the engine when a host's delay ends.
        slot_key
            The downloader's politeness key of a request.
        heartbeat_seconds
            Interval of the heartbeat; ``None`` for none.
        settings
            The crawler's settings, whose download handlers decide which schemes may be queued.
        """
        self.frontier = queue.frontier
        self._clock = queue.clock
        self._pending = queue.pending
        self._chooser = chooser or LinkChooser(queue.frontier)
        self._rules = rules
        self._stats = stats
        self._alarm = alarm
        self._settings = settings
        self._spider: Spider | None = None
        self._records = RequestRecords(RecordRules.of(None, settings), canonical_url, slot_key)
        self._heart = AsyncioLoopingCall(self.heartbeat)
        self._heartbeat_seconds = heartbeat_seconds
        self._logged: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the scheduler of the crawler's :class:`~topiccrawl.crawl.session.session.CrawlSession`."""
        session = session_of(crawler)
        rules = ChoiceRules(
            hold=lambda: session.network.lost or (session.pages.waiting and _scraping(crawler)),
            page_budget=session.page_budget,
            closed_until=session.windows.opens_at,
            least_score=session.least_score,
            most_in_flight=lambda: session.order.most_in_flight,
            is_crowd=session.order.is_crowd,
        )
        return cls.for_crawler(crawler, session.queue, rules, session.settings.worker_seconds)

    @classmethod
    def for_crawler(
        cls,
        crawler: Crawler,
        queue: CrawlQueue,
        rules: ChoiceRules = ANY_LINK,
        worker_seconds: float = FrontierLimits().worker_seconds,
    ) -> Self:
        """Build a scheduler that reads the crawler's downloader, wakes its engine, and beats several
        times in *worker_seconds*.
        """
        delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        if crawler.settings.getbool("AUTOTHROTTLE_ENABLED"):
            delay = max(delay, crawler.settings.getfloat("AUTOTHROTTLE_START_DELAY"))
        engine, stats, clock_of_delays = crawler.engine, crawler.stats, time.monotonic

        def downloader() -> DownloaderLike | None:
            return None if engine is None else engine.downloader

        connections = crawler.settings.getint("CONCURRENT_REQUESTS")
        timeout = crawler.settings.getfloat("DOWNLOAD_TIMEOUT") or math.inf
        chooser = LinkChooser(
            queue.frontier,
            rules,
            readiness=HostReadiness(downloader, clock_of_delays, delay).now,
            awaited=AwaitedAnswers(downloader, clock_of_delays, rules.most_in_flight),
            shares=SlotShares(downloader, clock_of_delays, connections, timeout),
            count=lambda what: _count(stats, what),
        )
        scheduler = cls(
            queue,
            chooser,
            rules,
            stats=stats,
            alarm=Alarm(lambda: wake_engine(crawler), call_later, time.monotonic),
            slot_key=None if engine is None else engine.downloader.get_slot_key,
            heartbeat_seconds=worker_seconds / _BEATS_PER_DEADLINE,
            settings=crawler.settings,
        )
        return connected(scheduler, crawler)

    def response_received(self, request: Request) -> None:
        """Record what middlewares have written into a request whose response the spider gets now."""
        note_arrival(request)

    def response_downloaded(self, request: Request) -> None:
        """Record that the host of a request of the queue has answered."""
        lease: int | None = request.meta.get(LEASE)
        if lease is not None:
            self._chooser.answered(lease)

    def open(self, spider: Spider) -> None:
        """Start the heartbeat; callbacks are stored as names of methods of *spider*."""
        self._spider = spider
        self._records.rules = RecordRules.of(spider, self._settings)
        if self._heartbeat_seconds is not None:
            self._heart.start(self._heartbeat_seconds)

    def close(self, reason: str) -> None:
        """Write the frontier's counts to the stats; the lifecycle closes the frontier."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._heart.stop()
        self.flush()
        size = self.frontier.size()
        if self._stats is not None:
            for state in ("queued", "delayed", "leased", "done", "given_up", "hosts", "forgotten"):
                self._stats.set_value(f"topiccrawl/frontier/size/{state}", getattr(size, state))

    def has_pending_requests(self) -> bool:
        """Return whether links are queued, delayed, or leased by other workers.

        The engine itself waits for this worker's leases; those of others may lead to new links, or
        come back when their worker dies.
        """
        self.flush()
        return self._chooser.has_work()

    def heartbeat(self) -> None:
        """Report that this worker is alive, and return the leases of dead ones."""
        now = self._clock()
        self.frontier.heartbeat(now)
        if reaped := self.frontier.reap(now):
            self._count("reaped", reaped)
            logger.info(
                ngettext(
                    "%(count)d link came back from a lease that expired or whose worker is gone",
                    "%(count)d links came back from leases that expired or whose worker is gone",
                    reaped,
                ),
                {"count": reaped},
                extra={"spider": self._spider},
            )
            if self._alarm is not None:
                self._alarm.ring_in(0.0)

    # -- in ------------------------------------------------------------------------------------

    def enqueue_request(self, request: Request) -> bool:
        """Offer the request to the frontier; return ``False`` if it certainly adds nothing to fetch.

        An ordinary link waits for :meth:`flush`.
        """
        lease: int | None = request.meta.get(LEASE)
        self._rules.page_budget.ended(lease)
        origin = None if lease is None else redirect_source(request.meta)
        redirected = origin is not None
        if origin is not None and request.meta.get(DOWNLOAD_SLOT) == host_of(origin):
            # The downloader wrote the old host's name; the new host has a slot of its own.
            del request.meta[DOWNLOAD_SLOT]
        link = self._link(request, lease, redirected=redirected)
        if link is None:
            if lease is not None and redirected:
                self.frontier.fail(lease, "the redirect's target cannot be kept", None)
            return False
        if link.id == lease:
            if (redirected or request.dont_filter) and self.frontier.put_back(link):
                self._count("requeued")
                self._records.remember_counters(request)
                return True
            redirected = False
        if redirected:
            link = replace(link, evidence=link.evidence.ahead())
        if not (redirected or request.dont_filter):
            self._pending.add(link)
            return True
        result = self._push(link, again=request.dont_filter, copy=not redirected)
        if lease is not None and redirected:
            # Only now that the target is safely queued (or known) is the old link done.
            self.frontier.ack([lease])
            self._count("redirected")
        return result is PushResult.NEW

    def flush(self) -> None:
        """Push the links that wait for the frontier."""
        self._pending.flush()

    def _push(self, link: QueuedLink, *, again: bool, copy: bool) -> PushResult:
        self.flush()
        result = self.frontier.push([link], again=again)[0]
        if again and copy and result is PushResult.SEEN:
            # It is being fetched now, and requested once more all the same (a login page and the page
            # behind it may share their URL): one further link.
            result = self.frontier.push([once_more(link)], again=True)[0]
        self._pending.on_push(result)
        return result

    def _link(self, request: Request, lease: int | None, *, redirected: bool) -> QueuedLink | None:
        try:
            return self._records.link(request, lease, redirected=redirected)
        except ValueError as error:
            self._count("unkeepable")
            self._log_once(
                "unkeepable",
                _("Request lost, it cannot be kept in the frontier: %(request)s: %(error)s"),
                {"request": request, "error": error},
            )
            return None

    # -- out -----------------------------------------------------------------------------------

    def next_request(self) -> Request | None:
        """Return the best request whose host is ready; with ``None``, set the alarm."""
        if self._rules.hold() or self._rules.page_budget.full:
            return None
        if (wait := self._chooser.answer_in()) is not None:
            self._ring_in([wait])
            return None
        self.flush()
        now = self._clock()
        while (lease := self._chooser.lease(now)) is not None:
            request = self._rebuild(lease)
            if request is not None:
                self._rules.page_budget.handed_out(lease.id, request)
                self._chooser.handed_out(lease, request)
                self._count("popped")
                return request
        self._ring_in(self._chooser.waits(now))
        return None

    def _rebuild(self, lease: Lease) -> Request | None:
        try:
            return self._records.request(lease)
        except Exception as error:
            # A damaged or foreign record may raise anything; the crawl goes on without it.
            self._count("unreadable")
            self._log_once(
                "unreadable",
                "Queued request cannot be read and is given up: %(url)r: %(error).200r",
                {"url": lease.link.url[:200], "error": error},
            )
            self.frontier.fail(lease.id, f"unreadable request: {error!r:.500}", None)
            return None

    def _ring_in(self, seconds: Iterable[float]) -> None:
        soonest = min(seconds, default=None)
        if self._alarm is not None and soonest is not None:
            self._alarm.ring_in(soonest)

    # -- reporting -----------------------------------------------------------------------------

    def _count(self, what: str, count: int = 1) -> None:
        _count(self._stats, what, count)

    def _log_once(self, what: str, message: str, values: Mapping[str, object]) -> None:
        """Log the first occurrence; the stats count the others."""
        if what not in self._logged:
            self._logged.add(what)
            logger.error(message, values, extra={"spider": self._spider})


def _count(stats: StatsCollector | None, what: str, count: int = 1) -> None:
    if stats is not None:
        stats.inc_value(f"topiccrawl/frontier/{what}", count)


def _scraping(crawler: Crawler) -> bool:
    """Return whether a response is being processed, so that its links may still arrive.

    Without this, a page whose callback failed would hold the crawl forever.
    """
    slot = crawler.engine.scraper.slot if crawler.engine is not None else None
    return slot is not None and not slot.is_idle()
