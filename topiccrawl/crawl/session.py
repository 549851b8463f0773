"""The crawl session: everything that the components of one crawl share, complete when it is built.

:mod:`~topiccrawl.crawl.building` builds it, :mod:`~topiccrawl.crawl.current` returns that of a crawler.
"""

from __future__ import annotations

import asyncio
import logging
import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.allowed import links_possible_now
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.deciding import (
    Decision,
    judgment_detail,
    judgment_numbers,
)
from topiccrawl.crawl.judgments.given import Judgments, file_name, given_judgments, judgments_file
from topiccrawl.crawl.judgments.rejudged import Rejudged
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.meta import LEASE
from topiccrawl.crawl.ordering import SEED_SCORE, LinkOrder
from topiccrawl.endings import BLOCKED, KILLED, REFRESHED
from topiccrawl.language import ngettext
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.urls.addresses import AddressRules
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy import Request

    from topiccrawl.analysis.links import LinkReader
    from topiccrawl.crawl.account.progress import CrawlProgress
    from topiccrawl.crawl.basis import BasisCheck
    from topiccrawl.crawl.browsing import BrowserChoice
    from topiccrawl.crawl.copies.rejected import RejectedTexts
    from topiccrawl.crawl.copies.rule import CopyRule
    from topiccrawl.crawl.copies.running import Settling
    from topiccrawl.crawl.importing import ImportedEntries
    from topiccrawl.crawl.journal import CrawlJournal
    from topiccrawl.crawl.logins.sessions import CrawlLogins
    from topiccrawl.crawl.page_budget import PageBudget
    from topiccrawl.crawl.pages.analyses import AnalysisProcesses
    from topiccrawl.crawl.pages.documents import CrawlDocuments
    from topiccrawl.crawl.pages.in_flight import PagesInFlight
    from topiccrawl.crawl.pages.notcontent import ContentCheck
    from topiccrawl.crawl.pages.trials import PageTrials
    from topiccrawl.crawl.refreshing.refresher import Refresher
    from topiccrawl.crawl.refreshing.visits import Visits
    from topiccrawl.crawl.search.searching import SourceSearch
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.crawl.sites.whole import WholeSites
    from topiccrawl.crawl.storing.deleted import DeletedPages
    from topiccrawl.crawl.storing.near_misses import NearMisses
    from topiccrawl.crawl.storing.outcomes import OutcomeWriter
    from topiccrawl.crawl.storing.records import CrawlRecords
    from topiccrawl.crawl.storing.versions import PageVersions
    from topiccrawl.frontier.contract import Frontier, QueuedLink
    from topiccrawl.frontier.pending import PendingLinks
    from topiccrawl.page.body.host_learning import HostLines
    from topiccrawl.politeness.outage import NetworkState
    from topiccrawl.politeness.windows import HostWindows
    from topiccrawl.scoring.classifier import PageClassifier
    from topiccrawl.scoring.reseed import SeedProposals
    from topiccrawl.store.writer import StoreWriter
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter
    from topiccrawl.urls.scope import Scope

logger = logging.getLogger(__name__)

#: Links of the queue that are read, or dropped, between two turns of the event loop: 20 ms with SQLite (200,000 links
#: of 3,000 hosts took 35 s, 2026-11).
_PIECE: Final = 100


