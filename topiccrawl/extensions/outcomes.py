"""OutcomeRecorder: records the outcome of every URL that was tried and ends its lease.

A link popped from the frontier belongs to this worker until its outcome is durable.  The recorder
listens to Scrapy's signals, writes the outcome, and only then acknowledges the lease.  A link that is going
to be tried again returns to the frontier at once.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl import details
from topiccrawl.crawl.journal import kinds
from topiccrawl.crawl.queue.leases import LeaseKeeper, RetryDelays
from topiccrawl.crawl.queue.offline import OfflineWatch
from topiccrawl.crawl.refreshing.marks import RevisitMark
from topiccrawl.crawl.refreshing.visits import UNCHANGED
from topiccrawl.crawl.requests.failures import STORE_LOST, classify
from topiccrawl.crawl.requests.meta import ATTEMPT, EVIDENCE, IMPORTED, YIELDED, lease_of
from topiccrawl.crawl.requests.refused import BlockedByHost, DeletedPage, VisitedBefore
from topiccrawl.crawl.session.current import required_session
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.details import translated
from topiccrawl.errors import described
from topiccrawl.items import PageItem
from topiccrawl.language import _, choose, user_language
from topiccrawl.reporting.words.reasons import reason_text
from topiccrawl.scheduling.requests import redirect_source
from topiccrawl.signals import connected
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.store.contract import OutcomeRecord

logger = logging.getLogger(__name__)

#: Reasons that mean that a site does not have a page any longer (RFC 9110, 15.5.5 and 15.5.11), also where it
#: says so with another status.
_GONE = frozenset({"http-404", "http-410", "soft-404"})
#: Reasons after which links like this one are expected to lead to no page of text either.
_DEAD = _GONE | {
    "dns", "connection-refused", "timeout", "stuffing",
    # These cost as much as many pages: twenty redirects, megabytes, seconds of CPU.
    "redirects", "too-large", "packing", "not-html", "analysis-timeout", "analysis-crash",
    "document-timed-out", "document-too-large", "document-crashed",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Failed:
    """A request that gave no page."""

    request: Request
    error: BaseException
    reason: str
    """Stable word for its outcome."""
    retryable: bool
    """Whether another try later makes sense."""

    @property
    def attempt(self) -> int:
        """Number of the attempt, from 1."""
        attempt: int = self.request.meta.get(ATTEMPT, 1)
        return attempt

    @property
    def retry_at(self) -> float | None:
        """When the host that blocks has rested; ``None`` for other failures."""
        return self.error.retry_at if isinstance(self.error, BlockedByHost) else None


class OutcomeRecorder:
    """Writes outcomes and settles leases."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._leases = LeaseKeeper(
            session.frontier,
            session.clock,
            RetryDelays(base_seconds=session.settings.retry_delay_seconds),
            flush=session.pending.flush,
            on_settled=self._settled,
        )
        self._offline = OfflineWatch(session)
        #: Seeds whose failure was not logged yet.
        self._seeds = {canonical_url(seed.url) for seed in session.topic.definition.seeds}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        recorder = cls(required_session(crawler))
        if not getattr(crawler.spider, "makes_page_items", False):
            crawler.signals.connect(recorder.page_received, signals.response_received)
        return connected(recorder, crawler)

    def _settled(self, lease: int) -> None:
        """Make room in the page budget; the engine may be waiting for it."""
        budget = self._session.page_budget
        waiting = budget.full
        budget.ended(lease)
        if waiting and not budget.full:
            self._session.control.wake()

    async def item_scraped(self, item: Any) -> None:
        """End the lease: the page is durable when the store pipeline has returned."""
        if isinstance(item, PageItem):
            self._end(item)

    def _end(self, item: PageItem) -> None:
        """End the lease of a fetched page, or note in the journal that an entry is imported."""
        if item.lease is not None:
            self._leases.settle(item.lease)
        elif item.imported:
            self._session.journal.publish(kinds.IMPORTED, (item.imported, item.url))

    async def item_dropped(self, item: Any, exception: BaseException) -> None:
        """Record why the page was dropped."""
        if not isinstance(item, PageItem):
            return
        if isinstance(exception, PageLostError):
            self._page_lost(item)
            return
        if getattr(exception, "recorded", False):
            self._end(item)
            return
        reason = str(getattr(exception, "reason", type(exception).__name__))
        if item.revisit is not None and self._session.visits is not None:
            # The outcome of the page is that of the visit which stored it.
            try:
                if reason != UNCHANGED:
                    await self._session.visits.dropped(item, reason)
            except PageLostError:
                self._page_lost(item)
            else:
                self._end(item)
            return
        self._session.progress.dropped += 1
        if reason in _DEAD and item.lease is not None:
            self._session.order.dead(item.url, item.link)
        detail = str(getattr(exception, "detail", exception))
        self._session.control.count(f"dropped/{reason}")
        again = item.imported and self._session.imported  # there may be an earlier version
        if again and item.decision is not None and not item.decision.kept:
            await self._session.judging.left_topic(item.url, item.decision)
        await self._session.outcomes.write(
            self._session.records.of_item(item, "dropped", reason, detail)
        )
        self._end(item)

    def _page_lost(self, item: PageItem) -> None:
        """Put back a page that could be kept nowhere: a frontier that outlives the run hands it out again."""
        self._session.progress.failed += 1
        self._session.control.count("failed/store-lost")
        if item.lease is not None:
            self._leases.settle(item.lease, ok=False, reason=STORE_LOST, retryable=True)

    async def item_error(self, item: Any, failure: Failure) -> None:
        """Record that a pipeline failed on this page; it is not fetched again."""
        if not isinstance(item, PageItem):
            return
        if item.revisit is not None and self._session.visits is not None:
            self._session.visits.failed(item.revisit.mark, "pipeline-error")
            self._end(item)
            return
        self._session.progress.failed += 1
        self._session.control.count("failed/pipeline-error")
        detail = described(failure.value) if failure.value is not None else ""
        await self._session.outcomes.write(
            self._session.records.of_item(item, "failed", "pipeline-error", detail)
        )
        self._end(item)

    def spider_error(self, failure: Failure, response: Response | Failure | None) -> None:
        """Record a callback that failed, or a download failure that it did not handle.

        A page that the callback had yielded before keeps the outcome of its item.
        """
        request = getattr(response, "request", None)
        if request is None or failure.value is None or request.meta.get(YIELDED):
            return
        # Signal handlers of this signal cannot wait.
        self._session.outcomes.soon(self.request_failed(request, failure.value))

    def request_scheduled(self, request: Request) -> None:
        """Record where a redirected address led (its lease is settled by the scheduler)."""
        source = redirect_source(request.meta)
        if source is None or canonical_url(source) == canonical_url(request.url):
            return
        mark = RevisitMark.of_url(request.meta, source)
        if mark is not None and self._session.visits is not None:
            # What is stored of the page stays; the target is an ordinary link.
            self._session.visits.moved(mark, request.url)
            return
        outcome = self._session.records.of_url(
            source,
            request.meta.get(EVIDENCE),
            "dropped",
            "redirected",
            details.REDIRECTED(url=request.url),
        )
        # Signal handlers of this signal cannot wait.
        self._session.outcomes.write_soon(outcome)

    def page_received(self, request: Request) -> None:
        """End the lease of a page of another project's spider, whose items are unknown here."""
        lease = lease_of(request.meta)
        if lease is not None:
            self._leases.settle(lease)

    async def request_failed(self, request: Request, error: BaseException) -> None:
        """Record a request that gave no page; the frontier decides about another attempt."""
        session = self._session
        if self._offline.put_back(request, error):
            return
        failure = _Failed(request, error, *classify(error))
        mark = RevisitMark.of_url(request.meta, request.url)
        if mark is not None and session.visits is not None:
            await self._revisit_failed(failure, mark)
            return
        leased, canonical = lease_of(request.meta) is not None, canonical_url(request.url)
        # A link without an answer counts once, at its first attempt.
        counts = failure.attempt == 1 or not failure.retryable
        if failure.reason in _DEAD and leased and counts:
            session.order.dead(canonical, request.meta.get(EVIDENCE))
        self._name_seed(failure)
        session.control.count(f"failed/{failure.reason}")
        session.progress.failed += 1
        outcome = self._outcome(failure)
        if comes_back := self._comes_back(failure):
            # Nothing can be lost, and a waiting link takes part in ranking rounds: from the same page of the
            # crawl on, whenever the store has written the outcome.
            self._end_failed(failure)
        await session.outcomes.write(outcome)
        if not leased and IMPORTED in request.meta:
            session.journal.publish(kinds.IMPORTED, (request.meta[IMPORTED].key, canonical))
        if not comes_back:
            self._end_failed(failure)

    def _outcome(self, failure: _Failed) -> OutcomeRecord:
        request, error = failure.request, failure.error
        detail = described(error)[:500]
        if isinstance(error, HttpError):
            detail = details.STATUS(status=error.response.status)
        make = self._session.records.of_url
        if isinstance(error, DeletedPage):
            # The text of a link to a deleted page may hold what was deleted.
            return make(request.url, None, "dropped", failure.reason, detail)
        return make(request.url, request.meta.get(EVIDENCE), "failed", failure.reason, detail)

    def _comes_back(self, failure: _Failed) -> bool:
        """Return whether the link of a failed request is going to be tried again."""
        again = failure.retryable or failure.retry_at is not None
        return again and failure.attempt < self._session.settings.retry_max_attempts

    def _end_failed(self, failure: _Failed) -> None:
        """End the lease of a request without a page, if it has one."""
        lease = lease_of(failure.request.meta)
        if lease is not None:
            self._leases.settle(
                lease,
                ok=False,
                reason=failure.reason,
                retryable=failure.retryable,
                attempt=failure.attempt,
                retry_at=failure.retry_at,
            )

    async def _revisit_failed(self, failure: _Failed, mark: RevisitMark) -> None:
        """Record a revisit without a page: what is stored of it stays, also its outcome."""
        visits, lease = self._session.visits, lease_of(failure.request.meta)
        assert visits is not None
        if failure.reason in _GONE:
            try:
                await visits.missing(mark)
            except PageLostError:
                self._end_failed(replace(failure, reason=STORE_LOST, retryable=True))
                return
        elif not isinstance(failure.error, VisitedBefore):
            visits.failed(mark, failure.reason)
            self._end_failed(failure)
            return
        if lease is not None:
            self._leases.settle(lease)

    def _name_seed(self, failure: _Failed) -> None:
        """Log the first failure of a seed: a topic has few, and the crawl depends on them."""
        request, error = failure.request, failure.error
        url = request.meta.get("redirect_urls", [request.url])[0]
        if (key := canonical_url(url)) in self._seeds:
            self._seeds.discard(key)
            why = choose(*reason_text(failure.reason))
            if not isinstance(error, HttpError):
                why = f"{why} ({translated(str(error), user_language())[:500]})"
            logger.warning(_("Seed %(url)s gives no page: %(error)s"), {"url": url, "error": why})
