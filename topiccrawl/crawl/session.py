"""The crawl session: everything that the components of one crawl share, complete when it is built.

Scrapy builds spider, scheduler, middlewares, pipelines and extensions one by one and passes each only
the crawler.  ``CrawlSession.of(crawler)`` returns the same session to all of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from topiccrawl.analysis.borrowed import LinkWords
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.browsing import BrowserChoice
from topiccrawl.crawl.control import BLOCKED, KILLED, REFRESHED, CrawlControl
from topiccrawl.crawl.copies.factory import copy_rule
from topiccrawl.crawl.copies.running import Settling
from topiccrawl.crawl.deciding import (
    classifies,
    judgment_detail,
    judgment_numbers,
    make_classifier,
)
from topiccrawl.crawl.decisions import decided
from topiccrawl.crawl.documents import CrawlDocuments
from topiccrawl.crawl.importing import ImportedEntries
from topiccrawl.crawl.journal import CrawlJournal, packed_pages
from topiccrawl.crawl.judgments import Judgments, file_name, judgments_file
from topiccrawl.crawl.logins.factory import crawl_logins
from topiccrawl.crawl.near_misses import NearMisses
from topiccrawl.crawl.notcontent import ContentCheck
from topiccrawl.crawl.ordering import SEED_SCORE, LinkOrder
from topiccrawl.crawl.outcomes import OutcomeWriter
from topiccrawl.crawl.page_budget import PageBudget
from topiccrawl.crawl.pages import PageAnalyzer, PagesInFlight
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.crawl.proxying import CrawlProxies
from topiccrawl.crawl.records import CrawlRecords
from topiccrawl.crawl.redis_client import redis_client
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visits import Visits
from topiccrawl.crawl.rejudging import Rejudged, Rejudging
from topiccrawl.crawl.requests import may_be_page
from topiccrawl.crawl.scope import crawl_scope
from topiccrawl.crawl.search.factory import source_search
from topiccrawl.crawl.settings import CrawlSettings, TopicSettings
from topiccrawl.crawl.sites.offers import SiteOffers
from topiccrawl.crawl.sites.whole import WholeSites
from topiccrawl.crawl.trials import PageTrials
from topiccrawl.crawl.versions import PageVersions
from topiccrawl.errors import ConfigurationError, described
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.factory import OpenFrontier, advice, open_frontier
from topiccrawl.frontier.failstop import FailStopFrontier
from topiccrawl.frontier.pending import PendingLinks, statistic
from topiccrawl.language import _
from topiccrawl.politeness.outage import NetworkState
from topiccrawl.politeness.rests import HostRests
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scoring.reseed import SeedProposals
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter
from topiccrawl.topics.judgments import load_judgments
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.analysis.links import LinkReader
    from topiccrawl.crawl.copies.rule import CopyRule
    from topiccrawl.crawl.logins.sessions import CrawlLogins
    from topiccrawl.crawl.refreshing.refresher import Refresher
    from topiccrawl.crawl.search.searching import SourceSearch
    from topiccrawl.scoring.classifier import PageClassifier
    from topiccrawl.topics.definition import TopicDefinition
    from topiccrawl.urls.scope import Scope

logger = logging.getLogger(__name__)

_sessions: WeakKeyDictionary[Crawler, CrawlSession] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class CrawlSession:
    """One crawl of one topic.

    Built by :meth:`start`, opened and closed by the extension
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
    pending: PendingLinks
    """Links that wait for the frontier."""
    network: NetworkState
    """Whether there is a network, by the hosts that answer."""
    windows: HostWindows
    """When each host may be contacted."""
    reader: LinkReader
    url_filter: UrlFilter
    journal: CrawlJournal
    order: LinkOrder
    pages: PagesInFlight
    content: ContentCheck
    """Recognizes responses that are not content, and the hosts that block."""
    trials: PageTrials
    """Trial runs of large pages, in another process."""
    documents: CrawlDocuments
    """Reads attachments, in another process."""
    store: StoreWriter | None
    """``None`` when nothing is stored."""
    outcomes: OutcomeWriter
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
    def least_score(self) -> float:
        """Least score of the links that this run takes out of the queue."""
        only = self.refresher is not None and self.settings.refresh_share >= 1
        return SEED_SCORE if only else -math.inf

    def is_kept(self, url: str) -> bool:
        """Whether a page of this crawl, by its canonical URL, is kept."""
        judgment = self.classifier.judgment(link_id(url))
        return self.judgments.get(url, judgment is not None and judgment.kept)

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlSession:
        """Return the crawler's session; start it from TOPICCRAWL_TOPIC when the spider has not.

        Raises :class:`~topiccrawl.errors.ConfigurationError` when no topic is given.
        """
        session = _sessions.get(crawler)
        if session is None:
            name = TopicSettings.from_settings(crawler.settings).topic
            if not name:
                raise ConfigurationError(
                    _(
                        "no topic is given: use the topic spider (-a topic=…) or set TOPICCRAWL_TOPIC"
                    )
                )
            session = cls.start(crawler, find_definition(name))
        return session

    @classmethod
    def wanted(cls, crawler: Crawler) -> bool:
        """Whether this crawl has a topic, so that the components have work to do."""
        return crawler in _sessions or bool(TopicSettings.from_settings(crawler.settings).topic)

    @classmethod
    def start(
        cls, crawler: Crawler, definition: TopicDefinition, *, fresh: bool = False
    ) -> CrawlSession:
        """Learn the topic, build the session of *crawler* and register it.

        It continues where an earlier run of the topic stopped, unless *fresh* erases that run's
        queue.
        """
        settings = CrawlSettings.from_settings(crawler.settings)
        CrawlProxies.of(crawler)  # an error in their file stops the run here
        if settings.relevance_threshold:
            thresholds = replace(definition.thresholds, relevance=settings.relevance_threshold)
            definition = replace(definition, thresholds=thresholds)
        definition = decided(definition, settings)
        topic = Topic.learn(definition)
        started = datetime.now(UTC)
        control = CrawlControl(crawler)
        try:
            strategy = make_strategy(
                settings.strategy, settings.strategy_config(definition.thresholds.link)
            )
        except ConfigurationError as error:
            raise ConfigurationError(
                _("TOPICCRAWL_STRATEGY: {error}").format(error=error)
            ) from error
        learns = classifies(topic, settings)
        reader = make_reader(
            topic,
            [strategy],
            wordnet=settings.semantic_wordnet,
            vectors_file=settings.semantic_vectors,
            classified=learns,
        )
        windows = HostWindows(settings.politeness.windows, settings.politeness.timezone)
        store = _store_writer(topic.name, settings)

        def open_again(*, fresh: bool) -> OpenFrontier:
            return open_frontier(
                topic.name, settings, lambda: redis_client(crawler.settings), fresh=fresh
            )

        remembers = fresh and learns
        earlier = _earlier_pages(open_again, settings.earlier_pages) if remembers else []
        # Before the queue is opened: a secret that is missing stops the run.
        logins = crawl_logins(definition, settings, control.download, time.time, control.count)
        opened = open_again(fresh=fresh)
        try:
            size = opened.frontier.size()
        except Exception as error:
            raise ConfigurationError(
                _("the frontier cannot be used: {error}").format(
                    error=described(error) + advice(error, topic.name)
                )
            ) from error
        frontier = FailStopFrontier(
            opened.frontier,
            opened.failures,
            lambda error: control.lose_frontier(error, advice(error, topic.name)),
        )
        pending = PendingLinks(
            frontier, lambda result: control.count(f"frontier/{statistic(result)}")
        )
        scope = crawl_scope(definition, settings)
        url_filter = UrlFilter(
            settings.trap_rules,
            opened.clock,
            learn_parameters=settings.learn_parameters,
            learn_mirrors=settings.learn_mirrors,
            pattern_pages=settings.pattern_pages,
            domain_names=settings.domain_names,
            scope=scope,
            count=control.count,
        )
        classifier = make_classifier(topic, settings)
        copies = copy_rule(topic, settings, store)
        proposals = SeedProposals()
        imported = ImportedEntries()
        file = judgments_file(definition, settings)
        given = [*definition.judgments, *load_judgments(file)]
        judgments = Judgments(replace(it, file=file_name(file)) for it in given)

        def leave_collection(url: str) -> None:
            copies.remove(url)
            proposals.remove(url)

        browsing = BrowserChoice(
            definition,
            lambda learned: journal.publish_browser(learned),
            learns=settings.browser.mode == "auto",
        )
        journal = CrawlJournal(
            frontier.journal,
            on_page=lambda page: (strategy.score(page), classifier.add(page)),
            on_kept=copies.receive,
            on_page_stored=proposals.add,
            on_judgment=judgments.receive,
            on_withdrawn=leave_collection,
            on_judgment_forgotten=judgments.forget,
            on_earlier=classifier.recall,
            on_lesson=url_filter.receive,
            on_contact=url_filter.contact,
            on_site_file=lambda record: sites.receive_file(record),
            on_list=lambda record: sites.receive_list(record),
            on_imported=imported.receive,
            on_browser=browsing.receive,
            on_search=lambda entry: None if search is None else search.receive(entry),
            on_wrong_validators=lambda host: validators.receive(host),
        )
        documents = CrawlDocuments(
            settings,
            lambda: control.stopping,
            crawler.settings.getint("CONCURRENT_REQUESTS"),
        )
        sites = WholeSites(
            definition.seeds,
            SiteOffers(frontier, pending, url_filter, reader, documents.may_follow),
            frontier,
            journal,
            budget=settings.site_pages,
            host_budget=settings.host_budget,
            clock=opened.clock,
            count=control.count,
        )
        search = None
        if settings.search:
            search = source_search(
                topic,
                settings,
                control.download,
                publish=journal.publish_search,
                clock=opened.clock,
                allows=lambda url: (
                    (may_be_page(url) or documents.may_follow(url))
                    and scope.exclusion(url) is None
                    and url_filter.allows(url)
                ),
                leads=lambda: frontier.try_lead(opened.clock()),
                stopping=lambda: control.stopping,
                count=control.count,
            )
        validators = Validators(
            enabled=settings.refresh_conditional,
            publish=journal.publish_wrong_validators,
            count=control.count,
        )
        versions = PageVersions(topic.name, store, settings.versions_per_page)
        visits = refresher = None
        # A store of another project may not know visits.
        if store is not None and hasattr(store.store, "visit"):
            visits = Visits(topic.name, store, opened.clock, control, validators, versions)
        if visits is not None and store is not None and settings.refresh_share:
            # Not at module level: a crawl without revisits does not load the planner.
            from topiccrawl.crawl.refreshing.refresher import Refresher

            refresher = Refresher(
                topic.name,
                store,
                frontier,
                pending,
                opened.clock,
                settings,
                visits,
                sites,
                seeds=[seed.url for seed in definition.seeds],
                count=control.count,
            )
        journal.publish_earlier(earlier)
        progress, run_id = CrawlProgress(), _run_id(topic.name, started)
        analyze = PageAnalyzer(
            topic, settings, reader, url_filter, opened.clock, routes=browsing.possible
        )
        session = cls(
            id=run_id,
            started_at=started,
            topic=topic,
            settings=settings,
            scope=scope,
            page_budget=PageBudget(settings.max_pages or definition.limits.max_pages),
            control=control,
            frontier=frontier,
            clock=opened.clock,
            resumed=size.queued + size.delayed + size.leased + size.done + size.given_up > 0,
            pending=pending,
            network=NetworkState(settings.network.offline_seconds, settings.politeness.backoff),
            windows=windows,
            reader=reader,
            url_filter=url_filter,
            journal=journal,
            order=LinkOrder(
                strategy,
                frontier,
                journal,
                url_filter,
                classifier,
                settings,
                opened.clock,
                flush=pending.flush,
                borrow=LinkWords(topic),
                count=control.count,
            ),
            pages=PagesInFlight(analyze, control.wake),
            content=ContentCheck(
                settings,
                frontier,
                HostRests(settings.politeness.backoff, settings.blocks.rest, settings.blocks.slow),
                opened.clock,
                control.count,
            ),
            trials=PageTrials(
                settings.page_cpu_seconds,
                lambda: control.stopping,
                crawler.settings.getint("CONCURRENT_REQUESTS"),
            ),
            documents=documents,
            store=store,
            outcomes=OutcomeWriter(store, control),
            visits=visits,
            refresher=refresher,
            copies=copies,
            settling=Settling(topic.name, store, copies, frontier, opened.clock, control),
            classifier=classifier,
            near_misses=NearMisses(topic.name, store, settings.near_misses),
            versions=versions,
            judgments=judgments,
            rejudging=Rejudging(topic.name, store, journal, judgments, copies, control.count),
            proposals=proposals,
            sites=sites,
            imported=imported,
            browsing=browsing,
            search=search,
            logins=logins,
            progress=progress,
            records=CrawlRecords(topic, settings, run_id, started, progress, opened.clock),
        )
        _sessions[crawler] = session
        return session

    async def open(self) -> None:
        """Open the store and read what other workers and earlier runs have found.

        Nothing is fetched before.  Raises :class:`~topiccrawl.errors.ConfigurationError` or
        :class:`~topiccrawl.store.contract.StoreUnavailable` when the store cannot be used.
        """
        if self.logins is not None:
            self.logins.open()
        if self.store is not None:
            await self.store.open()
            await self._mark_killed_runs(self.store)
            await self.store.put(run=self.records.of_run())
        if self.visits is not None:
            await self.visits.open()
        self._leave_scope()
        await self.copies.load()
        await self._replay()
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

    def _leave_scope(self) -> None:
        """Drop the queued links of earlier runs that are outside the scope now."""
        if not (self.scope and self.resumed):
            return
        queued = self.frontier.best(self.frontier.size().queued)
        ids = [link.id for link in queued if self.scope.exclusion(link.url) is not None]
        if dropped := self.frontier.forget(ids):
            self.control.count("frontier/out_of_scope", dropped)

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
        file = judgments_file(definition, self.settings)
        # Read again: what was published meanwhile was in the file before.
        left = {it.url for it in (*definition.judgments, *load_judgments(file))}
        return self.judgments.deleted(file_name(file), left)

    async def _replay(self) -> None:
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
        self.settling.wake()

    def _rejudged(self, url: str) -> Rejudged | None:
        judgment = self.classifier.judgment(link_id(url))
        if judgment is None:
            return None
        threshold = self.classifier.threshold
        numbers = judgment_numbers(judgment, threshold)
        return Rejudged(url, numbers, judgment.kept, judgment_detail(judgment, threshold))

    async def close(self, reason: str, stats: Mapping[str, object]) -> None:
        """Close frontier and store; *reason* is the spider's, *stats* go into the run's record.

        All leases are settled by now, or return to the queue.
        """
        self.trials.close()
        self.documents.close()
        await self.outcomes.drain()
        if self.visits is not None:
            await self.visits.drain()
        # The last look at what other workers have done; see others_fetched.
        await self._replay()
        # The last judgments depend on the pages and not on when rounds were.
        await self._learn()
        # Judgments that came while their pages were on their way into the store.
        await self.judge_again(everything=True)
        await self.near_misses.trim()
        await self.versions.trim()
        await self.settling.finish()
        if self.store is not None and self.store.is_open and not self.control.store_lost:
            # So that ``scrapy explain`` and the report know the best waiting links.
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


