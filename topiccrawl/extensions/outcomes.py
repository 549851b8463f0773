"""OutcomeRecorder: every URL that was tried leaves a record of what became of it, and its lease ends.

A link popped from the frontier belongs to this worker until its outcome is durable.  The recorder
listens to Scrapy's signals, writes the outcome, and only then acknowledges the lease.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl.crawl.leases import LeaseKeeper, RetryDelays
from topiccrawl.crawl.records import failure_outcome, item_outcome, run_record
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.extensions.progress import stop_sentence
from topiccrawl.items import PageItem, lease_of
from topiccrawl.scheduling.requests import ATTEMPT, EVIDENCE, redirect_source
from topiccrawl.signals import request_failed
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector
    from twisted.python.failure import Failure

    from topiccrawl.store.contract import OutcomeRecord

logger = logging.getLogger(__name__)

#: Statuses after which trying again later makes sense (RFC 9110: server errors; 408, 429 by name).
RETRYABLE_STATUSES = frozenset({408, 429, 500, 502, 503, 504, 522, 524})


class OutcomeRecorder:
    """Writes outcomes, settles leases, and closes the store with an honest stop reason."""

    def __init__(self, run: CrawlSession, stats: StatsCollector) -> None:
        self._run = run
        self._stats = stats
        self._tasks: set[asyncio.Future[None]] = set()
        self._leases = LeaseKeeper(
            run.frontier,
            run.clock,
            RetryDelays(base_seconds=run.config.retry_delay_seconds),
            # Looked up at each call: the scheduler is made later.
            flush=lambda: run.flush_links(),
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        recorder = cls(CrawlSession.of(crawler), crawler.stats)
        connect = crawler.signals.connect
        connect(recorder.item_scraped, signals.item_scraped)
        connect(recorder.item_dropped, signals.item_dropped)
        connect(recorder.item_error, signals.item_error)
        connect(recorder.spider_error, signals.spider_error)
        connect(recorder.request_scheduled, signals.request_scheduled)
        if not getattr(crawler.spider, "makes_page_items", False):
            connect(recorder.response_received, signals.response_received)
        connect(recorder.failed, request_failed)
        connect(recorder.spider_closed, signals.spider_closed)
        return recorder

    async def item_scraped(self, item: Any) -> None:
        """The page is durable (the store pipeline returned): its lease ends."""
        if isinstance(item, PageItem) and item.lease is not None:
            self._leases.settle(item.lease)

    async def item_dropped(self, item: Any, exception: BaseException) -> None:
        """Record why the page was dropped."""
        if not isinstance(item, PageItem):
            return
        self._run.progress.dropped += 1
        reason = str(getattr(exception, "reason", type(exception).__name__))
        detail = str(getattr(exception, "detail", exception))
        self._stats.inc_value(f"topiccrawl/dropped/{reason}")
        await self._write(item_outcome(self._run, item, "dropped", reason, detail))
        if item.lease is not None:
            self._leases.settle(item.lease)

    async def item_error(self, item: Any, failure: Failure) -> None:
        """A pipeline broke on this page: keep the reason, do not fetch it again."""
        if not isinstance(item, PageItem):
            return
        self._run.progress.failed += 1
        if isinstance(failure.value, StoreUnavailable):
            # Kept nowhere: a frontier that outlives the run hands the page out again.
            self._stats.inc_value("topiccrawl/failed/store-lost")
            if item.lease is not None:
                self._leases.settle(item.lease, ok=False, reason="store-lost", retryable=True)
            return
        self._stats.inc_value("topiccrawl/failed/pipeline-error")
        detail = f"{type(failure.value).__name__}: {failure.value}"
        await self._write(item_outcome(self._run, item, "failed", "pipeline-error", detail))
        if item.lease is not None:
            self._leases.settle(item.lease)

    async def spider_error(self, failure: Failure, response: Response | Failure | None) -> None:
        """The callback broke, or let a download failure through."""
        request = getattr(response, "request", None)
        if request is not None and failure.value is not None:
            await self.failed(request, failure.value)

    def request_scheduled(self, request: Request) -> None:
        """Record where a redirected address led (its lease is settled by the scheduler)."""
        source = redirect_source(request.meta)
        if source is None or canonical_url(source) == canonical_url(request.url):
            return
        outcome = failure_outcome(
            self._run,
            source,
            request.meta.get(EVIDENCE),
            "dropped",
            "redirected",
            f"redirected to {request.url}",
        )
        # Signal handlers of this signal cannot wait; the task is awaited at the end of the run.
        task = asyncio.ensure_future(self._write(outcome))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def response_received(self, request: Request) -> None:
        """End the lease of a page of another project's spider: only it knows what it stores."""
        lease = lease_of(request.meta)
        if lease is not None:
            self._leases.settle(lease)

    async def failed(self, request: Request, error: BaseException) -> None:
        """Record a request that gave no page, and let the frontier decide about another try."""
        run = self._run
        reason, retryable = classify(error)
        detail = f"{type(error).__name__}: {error}"[:500]
        if isinstance(error, HttpError):
            detail = f"the server answered with status {error.response.status}"
        self._stats.inc_value(f"topiccrawl/failed/{reason}")
        run.progress.failed += 1
        evidence = request.meta.get(EVIDENCE)
        await self._write(failure_outcome(run, request.url, evidence, "failed", reason, detail))
        lease = lease_of(request.meta)
        if lease is not None:
            attempt = request.meta.get(ATTEMPT, 1)
            self._leases.settle(
                lease, ok=False, reason=reason, retryable=retryable, attempt=attempt
            )

    async def spider_closed(self, reason: str) -> None:
        """Write the run's own record and close the store."""
        run = self._run
        await asyncio.gather(*self._tasks)
        # Nobody uses it after this: all leases are settled, or go back with it.
        run.close_frontier(reason)
        # Here and not with the progress lines: the run's record holds them too.
        self._stats.set_value("topiccrawl/harvest_rate", round(run.progress.harvest_rate, 4))
        why = stop_sentence(reason, run.progress.pages)
        self._stats.set_value("topiccrawl/stop_reason", why)
        if run.writer is None:
            return
        record = run_record(
            run,
            finished_at=datetime.now(UTC),
            stop_reason=reason,
            stats=self._stats.get_stats(),
        )
        try:
            await run.writer.put(run=record)
        except StoreUnavailable as error:
            logger.error("The record of the run is lost: %(error)s", {"error": error})
        await run.writer.close()
        for name, count in asdict(run.writer.counts).items():
            self._stats.set_value(f"topiccrawl/store/{name}", count)
        run.writer = None

    async def _write(self, outcome: OutcomeRecord) -> None:
        if self._run.writer is None:
            return
        try:
            await self._run.writer.put(outcome=outcome)
        except StoreUnavailable as error:
            self._run.lose_store(error)
            logger.error("The outcome of %(url)s is lost", {"url": outcome.url})


