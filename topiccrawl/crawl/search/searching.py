"""The search of one crawl: rounds of queries, and the sources that they bring.

One worker searches, the one that leads; the others read what it asked in the journal.  The first round
begins with the crawl and runs beside it; later ones ask with words that the crawl has learned.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from scrapy import Request

from topiccrawl import details
from topiccrawl.crawl.journal.queries import SearchEntry
from topiccrawl.crawl.requests.meta import EVIDENCE, SCORE
from topiccrawl.crawl.search.shared import SharedRests
from topiccrawl.details import translated
from topiccrawl.language import _, ngettext, user_language
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.sources.descriptions import host_of_engine
from topiccrawl.sources.engine import Engine
from topiccrawl.sources.fusion import SourcePool
from topiccrawl.sources.planner import Plan, QueryPlanner, Wait
from topiccrawl.sources.queries import Query, learned_queries, site_queries, topic_queries
from topiccrawl.sources.rests import EngineRests
from topiccrawl.sources.results import Answer, Source, Verdict
from topiccrawl.topics.topic import Topic, idf_table
from topiccrawl.urls.canonical import canonical_url

logger = logging.getLogger(__name__)


def source_request(source: Source) -> Request:
    """Return the request for a source: before all links of pages, the best sources first."""
    evidence = LinkEvidence(
        SEED_SCORE + source.score,
        {"search": source.score},
        anchor=source.title,
        found_by=found_by(source),
    )
    return Request(source.written, meta={SCORE: evidence.score, EVIDENCE: evidence})


#: Share of the budget for the first round; the others are for words that the crawl learns (a guess: on a
#: stored web of manuals whose pages hardly link to each other, what the search does not find is not found).
FIRST_SHARE: Final = 0.8
#: Share of the budget for each later round.
LATER_SHARE: Final = 0.1
#: A round ends when all engines rest for longer; in seconds, with and without any source (guesses: a
#: crawl that has pages to fetch need not wait, one without has nothing else to do).
_PATIENCE: Final = 120.0
_PATIENCE_WITHOUT: Final = 900.0
#: Tries of a round after which nobody waits for an engine that cannot be reached: its server may only be
#: starting (a choice).
_TRIES_UNREACHED: Final = 2
#: Longest time that links of pages wait for the first round of a crawl without seeds, in seconds (a guess: 32
#: queries to a single engine at the usual interval).
_HELD: Final = 180.0
#: Longest sleep between two looks at whether the crawl stops.
_NAP: Final = 1.0
#: Best pages whose words and hosts make further queries, and such queries at a time (guesses).
_LEARN_FROM: Final = 30
_LEARN_WORDS: Final = 12
#: Pages of a doubtful engine that are tried.
_PROBES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchingCrawl:
    """What a search needs of the crawl, or of the command, that searches."""

    publish: Callable[[SearchEntry], object]
    """Writes an entry into the journal, which passes it to :meth:`SourceSearch.receive`."""
    clock: Callable[[], float]
    allows: Callable[[str], bool] = lambda url: True
    """Whether a canonical URL may be queued."""
    leads: Callable[[], bool] = lambda: True
    """Whether this worker is the one that searches."""
    stopping: Callable[[], bool] = lambda: False
    count: Callable[[str, int], object] = lambda name, number: None
    """Counts a statistic."""
    shared: SharedRests = field(default_factory=lambda: SharedRests(None))
    """Rests of engines in other crawls and commands."""


class SourceSearch:
    """Asks engines under a budget and yields sources.

    There is at least one of *engines*.  *relevance* returns that of title and snippet, in [0, 1]; *ask* sends a query
    and never raises.  *budget* are the queries of the topic, *rest_seconds* is the first rest of an engine.
    """

    def __init__(
        self,
        topic: Topic,
        engines: Sequence[Engine],
        crawl: SearchingCrawl,
        *,
        relevance: Callable[[str, str], float],
        ask: Callable[[Plan], Awaitable[Answer]],
        budget: int,
        most_sources: int,
        rest_seconds: float,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._topic = topic
        self.engines = engines
        self._crawl = crawl
        self._ask = ask
        self._most_sources = most_sources
        self._sleep = sleep
        self._relevance = relevance
        self._rests = EngineRests(rest_seconds)
        self._budget = budget
        self._released: dict[str, Source] = {}
        self._began: float | None = None
        self._unreached: Counter[str] = Counter()
        """Tries in a row that did not reach an engine; one that may not be asked counts as given up."""
        self._forget()

    def _forget(self) -> None:
        """Begin with an empty pool and the topic's own queries; engines that rest go on resting."""
        self.pool = SourcePool(canonical_url, self._relevance)
        self.planner = QueryPlanner(self.engines, self.pool, self._rests, self._budget)
        self.planner.extend(topic_queries(self._topic.definition))

    @property
    def released(self) -> Sequence[Source]:
        """Sources that were given to the crawl, in order."""
        return tuple(self._released.values())

    def receive(self, entry: SearchEntry) -> None:
        """Read an entry of the journal, also one of this worker's own."""
        if entry.is_reset:
            self._forget()
            return
        if entry.answer is None:
            self.planner.begin(entry.engine, entry.question, entry.page)
            return
        rest = self.planner.add(entry.asked())
        match entry.answer.verdict:
            case Verdict.UNREACHABLE:
                self._unreached[entry.engine] += 1
            case Verdict.FORBIDDEN:
                self._unreached[entry.engine] = _TRIES_UNREACHED
            case _:
                self._unreached.pop(entry.engine, None)
        self._crawl.count(f"search/{entry.answer.verdict}", 1)
        if rest:
            self._crawl.count("search/rests", 1)

    def judge(self, url: str, kept: bool) -> None:
        """Record whether the crawl kept the page at a canonical URL."""
        self.pool.judge(url, kept)

    def lose(self, url: str) -> None:
        """Record that there is no page at a canonical URL."""
        self.pool.lose(url)

    # -- rounds --------------------------------------------------------------------------------

    async def first_round(self) -> AsyncIterator[list[Source]]:
        """Ask with the topic's own words; yield new sources after each answer, best first.

        The first ones come when engines were compared: only then is it known which can be trusted.
        """
        self._began = self._crawl.clock()
        try:
            async for sources in self._round(max(1, round(FIRST_SHARE * self.planner.budget))):
                yield sources
        finally:
            self._began = None

    @property
    def starting(self) -> bool:
        """Whether the first round is under way and better pages than links may still come."""
        return self._began is not None and self._crawl.clock() - self._began < _HELD

    async def later_round(self, texts: Iterable[str]) -> AsyncIterator[list[Source]]:
        """Ask with words of *texts*, of pages that the crawl kept, too; yield new sources."""
        found = learned_queries(self._topic, list(texts), idf_table().idf, _LEARN_WORDS)
        self.planner.extend(found)
        more = max(1, round(LATER_SHARE * self.planner.budget))
        async for sources in self._round(self.planner.spent + more):
            yield sources

    @property
    def spent(self) -> bool:
        """Whether no query is left."""
        return self.planner.spent >= self.planner.budget

    @property
    def fruitless(self) -> bool:
        """Whether this worker has searched, and found no source."""
        return not self._released and self._crawl.leads()

    @property
    def _given_up(self) -> bool:
        """Whether no engine can be reached, after several tries."""
        return all(self._unreached[it.name] >= _TRIES_UNREACHED for it in self.engines)

    async def _round(self, budget: int) -> AsyncIterator[list[Source]]:
        for name in self._unreached:
            # Its server may have been started since, and another try does no harm.
            self._rests.end(name)
        self._unreached.clear()
        while self._crawl.leads() and not self._crawl.stopping():
            now = self._crawl.clock()
            self._crawl.shared.read_into(self._rests, now)
            plan = self.planner.next(now, budget)
            if plan is None and self._learn():
                continue
            if plan is None:
                break
            if isinstance(plan, Wait):
                if not await self._wait(plan.until):
                    break
                continue
            await self._send(plan)
            if not self.planner.comparing and (sources := self._release()):
                yield sources
        if sources := self._release():
            yield sources

    async def _send(self, plan: Plan) -> None:
        engine, question = plan.engine.name, plan.question
        self._crawl.publish(SearchEntry(engine, question, plan.page, self._crawl.clock()))
        self._crawl.shared.write(engine, self._rests, self._crawl.clock() + plan.engine.interval)
        self._crawl.count("search/queries", 1)
        answer = await self._ask(plan)
        self._crawl.publish(SearchEntry(engine, question, plan.page, self._crawl.clock(), answer))
        if answer.verdict.sent:
            self._crawl.shared.write(engine, self._rests)
        self._report(plan, answer)
        if answer.verdict is Verdict.GOOD:
            self._learn()

    async def _wait(self, until: float) -> bool:
        """Wait until an engine may be asked again; return whether that came about."""
        if self._given_up:
            return False
        wait = until - self._crawl.clock()
        most = _PATIENCE if self._released else _PATIENCE_WITHOUT
        if wait > most:
            return False
        while (wait := until - self._crawl.clock()) > 0:
            if self._crawl.stopping():
                return False
            await self._sleep(min(wait, _NAP))
        return True

    def _learn(self) -> bool:
        """Add queries made of what was found; return whether any is new."""
        if len(self.pool) < _LEARN_FROM // 3:
            return False
        found: list[Query] = []
        first = next((q.question.words for q in self.planner.queries if q.family == "word"), "")
        if first:
            urls = [source.url for source in self.pool.sources(_LEARN_FROM)]
            found += site_queries(first, urls)
        texts = self.pool.texts(_LEARN_FROM)
        found += learned_queries(self._topic, texts, idf_table().idf, _LEARN_WORDS)
        return self.planner.extend(found) > 0

    # -- sources -------------------------------------------------------------------------------

    def _release(self) -> list[Source]:
        """Return the sources that were not returned before, best first."""
        best = [*self.pool.sources(self._most_sources), *self.pool.probes(_PROBES)]
        room = self._most_sources - len(self._released)
        new = [it for it in best if it.url not in self._released and self._crawl.allows(it.url)][
            :room
        ]
        self._released.update((source.url, source) for source in new)
        if new:
            self._crawl.count("search/sources", len(new))
        return new

    def _report(self, plan: Plan, answer: Answer) -> None:
        """Log what an engine answered; refusals so that the user sees them."""
        values = {
            "engine": plan.engine.name,
            "query": str(plan.question),
            "count": len(answer.results),
            "detail": translated(answer.detail, user_language()),
            "seconds": max(0, round(self._rests.until(plan.engine.name) - self._crawl.clock())),
        }
        if answer.verdict is Verdict.FORBIDDEN:
            logger.warning(
                _("Search engine %(engine)s is not asked: %(detail)s"),
                values,
            )
        elif answer.verdict is Verdict.UNREACHABLE:
            values["host"] = host_of_engine(plan.engine)
            if self._given_up:
                logger.warning(
                    _("Search engine %(engine)s cannot be reached at %(host)s: %(detail)s"), values
                )
            else:
                logger.warning(
                    _("Search engine %(engine)s cannot be reached at %(host)s: %(detail)s; does it "
                      "run there? It is tried again in %(seconds)d s"),
                    values,
                )  # fmt: skip
        elif answer.verdict.rests:
            logger.warning(
                _("Search engine %(engine)s gave no results for %(query)s (%(detail)s); it rests "
                  "for %(seconds)d s"),
                values,
            )  # fmt: skip
        else:
            logger.info(
                ngettext(
                    "Search engine %(engine)s: %(count)d result for %(query)s",
                    "Search engine %(engine)s: %(count)d results for %(query)s",
                    len(answer.results),
                ),
                values,
            )


def found_by(source: Source) -> str:
    """Return how a source was found, a line for each query: the form of ``found_by``."""
    return "\n".join(
        details.FOUND_BY_QUERY(query=query, engine=engine, rank=rank)
        for query, engine, rank in source.found
    )
