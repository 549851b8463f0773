"""Builds the session of a crawl from the settings of its crawler and the definition of its topic."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.analysis.borrowed import LinkWords
from topiccrawl.analysis.summarized import SummaryLimits
from topiccrawl.crawl.analyses import AnalysisProcesses
from topiccrawl.crawl.basis import BasisCheck, CrawlBasis
from topiccrawl.crawl.browsing import BrowserChoice
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.copies.factory import copy_rule, rejected_texts
from topiccrawl.crawl.copies.running import Settling
from topiccrawl.crawl.deciding import classifies, crawl_reader, make_classifier
from topiccrawl.crawl.decisions import decided
from topiccrawl.crawl.deleted import DeletedPages
from topiccrawl.crawl.documents import CrawlDocuments
from topiccrawl.crawl.importing import ImportedEntries
from topiccrawl.crawl.journal import CrawlJournal, packed_pages
from topiccrawl.crawl.judgments import Judgments, file_name, judgments_file
from topiccrawl.crawl.logins.factory import crawl_logins
from topiccrawl.crawl.near_misses import NearMisses
from topiccrawl.crawl.notcontent import ContentCheck
from topiccrawl.crawl.ordering import LinkOrder
from topiccrawl.crawl.outcomes import OutcomeWriter
from topiccrawl.crawl.page_budget import PageBudget
from topiccrawl.crawl.pages import PageAnalyzer, PagesInFlight
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.crawl.proxying import CrawlProxies
from topiccrawl.crawl.records import CrawlRecords
from topiccrawl.crawl.redis_client import redis_client
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visits import Visits
from topiccrawl.crawl.rejudging import Rejudging
from topiccrawl.crawl.requests import may_be_page
from topiccrawl.crawl.scope import crawl_scope
from topiccrawl.crawl.search.factory import source_search
from topiccrawl.crawl.search.shared import shared_rests
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.settings.processes import number_of_processes
from topiccrawl.crawl.sites.offers import SiteOffers
from topiccrawl.crawl.sites.whole import WholeSites
from topiccrawl.crawl.trials import PageTrials
from topiccrawl.crawl.versions import PageVersions
from topiccrawl.errors import ConfigurationError, described
from topiccrawl.frontier.factory import OpenFrontier, advice, open_frontier
from topiccrawl.frontier.failstop import FailStopFrontier
from topiccrawl.frontier.pending import PendingLinks, statistic
from topiccrawl.language import _
from topiccrawl.page.body.host_learning import HostLines
from topiccrawl.politeness.outage import NetworkState
from topiccrawl.politeness.rests import HostRests
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scoring.reseed import SeedProposals
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter
from topiccrawl.topics.judgments import load_judgments
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.filter import UrlFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from topiccrawl.frontier.contract import FrontierSize
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.topics.definition import TopicDefinition
    from topiccrawl.urls.scope import Scope

logger = logging.getLogger(__name__)


def build_session(
    crawler: Crawler, definition: TopicDefinition, *, fresh: bool = False
) -> CrawlSession:
    """Learn the topic and build the session of *crawler*.

    It continues where an earlier run of the topic stopped, unless *fresh* erases that run's queue.
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
    strategy = _strategy(settings, definition)
    reader = crawl_reader(topic, [strategy], settings)
    windows = HostWindows(settings.politeness.windows, settings.politeness.timezone)
    store = _store_writer(topic.name, settings)
    outcomes_lock = asyncio.Lock()

    def open_again(*, fresh: bool) -> OpenFrontier:
        return open_frontier(
            topic.name, settings, lambda: redis_client(crawler.settings), fresh=fresh
        )

    remembers = fresh and classifies(topic, settings)
    earlier = _earlier_pages(open_again, settings.earlier_pages) if remembers else []
    # Before the queue is opened: a secret that is missing stops the run.
    logins = crawl_logins(definition, settings, control.download, time.time, control.count)
    opened = open_again(fresh=fresh)
    size = _size(opened, topic.name)
    frontier = FailStopFrontier(
        opened.frontier,
        opened.failures,
        lambda error: control.lose_frontier(error, advice(error, topic.name)),
    )
    pending = PendingLinks(frontier, lambda result: control.count(f"frontier/{statistic(result)}"))
    scope = crawl_scope(definition, settings)
    url_filter = _url_filter(settings, scope, opened.clock, control)
    host_lines = HostLines() if settings.host_lines else None
    classifier = make_classifier(topic, settings)
    copies = copy_rule(topic, settings, store)
    proposals = SeedProposals()
    imported = ImportedEntries()
    file = judgments_file(definition, settings)
    given = [*definition.judgments, *load_judgments(file)]
    judgments = Judgments(replace(it, file=file_name(file)) for it in given)
    rejected = rejected_texts(topic.name, settings, store, judgments, copies)

    def leave_collection(url: str) -> None:
        copies.remove(url)
        proposals.remove(url)

    browsing = BrowserChoice(
        definition,
        lambda learned: journal.publish_browser(learned),
        learns=settings.browser.mode == "auto",
    )
    basis = BasisCheck(
        CrawlBasis.of(definition, settings, scope), lambda: frontier.others(opened.clock())
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
        on_edges=lambda edges: None if host_lines is None else host_lines.receive(edges),
        on_search=lambda entry: None if search is None else search.receive(entry),
        on_wrong_validators=lambda host: validators.receive(host),
        on_basis=basis.receive,
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
            shared=shared_rests(settings),
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
        topic,
        settings,
        reader,
        url_filter,
        opened.clock,
        routes=browsing.possible,
        host_lines=(lambda url: frozenset()) if host_lines is None else host_lines.of,
    )
    processes = _analysis_processes(settings, analyze, browsing, control)
    return CrawlSession(
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
        host_lines=host_lines,
        journal=journal,
        basis=basis,
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
        pages=PagesInFlight(analyze, control.wake, processes),
        processes=processes,
        content=ContentCheck(
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
        deleted=DeletedPages(topic.name, store, settings.privacy.retention_days),
        visits=visits,
        refresher=refresher,
        copies=copies,
        settling=Settling(
            topic.name, store, copies, frontier, opened.clock, control, outcomes_lock, progress
        ),
        classifier=classifier,
        near_misses=NearMisses(topic.name, store, settings.near_misses),
        versions=versions,
        judgments=judgments,
        rejected=rejected,
        rejudging=Rejudging(
            topic.name, store, journal, judgments, copies, control.count, outcomes_lock, rejected
        ),
        proposals=proposals,
        sites=sites,
        imported=imported,
        browsing=browsing,
        search=search,
        logins=logins,
        progress=progress,
        records=CrawlRecords(topic, settings, run_id, started, progress, opened.clock),
    )


def _strategy(settings: CrawlSettings, definition: TopicDefinition) -> Strategy:
    """Make the strategy that TOPICCRAWL_STRATEGY names."""
    config = settings.strategy_config(definition.thresholds.link)
    try:
        return make_strategy(settings.strategy, config)
    except ConfigurationError as error:
        raise ConfigurationError(_("TOPICCRAWL_STRATEGY: {error}").format(error=error)) from error


def _size(opened: OpenFrontier, topic: str) -> FrontierSize:
    """Return the size of the frontier, which shows whether it can be used."""
    try:
        return opened.frontier.size()
    except Exception as error:
        raise ConfigurationError(
            _("the frontier cannot be used: {error}").format(
                error=described(error) + advice(error, topic)
            )
        ) from error


def _url_filter(
    settings: CrawlSettings, scope: Scope, clock: Callable[[], float], control: CrawlControl
) -> UrlFilter:
    """Make the URL filter of a crawl, which has learned nothing yet."""
    return UrlFilter(
        settings.trap_rules,
        clock,
        learn_parameters=settings.learn_parameters,
        learn_mirrors=settings.learn_mirrors,
        pattern_pages=settings.pattern_pages,
        domain_names=settings.domain_names,
        scope=scope,
        count=control.count,
    )


def _analysis_processes(
    settings: CrawlSettings, analyze: PageAnalyzer, browsing: BrowserChoice, control: CrawlControl
) -> AnalysisProcesses | None:
    """Make the processes that analyze pages; ``None`` if the crawl's own process does."""
    jobs = number_of_processes(settings.analysis_processes)
    if not jobs:
        return None
    return AnalysisProcesses(
        jobs,
        settings.page_cpu_seconds,
        lambda page: analyze.of_page(page, filtered=False),
        extractor=settings.body_extractor,
        limits=SummaryLimits(settings.summary_sentences, settings.keywords),
        routes=browsing.possible,
        shells=settings.browser.mode != "off",
        markdown=settings.store_markdown,
        count=control.count,
    )


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