def _store_writer(topic: str, settings: CrawlSettings) -> StoreWriter | None:
    """The writer of the store that TOPICCRAWL_STORE_URI names, not open yet."""
    if not settings.store_uri:
        return None
    return StoreWriter(
        open_store(settings.store_uri),
        Spool(Path(settings.spool_dir), topic, settings.store_uri),
        batch_size=settings.store_batch_pages,
        flush_seconds=settings.store_flush_seconds,
    )


def _earlier_pages(open_again: Callable[..., OpenFrontier], most: int) -> list[bytes]:
    """Return the newest pages in the queue of an earlier crawl, which is about to be erased."""
    if not most:
        return []
    try:
        opened = open_again(fresh=False)
    except ConfigurationError:
        return []  # Written by another version, or damaged; erasing it mends that.
    try:
        return packed_pages(opened.frontier.journal, most)
    except Exception as error:  # damaged: erasing it mends that
        logger.warning(_("Pages of the earlier queue cannot be read: %s"), described(error))
        return []
    finally:
        with suppress(Exception):  # it is erased next
            opened.frontier.close()


def _run_id(topic: str, started: datetime) -> str:
    stamp = started.strftime("%Y%m%dT%H%M%S")
    unique = hashlib.blake2b(
        f"{topic}\x00{started.isoformat()}\x00{os.getpid()}".encode(), digest_size=4
    ).hexdigest()
    return f"{stamp}-{unique}"
