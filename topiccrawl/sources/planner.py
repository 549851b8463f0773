"""Which query is sent to which engine next, under a budget.

Every query at every engine, and the next page of one whose results were relevant, is worth: trust in the
engine times prior of the query times how much the query's family has brought so far times how much of it
will be new.  The best is asked; engines that rest are passed over.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from topiccrawl.sources.engine import Engine, Question
from topiccrawl.sources.fusion import TRUSTED, UNTRUSTED, Gain, SourcePool
from topiccrawl.sources.queries import Family, Query
from topiccrawl.sources.rests import EngineRests
from topiccrawl.sources.results import Asked, Verdict

#: Nothing worth less is asked (a guess: a third of a result that is relevant and new).
LEAST_VALUE: Final = 0.03
#: Attempts without any good answer after which no comparison waits for an engine.
_DEAD: Final = 4
#: Longest rest that is waited for in order to compare engines, in seconds (a guess: two refusals).
_PATIENCE: Final = 300.0
#: Added to the value of a query that shows which engine can be trusted: it comes before all others.
_OPINION: Final = 10.0
#: What is expected of a family of queries before it was tried: half of the results are new and relevant.
_EXPECTED: Final = 0.5
_EXPECTED_WEIGHT: Final = 2.0
#: The next page brings less than the one before (a guess).
_NEXT_PAGE: Final = 0.85
#: Bad answers after which a query is not tried again at an engine.
_TRIES: Final = 3
#: An empty answer counts as so many: it is more often true than an accident.
_EMPTY_TRIES: Final = 2
#: Part of the value of a query that is left after an empty answer (a guess).
_AFTER_EMPTY: Final = 0.5
#: A page with fewer results than this share of a full one is the last (a guess: engines drop some).
_FULL: Final = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask next."""

    engine: Engine
    question: Question
    page: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing can be asked before *until*, in seconds of the crawl's clock: engines rest."""

    until: float


