"""The crawl session: everything that the components of one crawl share, complete when it is built.

:mod:`~topiccrawl.crawl.session.building` builds it, :mod:`~topiccrawl.crawl.session.current` returns that of a crawler.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.queue.ordering import LinkOrder
from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.endings import BLOCKED, REFRESHED
from topiccrawl.scoring.evidence import SEED_SCORE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from topiccrawl.analysis.links import LinkReader
    from topiccrawl.crawl.copies.rule import CopyRule
    from topiccrawl.crawl.importing import ImportedEntries
    from topiccrawl.crawl.journal.basis import BasisCheck
    from topiccrawl.crawl.journal.journal import CrawlJournal
    from topiccrawl.crawl.judgments.judging import PageJudging
    from topiccrawl.crawl.logins.sessions import CrawlLogins
    from topiccrawl.crawl.pages.analyses import AnalysisProcesses
    from topiccrawl.crawl.pages.browsing import BrowserChoice
    from topiccrawl.crawl.pages.documents import CrawlDocuments
    from topiccrawl.crawl.pages.in_flight import PagesInFlight
    from topiccrawl.crawl.pages.notcontent import ContentCheck
    from topiccrawl.crawl.pages.trials import PageTrials
    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.crawl.queue.page_budget import PageBudget
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.crawl.refreshing.refresher import Refresher
    from topiccrawl.crawl.refreshing.visits import Visits
    from topiccrawl.crawl.search.searching import SourceSearch
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.crawl.settling.running import Settling
    from topiccrawl.crawl.sites.whole import WholeSites
    from topiccrawl.crawl.storing.deleted import DeletedPages
    from topiccrawl.crawl.storing.near_misses import NearMisses
    from topiccrawl.crawl.storing.outcomes import OutcomeWriter
    from topiccrawl.crawl.storing.records import CrawlRecords
    from topiccrawl.crawl.storing.versions import PageVersions
    from topiccrawl.frontier.contract import Frontier
    from topiccrawl.frontier.pending import PendingLinks
    from topiccrawl.page.body.host_learning import HostLines
    from topiccrawl.politeness.outage import NetworkState
    from topiccrawl.politeness.windows import HostWindows
    from topiccrawl.scoring.reseed import SeedProposals
    from topiccrawl.store.writer import StoreWriter
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter
    from topiccrawl.urls.scope import Scope


@dataclass(frozen=True, slots=True)
class CrawlSession:
    """One crawl of one topic.

    Built by :func:`~topiccrawl.crawl.session.building.build_session`, opened and closed by
    :mod:`~topiccrawl.crawl.session.lifecycle`, for the extension
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
    queue: CrawlQueue
    resumed: bool
    """Whether the frontier held anything before: another worker's or an earlier run's."""
    begin_queue: Callable[[], list[bytes]]
    """Erases an earlier queue if the user wants a new one; see
    :class:`~topiccrawl.crawl.queue.opening.CrawlFrontier`."""
    network: NetworkState
    """Whether there is a network, by the hosts that answer."""
    windows: HostWindows
    """When each host may be contacted."""
    reader: LinkReader
    url_filter: UrlFilter
    host_lines: HostLines | None
    """Lines that hosts repeat; ``None`` when bodies keep them."""
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
    near_misses: NearMisses
    versions: PageVersions
    """Makes the versions that changed pages replace."""
    judging: PageJudging
    """Judges pages, and brings the store to new judgments."""
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

    def ending(self, reason: str) -> str:
        """Return why this run ends: *reason*, or what "finished" means for this run.

        Whether it was blocked must be known.
        """
        if reason != "finished":
            return reason
        if self.control.blocked:
            return BLOCKED
        return REFRESHED if self.only_refreshes else reason

    def least_score(self) -> float:
        """Return the least score of the links that may be fetched now.

        In a run that only refreshes, that of known pages; while a crawl without seeds asks search engines
        for its sources, that of sources: links of the first ones would lead it anywhere.
        """
        searching = self.search is not None and self.search.starting
        without = not self.topic.definition.seeds
        return SEED_SCORE if self.only_refreshes or (searching and without) else -math.inf

    @property
    def frontier(self) -> Frontier:
        """What to fetch next."""
        return self.queue.frontier

    @property
    def clock(self) -> Callable[[], float]:
        """The frontier's clock: wall-clock seconds, so that leases and retry times survive a restart."""
        return self.queue.clock

    @property
    def pending(self) -> PendingLinks:
        """Links that wait for the frontier."""
        return self.queue.pending

    @property
    def journal(self) -> CrawlJournal:
        """What workers share, and what a run takes over from the previous one."""
        return self.queue.journal

    @property
    def without_sources(self) -> bool:
        """Whether there is nothing to fetch, because only a search could find where to start, and did not."""
        return self._lacks_sources and self.search is not None and self.search.fruitless

    @property
    def awaits_sources(self) -> bool:
        """Whether there is nothing to fetch yet, and another worker searches for where to start."""
        if not self._lacks_sources or self.control.stopping:
            return False
        return self.frontier.others(self.clock()) > 0 and not self.queue.leads()

    @property
    def _lacks_sources(self) -> bool:
        if self.topic.definition.seeds or self.search is None or self.judging.judgments.wanted:
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

    async def replay(self) -> None:
        """Read all that is new in the journal; pages that are too many are given up meanwhile."""
        more = True
        while more:
            more = self.journal.replay()
            await asyncio.sleep(0)
            if self.judging.classifier.full:
                await self.judging.learn()

    async def judge_again(self, *, everything: bool = False) -> None:
        """Bring the store to the present judgments; with *everything*, also where they changed little."""
        await self.judging.judge_again(everything=everything)
        self.settling.wake()
