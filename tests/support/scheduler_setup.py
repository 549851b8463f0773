"""A scheduler with everything around it in reach, and what Scrapy makes of requests."""

from __future__ import annotations

from types import SimpleNamespace

from scrapy import Request, Spider
from scrapy.statscollectors import StatsCollector
from scrapy.utils.test import get_crawler

from tests.frontier.contract_suite import LEASE, NOW
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scheduling.choosing import ChoiceRules, LinkChooser
from topiccrawl.scheduling.scheduler import FrontierScheduler
from topiccrawl.scheduling.shares import SlotShares
from topiccrawl.scheduling.slots import AwaitedAnswers, Readiness

PREFIX = "topiccrawl/frontier/"


class SchedulerSetup:
    """A scheduler with everything around it in reach."""

    def __init__(
        self, limits: FrontierLimits | None = None, *, connections: int | None = None
    ) -> None:
        """*connections*: shared between hosts that answer and others; default: not shared."""
        self.now = NOW
        self.busy: set[str] = set()
        self.wait: float | None = None
        self.held = False
        self.most_in_flight = 1_000
        self.downloader = SimpleNamespace(active=set())
        self.crowd: set[str] = set()
        self.opens: dict[str, float] = {}
        """When hosts outside their time windows open."""
        self.rings: list[float] = []
        self.stats = StatsCollector(get_crawler(Spider))
        limits = limits or FrontierLimits(lease_seconds=LEASE)
        self.frontier = MemoryFrontier(limits)
        rules = ChoiceRules(
            hold=lambda: self.held,
            closed_until=lambda host, now: (
                self.opens[host] if self.opens.get(host, now) > now else None
            ),
            is_crowd=lambda link: link.host in self.crowd,
        )
        self.scheduler = FrontierScheduler(
            CrawlQueue(
                self.frontier,
                lambda: self.now,
                lambda name: self.stats.inc_value(f"topiccrawl/{name}"),
            ),
            LinkChooser(
                self.frontier,
                rules,
                readiness=lambda: Readiness(self.busy, self.wait),
                awaited=AwaitedAnswers(
                    lambda: self.downloader, lambda: self.now, lambda: self.most_in_flight
                ),
                shares=None
                if connections is None
                else SlotShares(lambda: self.downloader, lambda: self.now, connections),
                count=lambda what: self.stats.inc_value(f"{PREFIX}{what}"),
            ),
            rules,
            stats=self.stats,
            alarm=self,
        )
        self.scheduler.open(Spider(name="some"))

    def ring_in(self, seconds: float) -> None:
        self.rings.append(seconds)

    def cancel(self) -> None:
        self.rings.append(-1.0)

    def add(self, url: str, score: float = 0.0, **more) -> bool:
        meta = {"topic_score": score, **more.pop("meta", {})}
        return self.enqueue(Request(url, meta=meta, **more))

    def enqueue(self, request: Request) -> bool:
        """Offer a request and bring it to the frontier; whether there is something new to fetch."""
        before = self.counts()
        taken = self.scheduler.enqueue_request(request)
        self.scheduler.flush()
        counts = self.counts()
        more = sum(counts.get(k, 0) - before.get(k, 0) for k in ("enqueued", "requeued"))
        # A certain answer is given at once; a new link is never reported as dropped.
        assert taken or not more
        return more > 0

    def next(self) -> Request:
        request = self.scheduler.next_request()
        assert request is not None
        return request

    def counts(self) -> dict[str, int]:
        stats = self.stats.get_stats()
        return {key.removeprefix(PREFIX): stats[key] for key in stats if key.startswith(PREFIX)}


def redirected(request: Request, url: str, **more) -> Request:
    """What RedirectMiddleware makes of *request*."""
    new = request.replace(url=url, **more)
    new.meta["redirect_times"] = request.meta.get("redirect_times", 0) + 1
    new.meta["redirect_urls"] = [*request.meta.get("redirect_urls", []), request.url]
    new.priority = request.priority + 2
    return new


def retried(request: Request) -> Request:
    """What RetryMiddleware makes of *request*."""
    new = request.replace(dont_filter=True, priority=request.priority - 1)
    new.meta["retry_times"] = request.meta.get("retry_times", 0) + 1
    return new