@dataclass(frozen=True, slots=True)
class CrawlSession:
    """One crawl of one topic.

    Built by :func:`~topiccrawl.crawl.building.build_session`, opened and closed by the extension
    :class:`~topiccrawl.extensions.lifecycle.SessionLifecycle`.
    """

    id: str
    started_at: datetime
    topic: Topic
    settings: CrawlSettings
    scope: Scope
    """The URLs that the crawl keeps to."""
    page_budget: PageBudget
    control: CrawlControl
    frontier: Frontier
    clock: Callable[[], float]
    """The frontier's clock: wall-clock seconds, so that leases and retry times survive a restart."""
    resumed: bool
    """Whether the frontier held anything before: another worker's or an earlier run's."""
    begin_queue: Callable[[], list[bytes]]
    """Erases an earlier queue if the user wants a new one; see
    :class:`~topiccrawl.crawl.opening.CrawlFrontier`."""
    pending: PendingLinks
    """Links that wait for the frontier."""
    network: NetworkState
    """Whether there is a network, by the hosts that answer."""
    windows: HostWindows
    """When each host may be contacted."""
    reader: LinkReader
    url_filter: UrlFilter
    host_lines: HostLines | None
    """Lines that hosts repeat; ``None`` when bodies keep them."""
    journal: CrawlJournal
    basis: BasisCheck
    """Compares words and settings with those of other workers and of the last run."""
    order: LinkOrder
    pages: PagesInFlight
    processes: AnalysisProcesses | None
    """Analyze pages; ``None`` if the crawl's own process does."""
    content: ContentCheck
    """Recognizes responses that are not content, and the hosts that block."""
    trials: PageTrials
    """Trial runs of large pages, in another process."""
    documents: CrawlDocuments
    """Reads attachments, in another process."""
    store: StoreWriter | None
    """``None`` when nothing is stored."""
    outcomes: OutcomeWriter
    deleted: DeletedPages
    """Pages that were deleted and must not be fetched again."""
    visits: Visits | None
    """Reads and writes the records of visits; ``None`` when nothing is stored."""
    refresher: Refresher | None
    """Plans revisits; ``None`` when there are none."""
    copies: CopyRule
    """Finds copies among the pages that are kept."""
    settling: Settling
    """Brings the stories in the store up to date."""
    classifier: PageClassifier
    """Judges pages, better with every ranking round."""
    near_misses: NearMisses
    versions: PageVersions
    """Makes the versions that changed pages replace."""
    judgments: Judgments
    """The user's judgments by canonical URL; they change while the crawl runs."""
    rejected: RejectedTexts | None
    """Finds the texts of pages that the user judged off topic; ``None`` when texts are not compared."""
    rejudging: Rejudging
    """Applies new judgments of stored pages."""
    proposals: SeedProposals
    """Folders above stored pages: new seeds for a crawl that finds nothing."""
    sites: WholeSites
    """The sites that are crawled as a whole."""
    imported: ImportedEntries
    """Entries of imports that are complete."""
    browsing: BrowserChoice
    """Decides which pages are loaded in a browser."""
    search: SourceSearch | None
    """Finds pages to start from with search engines; ``None`` when that is off."""
    logins: CrawlLogins | None
    """Sessions of sites that show their pages only to users; ``None`` without logins."""
    progress: CrawlProgress
    records: CrawlRecords

    @property
    def others_fetched(self) -> bool:
        """Whether other workers or earlier runs have fetched pages, as far as the journal was read."""
        return self.journal.pages > self.progress.pages

    @property
    def only_refreshes(self) -> bool:
        """Whether this run visits known pages and nothing else."""
        return self.refresher is not None and self.settings.refresh_share >= 1

    def least_score(self) -> float:
        """Return the least score of the links that may be fetched now.

        In a run that only refreshes, that of known pages; while a crawl without seeds asks search engines
        for its sources, that of sources: links of the first ones would lead it anywhere.
        """
        searching = self.search is not None and self.search.starting
        without = not self.topic.definition.seeds
        return SEED_SCORE if self.only_refreshes or (searching and without) else -math.inf

    @property
    def without_sources(self) -> bool:
        """Whether there is nothing to fetch, because only a search could find where to start, and did not."""
        return self._lacks_sources and self.search is not None and self.search.fruitless

    @property
    def awaits_sources(self) -> bool:
        """Whether there is nothing to fetch yet, and another worker searches for where to start."""
        if not self._lacks_sources or self.control.stopping:
            return False
        now = self.clock()
        return self.frontier.others(now) > 0 and not self.frontier.try_lead(now)

    @property
    def _lacks_sources(self) -> bool:
        if self.topic.definition.seeds or self.search is None or self.judgments.wanted:
            return False
        size = self.frontier.size()
        return not (size.queued or size.delayed or size.leased)

    def put_back(self, request: Request, until: float, statistic: str) -> Request:
        """Return what puts a leased *request* back before its transfer; its host waits *until* then.

        For middlewares, which return it in place of a response.
        """
        self.frontier.transfer_finished(request.meta[LEASE], until)
        self.frontier.hold_host(self.control.slot_key(request), until)
        self.control.count(statistic)
        return request.replace(dont_filter=True)

    def is_kept(self, url: str) -> bool:
        """Whether a page of this crawl, by its canonical URL, is kept."""
        judgment = self.classifier.judgment(link_id(url))
        return self.judgments.get(url, judgment is not None and judgment.kept)

    async def open(self) -> None:
        """Open the store, begin the queue and read what other workers and earlier runs have found.

        Nothing is fetched before.  Raises :class:`~topiccrawl.errors.ConfigurationError` or
        :class:`~topiccrawl.store.contract.StoreUnavailable` when store or queue cannot be used.
        """
        if self.processes is not None:
            # First: a fork has none of the threads that the store and others start.
            self.processes.start()
        if self.logins is not None:
            self.logins.open()
        if self.store is not None:
            await self.store.open()
        self.journal.publish_earlier(self.begin_queue())
        if self.store is not None:
            await self._mark_killed_runs(self.store)
            await self.store.put(run=self.records.of_run())
            await self.deleted.open()
        if self.visits is not None:
            await self.visits.open()
        await self._leave_scope()
        await self.copies.load()
        await self.replay()
        await self._offer_allowed()
        self.basis.announce(self.journal.publish_basis)
        for url in self._deleted_judgments():
            self.journal.publish_judgment_forgotten(url)
        for url, relevant in self.judgments.items():
            self.classifier.set_relevant(link_id(url), relevant)
        self.judgments.subscribe(
            lambda url, relevant: self.classifier.set_relevant(link_id(url), relevant)
        )
        for judgment in self.judgments.unpublished():
            self.journal.publish_judgment(judgment)
        await self.rejudging.apply()
        self.judgments.wanted = tuple(await self.rejudging.missing())
        if self.journal.pages:
            for __ in self.order.ranking_round():
                await asyncio.sleep(0)
        elif self.classifier.due:
            await self._learn()
        if self.judgments.forgotten:
            await self.judge_again()
        if self.refresher is not None:
            await self.refresher.load()
        self.settling.start()

    async def _leave_scope(self) -> None:
        """Drop the queued links of earlier runs that are outside the scope now."""
        if not (self.scope and self.resumed):
            return
        ids = []
        for number, link in enumerate(self.frontier.best(self.frontier.size().queued)):
            if self.scope.exclusion(link.url) is not None:
                ids.append(link.id)
            if number % _PIECE == 0:
                await asyncio.sleep(0)
        for start in range(0, len(ids), _PIECE):
            if dropped := self.frontier.forget(ids[start : start + _PIECE]):
                self.control.count("frontier/out_of_scope", dropped)
            await asyncio.sleep(0)

    async def _offer_allowed(self) -> None:
        """Queue the links that earlier runs must not contact and this one may, or that a login opens now."""
        if not self.resumed or self.store is None or self.only_refreshes:
            return
        allowed, logins = self.settings.network.private_allowed, self.logins
        if not allowed and logins is None:
            return
        found = await links_possible_now(
            self.store.store,
            self.topic.name,
            AddressRules(allowed),
            lambda url: logins is not None and logins.of(url) is not None,
        )
        if allowed:
            self._queue_again(
                found.allowed,
                ngettext(
                    "%(n)d link that was refused for its address may be fetched now, and is queued again",
                    "%(n)d links that were refused for their addresses may be fetched now, and are queued again",
                    len(found.allowed),
                ),
            )
        self._queue_again(
            found.opened,
            ngettext(
                "%(n)d link that led to a login page is queued again: there is a login now",
                "%(n)d links that led to login pages are queued again: there is a login now",
                len(found.opened),
            ),
        )

    def _queue_again(self, links: list[QueuedLink], message: str) -> None:
        if links:
            self.frontier.push(links, again=True)
            logger.info(message, {"n": len(links)})

    async def _mark_killed_runs(self, store: StoreWriter) -> None:
        """Write into the records of runs without an end that they were killed.

        Nothing is marked while other workers are alive: one of them may be such a run.
        """
        if self.frontier.others(self.clock()):
            return
        try:
            runs = await store.store.runs(self.topic.name)
        except StoreUnavailable:
            return  # the next run marks them
        for run in runs:
            if run.finished_at is None and not run.stop_reason:
                await store.put(run=replace(run, stop_reason=KILLED))
                self.control.count("run/killed_before")

    def _deleted_judgments(self) -> list[str]:
        """Return the URLs whose lines the user has deleted from the file of judgments."""
        definition = self.topic.definition
        # Read again: what was published meanwhile was in the file before.
        left = {it.url for it in given_judgments(definition, self.settings)}
        return self.judgments.deleted(file_name(judgments_file(definition, self.settings)), left)

    async def replay(self) -> None:
        """Read all that is new in the journal; pages that are too many are given up meanwhile."""
        more = True
        while more:
            more = self.journal.replay()
            await asyncio.sleep(0)
            if self.classifier.full:
                await self._learn()

    async def _learn(self) -> None:
        for __ in self.classifier.learn():
            await asyncio.sleep(0)

    async def judge_again(self, *, everything: bool = False) -> None:
        """Bring the store to the present judgments of the classifier and of the user.

        With *everything*, small changes of a probability are written, too.
        """
        judge = self._rejudged if self.classifier.learned else None
        forgotten = map(self._rejudged, sorted(self.judgments.forgotten))
        result = await self.rejudging.apply(
            [it for it in forgotten if it is not None], judge, everything=everything
        )
        self.progress.withdrawn += result.withdrawn
        self.progress.entered += result.admitted + result.readmitted
        self.progress.freed += result.listed
        self.settling.wake()

    async def import_left_topic(self, url: str, decision: Decision) -> None:
        """Withdraw the page that an earlier version of an imported file has brought, if there is one."""
        if self.store is None or not self.store.is_open or not self.imported:
            return
        try:
            page = await self.store.store.page(self.topic.name, url)
        except StoreUnavailable:
            return  # a later round of judgments will do it
        if page is not None and page.withdrawn_at is None:
            left = Rejudged(url, decision.judgment, kept=False, detail=decision.detail)
            self.progress.withdrawn += (await self.rejudging.apply([left])).withdrawn

    def _rejudged(self, url: str) -> Rejudged | None:
        judgment = self.classifier.judgment(link_id(url))
        if judgment is None:
            return None
        threshold = self.classifier.threshold
        numbers = judgment_numbers(judgment, threshold)
        return Rejudged(url, numbers, judgment.kept, judgment_detail(judgment, threshold))

    async def _last_judgments(self) -> None:
        """Bring classifier and store to what all workers have found until now."""
        # The last look at what other workers have done; see others_fetched.
        await self.replay()
        # The last judgments depend on the pages and not on when rounds were.
        await self._learn()
        # Judgments that came while their pages were on their way into the store.
        await self.judge_again(everything=True)
        await self.near_misses.trim()
        await self.versions.trim()
        await self.settling.finish()

    async def close(self, reason: str, stats: Mapping[str, object]) -> None:
        """Close frontier and store; *reason* is the spider's, *stats* go into the run's record.

        All leases are settled by now, or return to the queue.
        """
        self.trials.close()
        if self.processes is not None:
            self.processes.close()
        self.documents.close()
        if self.store is not None:
            self.store.hurry()
        await self.outcomes.drain()
        if self.store is None or self.store.is_open:  # otherwise nothing was begun
            try:
                await self._last_judgments()
            except Exception:
                # The next run repeats them; this one needs its end.
                logger.exception("The last judgments failed")
        if self.store is not None and self.store.is_open and not self.control.store_lost:
            # For ``scrapy explain`` and the report, which show the best waiting links.
            best = self.frontier.best(self.settings.store_queued_links)
            for position, link in enumerate(best, start=1):
                await self.store.put(outcome=self.records.of_queued(link, position), wait=False)
        size = self.frontier.size()
        ended = reason in ("finished", BLOCKED, REFRESHED)
        if ended and not (size.queued or size.delayed or size.leased):
            self.journal.publish_finished()
        self.frontier.close()
        if self.logins is not None:
            self.logins.close()
        if self.store is not None and self.store.is_open:
            record = self.records.of_run(
                finished_at=datetime.now(UTC), stop_reason=reason, stats=stats
            )
            await self.outcomes.write_run(record)
            await self.store.close()