class QueryPlanner:
    """Plans queries from what was asked before, by any worker."""

    def __init__(
        self, engines: Sequence[Engine], pool: SourcePool, rests: EngineRests, budget: int
    ) -> None:
        self._engines = {engine.name: engine for engine in engines}
        self._pool = pool
        self._rests = rests
        self.budget = budget
        """Queries of the whole crawl, sent to any engine."""
        self._queries: dict[Question, Query] = {}
        self._asked: dict[tuple[str, Question, int], int] = {}
        self._gains: dict[tuple[str, Question, int], Gain] = {}
        self._families: defaultdict[Family, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._forbidden: set[str] = set()
        self._attempts: Counter[str] = Counter()
        self._begun: set[tuple[str, Question, int]] = set()
        self._now: float | None = None
        """When it was last asked what is next."""
        self.spent = 0
        """Queries sent, by any worker."""

    @property
    def queries(self) -> Sequence[Query]:
        """All queries, asked or not."""
        return tuple(self._queries.values())

    def extend(self, queries: Iterable[Query]) -> int:
        """Add queries that are new; return how many are."""
        new = [query for query in queries if query.question not in self._queries]
        self._queries.update((query.question, query) for query in new)
        return len(new)

    def add(self, asked: Asked) -> float:
        """Count a query that was sent and its answer; return the seconds for which the engine rests."""
        verdict = asked.answer.verdict
        if verdict is Verdict.FORBIDDEN:
            self._forbidden.add(asked.engine)
        key = (asked.engine, asked.question, asked.page)
        if key in self._begun:
            self._begun.discard(key)
            self._asked[key] -= _TRIES
            self.spent -= 1
        self.spent += verdict.sent
        # Whoever cannot be reached at all is given up sooner.
        self._attempts[asked.engine] += 2 if verdict is Verdict.UNREACHABLE else 1
        self._asked[key] = self._asked.get(key, 0) + _tries(asked)
        if verdict is Verdict.GOOD or verdict is Verdict.NONE:
            gain = self._gains[key] = self._pool.add(asked)
            query = self._queries.get(asked.question)
            if query is not None and not asked.page:
                family = self._families[query.family]
                family[0] += gain.new
                family[1] += 1
        engine = self._engines.get(asked.engine)
        return self._rests.add(asked, 0.0 if engine is None else engine.interval)

    def begin(self, engine: str, question: Question, page: int) -> None:
        """Count a query as sent before it is: whoever dies before the answer has asked all the same."""
        key = (engine, question, page)
        if key not in self._begun:
            self._begun.add(key)
            self._asked[key] = self._asked.get(key, 0) + _TRIES
            self.spent += 1

    def next(self, now: float, budget: int | None = None) -> Plan | Wait | None:
        """Return what to ask; ``None`` when nothing is worth it or the budget is spent."""
        self._now = now
        if self.spent >= min(self.budget, self.budget if budget is None else budget):
            return None
        best: tuple[float, Plan] | None = None
        until: float | None = None
        opinion: float | None = None
        for value, plan in self._candidates():
            if value < LEAST_VALUE:
                continue
            ready = self._rests.until(plan.engine.name)
            if ready > now:
                until = ready if until is None else min(until, ready)
                if value >= _OPINION:
                    opinion = ready if opinion is None else min(opinion, ready)
            elif best is None or value > best[0]:
                best = (value, plan)
        if (
            opinion is not None
            and opinion <= now + _PATIENCE
            and (best is None or best[0] < _OPINION)
            and self.comparing
        ):
            # Better wait for the comparison than spend queries on whom it may rule out.
            return Wait(opinion)
        if best is not None:
            return best[1]
        return None if until is None else Wait(until)

    @property
    def comparing(self) -> bool:
        """Whether it is not known yet which engines can be trusted, and soon will be."""
        uncompared = self.uncompared()
        if any(self._pool.has(name) for name in uncompared):
            return True
        return self._pool.undecided and any(not self._pool.has(name) for name in uncompared)

    def uncompared(self) -> set[str]:
        """Return the engines whose results no other engine's can be compared with yet.

        Empty as long as no other engine is there to compare with: one that rests for long is not.
        """
        answered = self._answered()
        alive = [
            name
            for name in self._engines
            if name not in self._forbidden
            and not self._rests_long(name)
            and (self._attempts[name] < _DEAD or any(name in names for names in answered.values()))
        ]
        if len(alive) < 2:
            return set()
        return {
            name
            for name in alive
            if not any(name in names and len(names) > 1 for names in answered.values())
        }

    # -- inside --------------------------------------------------------------------------------

    def _answered(self) -> Mapping[Question, set[str]]:
        """Return the engines that have answered the first page of each question."""
        answered: defaultdict[Question, set[str]] = defaultdict(set)
        for name, question, page in self._gains:
            if not page:
                answered[question].add(name)
        return answered

    def _rests_long(self, name: str) -> bool:
        return self._now is not None and self._rests.until(name) > self._now + _PATIENCE

    def _candidates(self) -> Iterator[tuple[float, Plan]]:
        answered = self._answered()
        uncompared = self.uncompared()
        undecided = self._pool.undecided
        for name, engine in self._engines.items():
            trust = self._pool.trust(name)
            if name in self._forbidden or trust < UNTRUSTED:
                continue
            has_answered = any(name in names for names in answered.values())
            for question, query in self._queries.items():
                page = self._next_page(engine, question)
                others = answered.get(question, set()) - {name}
                if page is None or (name in uncompared and not others and has_answered):
                    continue
                if trust < TRUSTED and (page or not others):
                    continue  # more results that no other engine has
                value = trust * query.prior * self._family(query.family)
                if self._asked.get((name, question, page), 0) >= _EMPTY_TRIES:
                    value *= _AFTER_EMPTY
                if page:
                    value *= _NEXT_PAGE * self._gains[name, question, page - 1].relevant / _EXPECTED
                    if any((other, question, page) in self._gains for other in others):
                        value *= 1 - self._pool.agreement(name)
                elif others and name not in uncompared:
                    value *= (1 - self._pool.agreement(name)) * self._pool.relevance(str(question))
                elif others:
                    # Agreement shows which engine can be trusted: compare them first.
                    value += _OPINION
                if undecided and not has_answered:
                    value += _OPINION  # a third one
                yield value, Plan(engine, question, page)

    def _next_page(self, engine: Engine, question: Question) -> int | None:
        for page in range(engine.most_pages):
            key = (engine.name, question, page)
            if self._asked.get(key, 0) < _TRIES:
                return page
            gain = self._gains.get(key)
            if gain is None or gain.results < _FULL * engine.page_size:
                return None
        return None

    def _family(self, family: Family) -> float:
        """Return what a family brings, relative to what is expected."""
        gain, count = self._families[family]
        mean = (gain + _EXPECTED_WEIGHT * _EXPECTED) / (count + _EXPECTED_WEIGHT)
        return mean / _EXPECTED


def _tries(asked: Asked) -> int:
    """Return as how many tries an answer counts."""
    match asked.answer.verdict:
        case Verdict.NONE if asked.page:
            return _EMPTY_TRIES  # the page before was full
        case Verdict.GOOD | Verdict.NONE:
            return _TRIES
        case Verdict.EMPTY:
            # A site may have no such page: not asked again.
            return _TRIES if asked.question.site else _EMPTY_TRIES
        case _:
            return 1