def classify(error: BaseException) -> tuple[str, bool]:
    """Return (stable reason word, whether another try later makes sense) for a download error."""
    if isinstance(error, HttpError):
        status = error.response.status
        return f"http-{status}", status in RETRYABLE_STATUSES
    if isinstance(error, IgnoreRequest):
        # Scrapy's middlewares say why in the message only.
        words = str(error).lower()
        why = (
            # A small compressed answer that unpacks to more than may be read; its message holds the
            # URL, which may hold the other words.
            ("download_maxsize", "too-large"),
            ("robots", "robots"),
            ("redirections", "redirects"),
            # Ours: PolitenessMiddleware gives up the links of a dead host.
            ("does not answer", "host-gone"),
        )
        return next((reason for part, reason in why if part in words), "ignored"), False
    name = type(error).__name__
    return _ERROR_WORDS.get(name, (_words(name), False))


#: Scrapy's download errors (2.15 and newer name them alike for all handlers).
_ERROR_WORDS = {
    "DownloadTimeoutError": ("timeout", True),
    "DownloadConnectionRefusedError": ("connection-refused", True),
    "CannotResolveHostError": ("dns", True),
    "DownloadFailedError": ("connection-lost", True),
    "ResponseDataLossError": ("data-loss", True),
    "DownloadCancelledError": ("too-large", False),
    "UnsupportedURLSchemeError": ("scheme", False),
}


def _words(name: str) -> str:
    text = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).strip("-")
    return text.removesuffix("-error")
