"""Builds the session of a crawl from the settings of its crawler and the definition of its topic."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.analysis.borrowed import LinkWords
from topiccrawl.crawl.account.progress import CrawlProgress
from topiccrawl.crawl.basis import BasisCheck, CrawlBasis
from topiccrawl.crawl.browsing import BrowserChoice
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.copies.factory import copy_rule, rejected_texts
from topiccrawl.crawl.copies.running import Settling
from topiccrawl.crawl.deciding import crawl_reader, make_classifier
from topiccrawl.crawl.decisions import decided
from topiccrawl.crawl.importing import ImportedEntries
from topiccrawl.crawl.journal import CrawlJournal
from topiccrawl.crawl.judgments.given import Judgments, file_name, judgments_file
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.logins.factory import crawl_logins
from topiccrawl.crawl.opening import open_crawl_frontier
from topiccrawl.crawl.ordering import LinkOrder
from topiccrawl.crawl.page_budget import PageBudget
from topiccrawl.crawl.pages.analyses import analysis_processes
from topiccrawl.crawl.pages.documents import CrawlDocuments
from topiccrawl.crawl.pages.in_flight import PageAnalyzer, PagesInFlight
from topiccrawl.crawl.pages.notcontent import ContentCheck
from topiccrawl.crawl.pages.trials import PageTrials
from topiccrawl.crawl.proxies.proxying import CrawlProxies
from topiccrawl.crawl.redis_client import redis_client
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visits import Visits
from topiccrawl.crawl.requests import may_be_page
from topiccrawl.crawl.scope import crawl_scope, crawl_url_filter
from topiccrawl.crawl.search.factory import source_search
from topiccrawl.crawl.search.shared import shared_rests
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.sites.offers import SiteOffers
from topiccrawl.crawl.sites.whole import WholeSites
from topiccrawl.crawl.storing.deleted import DeletedPages
from topiccrawl.crawl.storing.near_misses import NearMisses
from topiccrawl.crawl.storing.outcomes import OutcomeWriter
from topiccrawl.crawl.storing.records import CrawlRecords
from topiccrawl.crawl.storing.versions import PageVersions
from topiccrawl.crawl.storing.writer import crawl_store
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.pending import PendingLinks, statistic
from topiccrawl.language import _
from topiccrawl.page.body.host_learning import HostLines
from topiccrawl.politeness.outage import NetworkState
from topiccrawl.politeness.rests import HostRests
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scoring.reseed import SeedProposals
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.judgments import load_judgments
from topiccrawl.topics.topic import Topic

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.topics.definition import TopicDefinition


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
    store = crawl_store(topic.name, settings)
    outcomes_lock = asyncio.Lock()
    # Before the queue is opened: a secret that is missing stops the run.
    logins = crawl_logins(definition, settings, control.download, time.time, control.count)
    opened = open_crawl_frontier(
        topic,
        settings,
        lambda: redis_client(crawler.settings),
        control.lose_frontier,
        fresh=fresh,
    )
    frontier = opened.frontier
    pending = PendingLinks(frontier, lambda result: control.count(f"frontier/{statistic(result)}"))
    scope = crawl_scope(definition, settings)
    url_filter = crawl_url_filter(settings, scope, opened.clock, control.count)
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
    journal.publish_earlier(opened.earlier)
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
    processes = analysis_processes(
        settings,
        lambda page: analyze.of_page(page, filtered=False),
        routes=browsing.possible,
        count=control.count,
    )
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
        resumed=opened.resumed,
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


def _run_id(topic: str, started: datetime) -> str:
    stamp = started.strftime("%Y%m%dT%H%M%S")
    unique = hashlib.blake2b(
        f"{topic}\x00{started.isoformat()}\x00{os.getpid()}".encode(), digest_size=4
    ).hexdigest()
    return f"{stamp}-{unique}"
