"""OutcomeRecorder: records the outcome of every URL that was tried and ends its lease.

A link popped from the frontier belongs to this worker until its outcome is durable.  The recorder
listens to Scrapy's signals, writes the outcome, and only then acknowledges the lease.  A link that is going
to be tried again returns to the frontier at once.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl import details
from topiccrawl.crawl.current import required_session
from topiccrawl.crawl.failures import NO_ANSWER, STORE_LOST, cause_of, classify
from topiccrawl.crawl.leases import LeaseKeeper, RetryDelays
from topiccrawl.crawl.meta import ATTEMPT, DOWNLOAD_SLOT, EVIDENCE, IMPORTED, YIELDED, lease_of
from topiccrawl.crawl.refreshing.marks import RevisitMark
from topiccrawl.crawl.refreshing.visits import UNCHANGED
from topiccrawl.crawl.refused import (
    BlockedByHost,
    DeletedPage,
    PrivateAddress,
    VisitedBefore,
)
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.details import translated
from topiccrawl.errors import described
from topiccrawl.items import PageItem
from topiccrawl.language import _, choose, user_language
from topiccrawl.reporting.words.labels import reason_text
from topiccrawl.scheduling.requests import redirect_source
from topiccrawl.signals import request_failed
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from topiccrawl.crawl.session import CrawlSession
    from topiccrawl.store.contract import Verdict

logger = logging.getLogger(__name__)

#: Shortest pause of a host whose link went back for want of a network, so that others are tried (a guess).
_NO_NETWORK_SECONDS = 1.0
#: Links at the head of the queue whose hosts are counted, where the others are not fetched (a guess).
_BEST_LINKS = 1_000
#: Reasons that mean that a site does not have a page any longer (RFC 9110, 15.5.5 and 15.5.11), also where it
#: says so with another status.
_GONE = frozenset({"http-404", "http-410", "soft-404"})
#: Reasons after which links like this one are expected to lead to no page either.
_DEAD = _GONE | {"dns", "connection-refused", "timeout"}


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
        seeds = [seed.url for seed in session.topic.definition.seeds]
        #: Seeds whose failure was not logged yet.
        self._seeds = set(map(canonical_url, seeds))
        self._seed_hosts = frozenset(map(host_of, seeds))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        recorder = cls(required_session(crawler))
        connect = crawler.signals.connect
        connect(recorder.item_scraped, signals.item_scraped)
        connect(recorder.item_dropped, signals.item_dropped)
        connect(recorder.item_error, signals.item_error)
        connect(recorder.spider_error, signals.spider_error)
        connect(recorder.request_scheduled, signals.request_scheduled)
        if not getattr(crawler.spider, "makes_page_items", False):
            connect(recorder.response_received, signals.response_received)
        connect(recorder.failed, request_failed)
        return recorder

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
            self._session.journal.publish_imported(item.imported, item.url)

    async def item_dropped(self, item: Any, exception: BaseException) -> None:
        """Record why the page was dropped."""
        if not isinstance(item, PageItem):
            return
        if isinstance(exception, PageLostError):
            # Kept nowhere: a frontier that outlives the run hands the page out again.
            self._session.progress.failed += 1
            self._session.control.count("failed/store-lost")
            if item.lease is not None:
                self._leases.settle(item.lease, ok=False, reason=STORE_LOST, retryable=True)
            return
        reason = str(getattr(exception, "reason", type(exception).__name__))
        if item.revisit is not None and self._session.visits is not None:
            # The outcome of the page is that of the visit which stored it.
            if reason != UNCHANGED:
                await self._session.visits.dropped(item, reason)
            self._end(item)
            return
        self._session.progress.dropped += 1
        if reason in _DEAD and item.lease is not None:
            self._session.order.dead(item.url, item.link)
        detail = str(getattr(exception, "detail", exception))
        self._session.control.count(f"dropped/{reason}")
        if item.imported and item.decision is not None and not item.decision.kept:
            await self._session.import_left_topic(item.url, item.decision)
        await self._session.outcomes.write(
            self._session.records.of_item(item, "dropped", reason, detail)
        )
        self._end(item)

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
        self._session.outcomes.soon(self.failed(request, failure.value))

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

    def response_received(self, request: Request) -> None:
        """End the lease of a page of another project's spider, whose items are unknown here."""
        lease = lease_of(request.meta)
        if lease is not None:
            self._leases.settle(lease)

    async def failed(self, request: Request, error: BaseException) -> None:
        """Record a request that gave no page; the frontier decides about another attempt."""
        session = self._session
        if self._waits_for_network(request, error):
            return
        reason, retryable = classify(error)
        mark = RevisitMark.of_url(request.meta, request.url)
        if mark is not None and session.visits is not None:
            await self._revisit_failed(request, mark, error, reason, retryable)
            return
        if reason in _DEAD and lease_of(request.meta) is not None:
            session.order.dead(canonical_url(request.url), request.meta.get(EVIDENCE))
        self._name_seed(request, error, reason)
        detail = described(error)[:500]
        if isinstance(error, HttpError):
            detail = details.STATUS(status=error.response.status)
        self._session.control.count(f"failed/{reason}")
        session.progress.failed += 1
        deleted = isinstance(error, DeletedPage)
        # The text of a link to a deleted page may hold what was deleted.
        evidence = None if deleted else request.meta.get(EVIDENCE)
        verdict: Verdict = "dropped" if deleted else "failed"
        outcome = session.records.of_url(request.url, evidence, verdict, reason, detail)
        if comes_back := self._comes_back(request, error, retryable):
            # Nothing can be lost, and a waiting link takes part in ranking rounds: from the same page of the
            # crawl on, whenever the store has written the outcome.
            self._end_failed(request, error, reason, retryable)
        await session.outcomes.write(outcome)
        if lease_of(request.meta) is None and IMPORTED in request.meta:
            key = request.meta[IMPORTED].key
            session.journal.publish_imported(key, canonical_url(request.url))
        if not comes_back:
            self._end_failed(request, error, reason, retryable)

    def _comes_back(self, request: Request, error: BaseException, retryable: bool) -> bool:
        """Return whether the link of a failed request is going to be tried again."""
        again = retryable or (isinstance(error, BlockedByHost) and error.retry_at is not None)
        attempts = self._session.settings.retry_max_attempts
        return again and request.meta.get(ATTEMPT, 1) < attempts

    def _end_failed(
        self,
        request: Request,
        error: BaseException,
        reason: str,
        retryable: bool,
        *,
        made: bool = False,
    ) -> None:
        """End the lease of a request without a page, if it has one; a revisit that is *made* is done."""
        lease = lease_of(request.meta)
        if lease is None:
            return
        self._leases.settle(
            lease,
            ok=made,
            reason=reason,
            retryable=retryable and not made,
            attempt=request.meta.get(ATTEMPT, 1),
            retry_at=error.retry_at if isinstance(error, BlockedByHost) else None,
        )

    async def _revisit_failed(
        self,
        request: Request,
        mark: RevisitMark,
        error: BaseException,
        reason: str,
        retryable: bool,
    ) -> None:
        """Record a revisit without a page: what is stored of it stays, also its outcome."""
        session = self._session
        assert session.visits is not None
        made = reason in _GONE or isinstance(error, VisitedBefore)
        if reason in _GONE:
            try:
                await session.visits.missing(mark)
            except PageLostError:
                made, reason, retryable = False, STORE_LOST, True
        elif not made:
            session.visits.failed(mark, reason)
        self._end_failed(request, error, reason, retryable, made=made)

    def _waits_for_network(self, request: Request, error: BaseException) -> bool:
        """Put back a link that failed for want of a network; stop the crawl when that lasts.

        So does a queue whose hosts are all refused by a crawl that goes on: earlier runs were allowed to
        contact them.
        """
        session, network = self._session, self._session.network
        cause, host = cause_of(error), host_of(request.url)
        if lease_of(request.meta) is None:
            return False
        tried = 0 if network.reached else network.tried(host)
        refused = isinstance(cause, PrivateAddress) and session.journal.pages > 0
        if not (refused or isinstance(cause, NO_ANSWER)) or (
            network.reached and (refused or not network.in_doubt)
        ):
            return False
        pause = max(_NO_NETWORK_SECONDS, session.settings.politeness.backoff)
        slot = request.meta.get(DOWNLOAD_SLOT) or host
        session.frontier.hold_host(slot, session.clock() + pause)
        session.control.put_back(request)
        session.control.count("network/put_back")
        size = session.frontier.size()
        hosts = max(self._hosts_left(size.hosts), 0 if session.resumed else len(self._seed_hosts))
        if network.missing(hosts, size.leased - size.elsewhere):
            message = (
                _(
                    "none of the hosts may be contacted, {tried} tried, at last {host}: {cause}. Earlier"
                    " runs were allowed to. The links stay queued, and the crawl goes on with them when"
                    " the setting allows it again"
                )
                if refused
                else _(
                    "no host can be reached, {tried} tried, at last {host}: {cause}. Is this machine"
                    " online? Does it need a proxy (http_proxy, https_proxy)? The links stay queued,"
                    " and the same command goes on with them"
                )
            )
            why = translated(str(cause), user_language()).rstrip(".")
            session.control.go_offline(message.format(tried=tried, host=host, cause=why))
        return True

    def _hosts_left(self, queued: int) -> int:
        """Return how many hosts have links that this run fetches, of *queued* ones with links."""
        least = self._session.least_score()
        if least == -math.inf:
            return queued
        best = self._session.frontier.best(_BEST_LINKS)
        return len({link.host for link in best if link.evidence.score >= least})

    def _name_seed(self, request: Request, error: BaseException, reason: str) -> None:
        """Log the first failure of a seed: a topic has few, and the crawl depends on them."""
        url = request.meta.get("redirect_urls", [request.url])[0]
        if (key := canonical_url(url)) in self._seeds:
            self._seeds.discard(key)
            why = choose(*reason_text(reason))
            if not isinstance(error, HttpError):
                why = f"{why} ({translated(str(error), user_language())[:500]})"
            logger.warning(_("Seed %(url)s gives no page: %(error)s"), {"url": url, "error": why})
