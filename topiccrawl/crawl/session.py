"""What the parts of one crawl share: the topic, the analyses of pages in flight, frontier and ranking.

Scrapy builds spider, scheduler, middlewares, pipelines and extensions one by one and hands each only
the crawler.  ``CrawlSession.of(crawler)`` gives them the same run, without importing each other.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet, ref

from scrapy.exceptions import CloseSpider
from w3lib.encoding import http_content_type_encoding

from topiccrawl.analysis.links import LinkReader, MergedLink
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.journal import CrawlJournal
from topiccrawl.crawl.settings import CrawlSettings, TopicSettings
from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.frontier.contract import Frontier, FrontierSize
from topiccrawl.frontier.factory import open_frontier
from topiccrawl.frontier.failstop import guarded
from topiccrawl.page.page import Page
from topiccrawl.scheduling.alarm import wake_engine
from topiccrawl.scheduling.requests import EVIDENCE
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategy import Strategy
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import UrlFilter

if TYPE_CHECKING:
    import redis
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from topiccrawl.store.writer import StoreWriter
    from topiccrawl.topics.definition import TopicDefinition

logger = logging.getLogger(__name__)

#: Scores of links whose request has not been scheduled yet; a spider that filters links leaves some
#: behind, and the oldest are forgotten.
_PENDING_EVIDENCE = 100_000

#: Close reasons of our own, beside Scrapy's.
CANNOT_START = "cannot_start"
STORE_LOST = "store_lost"
FRONTIER_LOST = "frontier_lost"

_runs: WeakKeyDictionary[Crawler, CrawlSession] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ScoredLink:
    """A link of a page with its score: what the spider turns into a request."""

    link: MergedLink
    evidence: LinkEvidence


@dataclass(slots=True)
class Progress:
    """Running counts of one crawl; the identities between them are in docs/stats.md."""

    pages: int = 0
    """HTML pages fetched and analysed."""
    relevant: int = 0
    """Pages at or above the topic's threshold."""
    stored: int = 0
    dropped: int = 0
    failed: int = 0
    outcomes: int = 0

    @property
    def harvest_rate(self) -> float:
        """Relevant pages over pages fetched, in [0, 1]; 0 before the first page."""
        return self.relevant / self.pages if self.pages else 0.0

    def next_outcome(self) -> int:
        """Return the next position in the order of outcomes, from 1."""
        self.outcomes += 1
        return self.outcomes


