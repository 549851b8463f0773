"""Builds the session of a crawl from the settings of its crawler and the definition of its topic."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from topiccrawl.analysis.borrowed import LinkWords
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.copies.factory import copy_rule, rejected_texts
from topiccrawl.crawl.importing import ImportedEntries
from topiccrawl.crawl.journal import kinds
from topiccrawl.crawl.journal.basis import BasisCheck, CrawlBasis
from topiccrawl.crawl.judgments.deciding import crawl_reader, make_classifier
from topiccrawl.crawl.judgments.given import Judgments, decided, given_judgments
from topiccrawl.crawl.judgments.judging import PageJudging
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.logins.factory import crawl_logins
from topiccrawl.crawl.pages.analyses import analysis_processes
from topiccrawl.crawl.pages.browsing import BrowserChoice
from topiccrawl.crawl.pages.documents import CrawlDocuments
from topiccrawl.crawl.pages.in_flight import PageAnalyzer, PagesInFlight
from topiccrawl.crawl.pages.notcontent import ContentCheck
from topiccrawl.crawl.pages.trials import PageTrials
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.crawl.proxies.proxying import CrawlProxies
from topiccrawl.crawl.queue.fallen import FallenLinks
from topiccrawl.crawl.queue.opening import CrawlFrontier, open_crawl_frontier, queue_settings
from topiccrawl.crawl.queue.ordering import LinkOrder
from topiccrawl.crawl.queue.page_budget import PageBudget
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visits import Visits
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.crawl.search.factory import source_search
from topiccrawl.crawl.search.searching import SearchingCrawl, SourceSearch
from topiccrawl.crawl.search.shared import shared_rests
from topiccrawl.crawl.session.scope import crawl_scope, crawl_url_filter
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.settling.running import Settling
from topiccrawl.crawl.sites.offers import SiteOffers
from topiccrawl.crawl.sites.whole import WholeSites
from topiccrawl.crawl.storing.deleted import DeletedPages
from topiccrawl.crawl.storing.near_misses import NearMisses
from topiccrawl.crawl.storing.outcomes import OutcomeWriter
from topiccrawl.crawl.storing.records import CrawlRecords
from topiccrawl.crawl.storing.versions import PageVersions
from topiccrawl.crawl.storing.writer import crawl_store
from topiccrawl.errors import of_setting
from topiccrawl.page.body.host_learning import HostLines
from topiccrawl.politeness.outage import NetworkState
from topiccrawl.politeness.rests import HostRests
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scoring.reseed import SeedProposals
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.topic import Topic

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.refreshing.refresher import Refresher
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.store.writer import StoreWriter
    from topiccrawl.topics.definition import TopicDefinition


def build_session(crawler: Crawler, definition: TopicDefinition, *, fresh: bool) -> CrawlSession:
    """Learn the topic and build the session of *crawler*.

    It continues where an earlier run of the topic stopped, unless *fresh* erases that run's queue, when the
    session is opened.
    """
    CrawlProxies.of(crawler)  # an error in their file stops the run here
    parts = _Parts(crawler, definition)
    opened = open_crawl_frontier(
        parts.topic,
        queue_settings(crawler, parts.settings),
        lambda: redis_client(crawler.settings),
        parts.control.lose_frontier,
        fresh=fresh,
    )
    parts.add_links(opened)
    parts.add_pages()
    parts.add_collection()
    return parts.session(opened)


class _Parts:
    """The parts of one session, and what they share.

    The constructor and the three ``add_`` methods are called in the order in which they are written: each uses
    parts of its own and of those before.  What is needed of a later part, such as the clock of the
    queue, is read later, in a function.
    """

    def __init__(self, crawler: Crawler, definition: TopicDefinition) -> None:
        """Make the parts that do not need the queue."""
        settings = CrawlSettings.from_settings(crawler.settings)
        topic = Topic.learn(_decided(definition, settings))
        self.settings, self.topic, self._definition = settings, topic, topic.definition
        self.started_at = datetime.now(UTC)
        self.id = _run_id(topic.name, self.started_at)
        self.control = control = CrawlControl(crawler)
        self.progress = CrawlProgress()
        self.page_budget = PageBudget(settings.max_pages or self._definition.limits.max_pages)
        self._fetches = getattr(crawler.spidercls, "fetches", True)
        # Links and hosts.
        self._strategy = _strategy(settings, self._definition)
        self.reader = crawl_reader(topic, [self._strategy], settings)
        self.scope = crawl_scope(self._definition, settings)
        self.network = NetworkState(settings.network.offline_seconds, settings.politeness.backoff)
        self.windows = HostWindows(
            settings.politeness.windows, settings.politeness.timezone, lambda: self._behind()
        )
        self.logins = crawl_logins(
            self._definition, settings, control.download, lambda: self.clock(), control.count
        )
        self._fallen = FallenLinks()
        # Pages.
        self.host_lines = HostLines() if settings.host_lines else None
        concurrent = crawler.settings.getint("CONCURRENT_REQUESTS")
        self.trials = PageTrials(settings.page_cpu_seconds, lambda: control.stopping, concurrent)
        self.documents = CrawlDocuments(settings, lambda: control.stopping, concurrent)
        # The collection.
        self.store = crawl_store(topic.name, settings)
        self.outcomes = OutcomeWriter(self.store, control)
        self.deleted = DeletedPages(self.store, settings.privacy.retention_days)
        self.near_misses = NearMisses(self.store, settings.near_misses)
        self.versions = PageVersions(self.store, settings.versions_per_page)
        self.classifier = make_classifier(topic, settings)
        self.copies = copy_rule(topic, settings, self.store)
        self.judgments = Judgments(given_judgments(self._definition, settings))
        self.rejected = rejected_texts(settings, self.store, self.judgments, self.copies)
        self.proposals = SeedProposals()
        self.imported = ImportedEntries()

    def add_links(self, opened: CrawlFrontier) -> None:
        """Make the parts that deal with links and sources."""
        settings, control = self.settings, self.control
        frontier, self.clock = opened.frontier, opened.clock
        self._behind = opened.behind
        self.queue = queue = CrawlQueue(frontier, self.clock, control.count)
        self.journal = queue.journal
        self.url_filter = crawl_url_filter(settings, self.scope, self.clock, control.count)
        basis = CrawlBasis.of(self._definition, settings, self.scope)
        self.basis = BasisCheck(
            basis if self._fetches else basis.without_fetching(),
            lambda: frontier.others(self.clock()),
        )
        self.order = LinkOrder(
            self._strategy,
            queue,
            self.url_filter,
            self.classifier,
            settings,
            borrow=LinkWords(self.topic),
            count=control.count,
            fallen=self._fallen,
        )
        may_follow = self.documents.may_follow
        self.sites = WholeSites(
            self._definition.seeds,
            SiteOffers(queue, self.url_filter, self.reader, may_follow),
            queue,
            budget=settings.site_pages,
            host_budget=settings.host_budget,
            count=control.count,
        )
        self.search = self._source_search() if settings.search else None
        self.browsing = BrowserChoice(
            self._definition,
            partial(self.journal.publish, kinds.BROWSER),
            learns=settings.browser.mode == "auto",
        )
        self._validators = Validators(
            enabled=settings.refresh_conditional,
            publish=partial(self.journal.publish, kinds.WRONG_VALIDATORS),
            count=control.count,
        )
        self._subscribe()

    def _subscribe(self) -> None:
        """Have the parts receive what other workers and earlier runs have published."""
        subscribe = self.journal.subscribe
        subscribe(kinds.PAGE, self._strategy.add)
        subscribe(kinds.PAGE, self.classifier.add)
        subscribe(kinds.PAGE, self.order.find)
        subscribe(kinds.EARLIER, self.classifier.recall, own=True)
        subscribe(kinds.KEPT, self.copies.receive)
        subscribe(kinds.KEPT, lambda kept: self.proposals.add(kept.url), own=True)
        subscribe(kinds.WITHDRAWN, self.copies.remove, own=True)
        subscribe(kinds.WITHDRAWN, self.proposals.remove, own=True)
        subscribe(kinds.JUDGMENT, self.judgments.receive, own=True)
        subscribe(kinds.JUDGMENT_FORGOTTEN, self.judgments.forget, own=True)
        for part in (self.url_filter, self._fallen):
            subscribe(kinds.LESSON, part.receive)
            subscribe(kinds.CONTACT, part.contact)
        subscribe(kinds.DEAD, lambda it: self._fallen.dead(*it))
        subscribe(kinds.ANSWERS, self._fallen.answers)
        subscribe(kinds.SITE_FILE, self.sites.receive_file)
        subscribe(kinds.LIST, self.sites.receive_list)
        subscribe(kinds.IMPORTED, lambda it: self.imported.receive(*it), own=True)
        subscribe(kinds.BROWSER, self.browsing.receive)
        if self.host_lines is not None:
            subscribe(kinds.EDGES, self.host_lines.receive)
        if self.search is not None:
            subscribe(kinds.SEARCH, self.search.receive, own=True)
        subscribe(kinds.WRONG_VALIDATORS, self._validators.receive)
        subscribe(kinds.BASIS, self.basis.receive)

    def _source_search(self) -> SourceSearch:
        return source_search(
            self.topic,
            self.settings,
            self.control.download,
            SearchingCrawl(
                publish=partial(self.journal.publish, kinds.SEARCH),
                clock=self.clock,
                allows=self._may_be_source,
                leads=self.queue.leads,
                stopping=lambda: self.control.stopping,
                count=self.control.count,
                shared=shared_rests(self.settings),
            ),
        )

    def _may_be_source(self, url: str) -> bool:
        return (
            (may_be_page(url) or self.documents.may_follow(url))
            and self.scope.exclusion(url) is None
            and self.url_filter.allows(url)
        )

    def add_pages(self) -> None:
        """Make the parts that analyze responses."""
        settings, blocks, control = self.settings, self.settings.blocks, self.control
        rests = HostRests(settings.politeness.backoff, blocks.rest, blocks.slow)
        self.content = ContentCheck(self.queue, rests, control.count)
        routes = self.browsing.possible
        analyze = PageAnalyzer(
            self.topic,
            settings,
            self.reader,
            self.url_filter,
            self.clock,
            routes=routes,
            host_lines=(lambda url: frozenset()) if self.host_lines is None else self.host_lines.of,
        )
        self.processes = analysis_processes(
            settings,
            lambda page: analyze.of_page(page, filtered=False),
            routes=routes,
            count=control.count,
        )
        self.pages = PagesInFlight(analyze, control.wake, self.processes)

    def add_collection(self) -> None:
        """Make the parts that keep the store up to date."""
        store, settings = self.store, self.settings
        rejudging = Rejudging(
            store,
            self.journal,
            self.judgments,
            self.copies,
            self.control.count,
            self.rejected,
        )
        self.judging = PageJudging(
            self.classifier, self.judgments, self.rejected, rejudging, store, self.progress
        )
        self.settling = Settling(
            store,
            self.copies,
            self.queue.leads,
            self.control,
            self.progress,
        )
        self.visits: Visits | None = None
        self.refresher: Refresher | None = None
        # A store of another project may lack visits.
        if store is None or not hasattr(store.store, "visit"):
            return
        self.visits = Visits(
            store,
            self.clock,
            self.control,
            self._validators,
            self.versions,
            self.outcomes.soon,
        )
        if settings.refresh_share:
            self.refresher = self._refresher(store, self.visits)

    def _refresher(self, store: StoreWriter, visits: Visits) -> Refresher:
        # Not at module level: a crawl without revisits does not load the planner.
        from topiccrawl.crawl.refreshing.refresher import Refresher

        return Refresher(
            store,
            self.queue,
            self.settings,
            visits,
            self.sites,
            seeds=[seed.url for seed in self._definition.seeds],
            count=self.control.count,
        )

    def session(self, opened: CrawlFrontier) -> CrawlSession:
        """Return the session of all parts."""
        return CrawlSession(
            id=self.id,
            started_at=self.started_at,
            topic=self.topic,
            settings=self.settings,
            scope=self.scope,
            page_budget=self.page_budget,
            control=self.control,
            queue=self.queue,
            resumed=opened.resumed,
            begin_queue=opened.begin,
            network=self.network,
            windows=self.windows,
            reader=self.reader,
            url_filter=self.url_filter,
            host_lines=self.host_lines,
            basis=self.basis,
            order=self.order,
            pages=self.pages,
            processes=self.processes,
            content=self.content,
            trials=self.trials,
            documents=self.documents,
            store=self.store,
            outcomes=self.outcomes,
            deleted=self.deleted,
            visits=self.visits,
            refresher=self.refresher,
            copies=self.copies,
            settling=self.settling,
            near_misses=self.near_misses,
            versions=self.versions,
            judging=self.judging,
            proposals=self.proposals,
            sites=self.sites,
            imported=self.imported,
            browsing=self.browsing,
            search=self.search,
            logins=self.logins,
            progress=self.progress,
            records=CrawlRecords(
                self.topic, self.settings, self.id, self.started_at, self.progress, self.clock
            ),
        )


def _decided(definition: TopicDefinition, settings: CrawlSettings) -> TopicDefinition:
    """Return *definition* with the threshold of the settings, and with the user's decisions about words."""
    if settings.relevance_threshold:
        thresholds = replace(definition.thresholds, relevance=settings.relevance_threshold)
        definition = replace(definition, thresholds=thresholds)
    return decided(definition, settings)


def _strategy(settings: CrawlSettings, definition: TopicDefinition) -> Strategy:
    """Make the strategy that TOPICCRAWL_STRATEGY names."""
    config = settings.strategy_config(definition.thresholds.link)
    with of_setting("TOPICCRAWL_STRATEGY"):
        return make_strategy(settings.strategy, config)


def _run_id(topic: str, started: datetime) -> str:
    stamp = started.strftime("%Y%m%dT%H%M%S")
    unique = hashlib.blake2b(
        f"{topic}\x00{started.isoformat()}\x00{os.getpid()}".encode(), digest_size=4
    ).hexdigest()
    return f"{stamp}-{unique}"