@dataclass(slots=True)
class CrawlSession:
    """One crawl of one topic."""

    topic: Topic
    config: CrawlSettings
    id: str
    started_at: datetime
    frontier: Frontier
    strategy: Strategy
    knowledge: CrawlJournal
    """What other workers and earlier runs have found, and what they are told."""
    reader: LinkReader
    gate: UrlFilter
    clock: Callable[[], float] = time.time
    """Wall-clock seconds: leases and retry times survive a restart."""
    progress: Progress = field(default_factory=Progress)
    wake: Callable[[], None] = lambda: None
    """Makes the engine ask its scheduler again."""
    stop: Callable[[str], None] = lambda reason: None
    """Asks the engine to close the spider with this reason; returns at once."""
    flush_links: Callable[[], None] = lambda: None
    """Brings links that wait in the scheduler into the frontier; set by the scheduler."""
    closed_until: Callable[[str, float], float | None] = lambda host, now: None
    """When the time window of a host opens, ``None`` while it is open."""
    start_error: Exception | None = None
    """Why the run could not start; the crawl command says it."""
    resumed: bool = False
    """The frontier held something when the run began: another worker's or an earlier run's."""
    store_lost: bool = False
    """Neither the store nor the spool can be written: what is fetched from now on would be lost."""
    writer: StoreWriter | None = None
    """Set by the store pipeline while it is open; ``None`` when nothing is stored."""
    unparsed: WeakSet[Response] = field(default_factory=WeakSet)
    """Pages whose links are scored but not queued yet: the next link to fetch may be among them."""
    _analyses: WeakKeyDictionary[Response, PageAnalysis] = field(default_factory=WeakKeyDictionary)
    _scored: WeakKeyDictionary[Response, list[ScoredLink]] = field(
        default_factory=WeakKeyDictionary
    )
    _evidence: OrderedDict[str, LinkEvidence] = field(default_factory=OrderedDict)
    _final_size: FrontierSize | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlSession:
        """Return the crawler's run; make it from TOPICCRAWL_TOPIC when the spider has not.

        Raises :class:`ConfigurationError` when no topic is given.
        """
        run = _runs.get(crawler)
        if run is None:
            name = TopicSettings.from_settings(crawler.settings).topic
            if not name:
                raise ConfigurationError(
                    "no topic is given: use the topic spider (-a topic=…) or set TOPICCRAWL_TOPIC"
                )
            run = cls.start(crawler, find_definition(name))
        return run

    @classmethod
    def started(cls, crawler: Crawler) -> bool:
        """Whether this crawl has a topic, so that its parts have work to do."""
        return crawler in _runs or bool(TopicSettings.from_settings(crawler.settings).topic)

    @classmethod
    def start(
        cls, crawler: Crawler, definition: TopicDefinition, *, fresh: bool = False
    ) -> CrawlSession:
        """Learn the topic, make the run of *crawler* and remember it.

        It goes on where an earlier run of the topic stopped, unless *fresh* erases that run's queue.
        """
        config = CrawlSettings.from_settings(crawler.settings)
        if config.relevance_threshold:
            thresholds = replace(definition.thresholds, relevance=config.relevance_threshold)
            definition = replace(definition, thresholds=thresholds)
        topic = Topic.learn(definition)
        started = datetime.now(UTC)
        try:
            strategy = make_strategy(
                config.strategy,
                config.strategy_config(definition.thresholds.link),
            )
        except ConfigurationError as error:
            raise ConfigurationError(f"TOPICCRAWL_STRATEGY: {error}") from error
        reader = make_reader(topic, config, [strategy])
        opened = open_frontier(
            topic.name, config, lambda: _redis_client(crawler.settings), fresh=fresh
        )
        frontier = guarded(opened.frontier, sqlite3.Error, _frontier_loser(crawler))
        run = cls(
            topic=topic,
            config=config,
            id=_run_id(topic.name, started),
            started_at=started,
            frontier=frontier,
            clock=opened.clock,
            strategy=strategy,
            knowledge=CrawlJournal(frontier.journal, on_page=strategy.score),
            reader=reader,
            gate=UrlFilter(
                config.trap_rules,
                opened.clock,
                learn_parameters=config.learn_parameters,
                pattern_pages=config.pattern_pages,
                count=_counter(crawler),
            ),
            wake=_waker(crawler),
            stop=_stopper(crawler),
        )
        _runs[crawler] = run
        return run

    def analyse(self, response: Response) -> PageAnalysis:
        """Return the analysis of *response*, made at the first call and kept as long as the response."""
        analysis = self._analyses.get(response)
        if analysis is None:
            header = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
            evidence = response.request.meta.get(EVIDENCE) if response.request else None
            page = Page(
                response.url,
                response.body,
                declared_charset=http_content_type_encoding(header),
                content_type=header,
                anchor_hint=evidence.anchor if isinstance(evidence, LinkEvidence) else "",
                extractor=self.config.body_extractor,
                now=datetime.now(UTC),
            )
            analysis = PageAnalysis(
                page,
                self.topic,
                self.reader,
                canonical_url,
                follow_nofollow=self.config.follow_nofollow,
                gate=self.gate,
            )
            self._analyses[response] = analysis
        return analysis

    def keep_scored(self, response: Response, links: list[ScoredLink]) -> None:
        """Remember the scored links of *response* until its spider callback has queued them."""
        self._scored[response] = links
        self.unparsed.add(response)
        for scored in links:
            self._evidence[scored.link.canonical] = scored.evidence
        while len(self._evidence) > _PENDING_EVIDENCE:
            self._evidence.popitem(last=False)

    def scored_links(self, response: Response) -> list[ScoredLink]:
        """Return the links of *response* that are new to the frontier, best evidence attached."""
        return self._scored.get(response, [])

    def parsed(self, response: Response) -> None:
        """The spider has yielded everything that *response* leads to: the next link can be chosen.

        In the next turn of the event loop: Scrapy takes up to eight requests ahead, and its workers,
        which are due before, still have to schedule them.
        """
        self._scored.pop(response, None)
        try:
            asyncio.get_running_loop().call_soon(self._choose_again, response)
        except RuntimeError:  # no event loop, nobody ahead
            self._choose_again(response)

    def _choose_again(self, response: Response) -> None:
        self.unparsed.discard(response)
        if not self.unparsed:
            self.wake()

    def frontier_size(self) -> FrontierSize:
        """Return the frontier's counts; after its closing those it was closed with."""
        return self.frontier.size() if self._final_size is None else self._final_size

    def close_frontier(self, reason: str) -> None:
        """Close the frontier, once nothing is in flight any more; *reason* is the spider's."""
        size = self.frontier_size()
        if self._final_size is None:
            self._final_size = size
            if reason == "finished" and not (size.queued or size.delayed or size.leased):
                self.knowledge.publish_finished()
            self.frontier.close()

    def cannot_start(self, error: Exception) -> CloseSpider:
        """Note why the run cannot start; return what the component that found out must raise.

        Any other exception would leave the crawl half open, and Scrapy would close it with a
        traceback of its own.
        """
        self.start_error = error
        logger.error("The run cannot start: %(error)s", {"error": error})
        return CloseSpider(CANNOT_START)

    def lose_store(self, error: Exception) -> None:
        """Stop the crawl, once: its pages can be kept nowhere."""
        if not self.store_lost:
            self.store_lost = True
            logger.error("The crawl stops, its pages cannot be kept: %(error)s", {"error": error})
            self.stop(STORE_LOST)

    def lose_frontier(self, error: Exception) -> None:
        """Stop the crawl: what it finds can be queued nowhere."""
        logger.error("The crawl stops, its queue cannot be written: %(error)s", {"error": error})
        self.stop(FRONTIER_LOST)

    def take_evidence(self, canonical: str) -> LinkEvidence | None:
        """Return the evidence for a link that is being scheduled, once."""
        return self._evidence.pop(canonical, None)


def _redis_client(settings: BaseSettings) -> redis.Redis:
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from scrapy_redis.connection import get_redis_from_settings

    client: redis.Redis = get_redis_from_settings(settings)
    return client


def _counter(crawler: Crawler) -> Callable[[str], None]:
    reference = ref(crawler)

    def count(what: str) -> None:
        alive = reference()
        if alive is not None:
            alive.stats.inc_value(f"topiccrawl/{what}")

    return count


def _waker(crawler: Crawler) -> Callable[[], None]:
    # A strong reference from the value would keep the key of _runs alive for ever.
    reference = ref(crawler)

    def wake() -> None:
        alive = reference()
        if alive is not None:
            wake_engine(alive)

    return wake


def _frontier_loser(crawler: Crawler) -> Callable[[Exception], None]:
    reference = ref(crawler)

    def lose(error: Exception) -> None:
        alive = reference()
        run = _runs.get(alive) if alive is not None else None
        if run is None:
            raise ConfigurationError(f"the frontier cannot be used: {error}") from error
        run.lose_frontier(error)

    return lose


def _stopper(crawler: Crawler) -> Callable[[str], None]:
    reference = ref(crawler)
    closing: list[asyncio.Future[None]] = []

    def stop(reason: str) -> None:
        alive = reference()
        if alive is not None and alive.engine is not None and not closing:
            # Closing waits for the very items whose pipelines ask for it: never awaited here.
            closing.append(asyncio.ensure_future(alive.engine.close_spider_async(reason=reason)))

    return stop


def _run_id(topic: str, started: datetime) -> str:
    stamp = started.strftime("%Y%m%dT%H%M%S")
    unique = hashlib.blake2b(
        f"{topic}\x00{started.isoformat()}\x00{os.getpid()}".encode(), digest_size=4
    ).hexdigest()
    return f"{stamp}-{unique}"
