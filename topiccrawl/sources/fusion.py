"""Fusion of the results of engines and queries, weighted by the trust in each engine.

A page has the score Σ trust(e) / (60 + rank) over all its places in answers (reciprocal rank fusion,
Cormack, Clarke & Büttcher, SIGIR 2009), times the relevance of its title and snippet to the topic.

The trust in an engine is the product of three shares, each relative to the best engine's and shrunk
while little is known: results that other engines found, too; the relevance of titles and snippets; and,
once they were fetched, pages that the crawl kept.  An engine that is poisoned, or that serves
advertisements, fails in at least one of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.sources.results import Asked, Result, Source, Verdict

#: k of reciprocal rank fusion, as in its paper.
RANK_CONSTANT: Final = 60
#: Engines with less trust are not asked again: two answers that share nothing with any other engine's
#: (a guess; see ``python -m benchmarks.search``).
UNTRUSTED: Final = 0.25
#: Engines with less trust find nothing alone (a guess: less than that shares of one answer shows).
TRUSTED: Final = 0.5
#: Results, or fetched pages, that a share of an engine is shrunk by: half an answer, and few pages (guesses).
_PRIOR_RESULTS: Final = 4.0
_PRIOR_PAGES: Final = 3.0
#: What a share is supposed to be of which nothing is known.
_HALF: Final = 0.5
#: Results without any other engine's from which an engine is no evidence about the others: one answer.
_ALONE: Final = 10
#: Agreement of engines that have nothing in common: any of them may be the poisoned one (a guess, above
#: ``TRUSTED``: where there are only two, something must be fetched).
_UNDECIDED: Final = 0.6
#: Part of a score that does not depend on the title and the snippet (a guess).
_BLIND: Final = 0.2
#: Places of a page that its evidence names.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Gain:
    """What an answer has brought."""

    new: float = 0.0
    """Relevance of its new pages per ten results, at most 1."""
    relevant: float = 0.0
    """Relevance of all its results per ten, at most 1."""
    results: int = 0
    """Results that the engine had not listed for the question before: some give the same page for each number."""


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """Where a page was listed."""

    rank: int
    query: str
    page: int
    engine: str
    voter: str
    """The engine behind a metasearch engine, or the engine itself."""


@dataclass(slots=True)
class _Page:
    result: Result
    relevance: float
    places: list[_Place] = field(default_factory=list)
    kept: bool | None = None
    gone: bool = False

    def listed_for(self, query: str, engine: str) -> bool:
        return any((place.query, place.engine) == (query, engine) for place in self.places)

    def listed_by(self, engine: str) -> bool:
        return any(place.engine == engine for place in self.places)

    @property
    def voters(self) -> set[str]:
        return {place.voter for place in self.places}


class SourcePool:
    """All results of a topic.

    Parameters
    ----------
    canonical
        Canonical form of a URL.
    relevance
        Relevance of a text of one or two lines to the topic, in [0, 1].
    """

    def __init__(
        self, canonical: Callable[[str], str], relevance: Callable[[str, str], float]
    ) -> None:
        self._canonical = canonical
        self._relevance = relevance
        self._pages: dict[str, _Page] = {}
        self._answered: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        """Voters that have answered a page of a query."""
        self._trust: dict[str, float] | None = None
        self._agreement: dict[str, float] = {}
        """By engine, until the next answer: the planner asks for each of its candidates."""
        self._found: defaultdict[str, dict[str, float]] = defaultdict(dict)
        """Relevance of the results of each query, by URL."""

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, asked: Asked) -> Gain:
        """Add an answer; return what it has brought."""
        if asked.answer.verdict is not Verdict.GOOD:
            return Gain()
        self._trust = None
        self._agreement.clear()
        new = relevant = 0.0
        results = 0
        query = str(asked.question)
        # Ranks go on from page to page; ten results are usual.
        before = 10 * asked.page
        for rank, result in enumerate(asked.answer.results, 1 + before):
            url = self._canonical(result.url)
            page = self._pages.get(url)
            if page is None:
                relevance = min(1.0, max(0.0, self._relevance(result.title, result.snippet)))
                page = self._pages[url] = _Page(result, relevance)
                new += relevance
            self._found[query][url] = page.relevance
            relevant += page.relevance
            results += not page.listed_for(query, asked.engine)
            for voter in _voters(asked.engine, result):
                page.places.append(_Place(rank, query, asked.page, asked.engine, voter))
                self._answered[query, asked.page].add(voter)
        return Gain(min(1.0, new / 10), min(1.0, relevant / 10), results)

    def judge(self, url: str, kept: bool) -> None:
        """Record that the page at a canonical URL was fetched, and whether the crawl kept it."""
        if (page := self._pages.get(url)) is not None:
            page.kept = kept
            self._trust = None

    def lose(self, url: str) -> None:
        """Record that there is no page at a canonical URL."""
        if (page := self._pages.get(url)) is not None:
            page.gone, page.kept = True, False
            self._trust = None

    def trust(self, engine: str) -> float:
        """Return the trust in an engine, in [0, 1]; of a metasearch engine, in its best one."""
        voters = self._voter_trust()
        return max(
            (trust for voter, trust in voters.items() if voter.partition("/")[0] == engine),
            default=1.0,
        )

    def has(self, engine: str) -> bool:
        """Whether an engine has found anything."""
        return any(page.listed_by(engine) for page in self._pages.values())

    def agreement(self, engine: str) -> float:
        """Return the share of an engine's results that other engines found, too, of few near one half."""
        if engine not in self._agreement:
            mine = [page for page in self._pages.values() if page.listed_by(engine)]
            shared = sum(any(it.engine != engine for it in page.places) for page in mine)
            self._agreement[engine] = _shrunk(shared, len(mine))
        return self._agreement[engine]

    def relevance(self, query: str) -> float:
        """Return the mean relevance of the results of a query, of few near one half."""
        found = self._found.get(query, {})
        return _shrunk(sum(found.values()), len(found))

    def sources(self, most: int | None = None) -> list[Source]:
        """Return the best pages, best first, without those that are gone."""
        trust = self._voter_trust()
        scored = [
            (self._score(page, trust), url, page)
            for url, page in self._pages.items()
            if not page.gone and max(trust[v] for v in page.voters) >= TRUSTED
        ]
        scored.sort(key=lambda it: (-it[0], it[1]))
        return [self._source(score, url, page) for score, url, page in scored[:most]]

    def probes(self, each: int) -> list[Source]:
        """Return the first results of engines that only their lack of agreement speaks against.

        Fetching a few of them shows whether such an engine is poisoned, or knows pages of its own.
        """
        trust = self._voter_trust()
        chosen: list[Source] = []
        taken: Counter[str] = Counter()
        for url, page in sorted(self._pages.items(), key=lambda it: min(it[1].places)):
            voter = max(page.voters, key=lambda it: trust[it])
            if trust[voter] < TRUSTED and page.relevance >= 0.5 and taken[voter] < each:
                taken[voter] += 1
                if page.kept is None and not page.gone:
                    chosen.append(self._source(0.0, url, page))
        return chosen

    def texts(self, most: int) -> list[str]:
        """Return titles and snippets of the best pages."""
        return [
            f"{page.result.title}\n{page.result.snippet}"
            for source in self.sources(most)
            if (page := self._pages[source.url]).relevance > 0
        ]

    # -- inside --------------------------------------------------------------------------------

    def _score(self, page: _Page, trust: Mapping[str, float]) -> float:
        best: dict[tuple[str, str, str], float] = {}
        for place in page.places:
            key = (place.query, place.engine, place.voter)
            share = trust[place.voter] / (RANK_CONSTANT + place.rank)
            best[key] = max(best.get(key, 0.0), share)
        return sum(best.values()) * (_BLIND + (1 - _BLIND) * page.relevance)

    def _source(self, score: float, url: str, page: _Page) -> Source:
        named = sorted({(it.rank, it.query, it.voter.replace("/", " / ")) for it in page.places})
        found = tuple((query, voter, rank) for rank, query, voter in named[:_NAMED])
        return Source(url, page.result.url, page.result.title, score, found)

    def _voter_trust(self) -> Mapping[str, float]:
        if self._trust is None:
            self._trust = self._trusts()
        return self._trust

    @property
    def undecided(self) -> bool:
        """Whether engines were compared and have nothing in common: one of them may be poisoned."""
        compared, shared = self._agreements()
        return len(compared) > 1 and not shared.total()

    def _agreements(
        self, without: AbstractSet[str] = frozenset()
    ) -> tuple[Counter[str], Counter[str]]:
        """Count each voter's results that could be shared, and those that are.

        A result could be shared if another voter was asked for the same page of the same query; those in
        *without* do not count as others.
        """
        compared: Counter[str] = Counter()
        shared: Counter[str] = Counter()
        for page in self._pages.values():
            comparable = {
                it.voter
                for it in page.places
                if self._answered[it.query, it.page] - without - {it.voter}
            }
            compared.update(comparable)
            if len(page.voters - without) > 1:
                shared.update(comparable)
        return compared, shared

    def _trusts(self) -> dict[str, float]:
        compared, shared = self._agreements()
        undecided = len(compared) > 1 and not shared.total()
        alone = {voter for voter, of in compared.items() if of >= _ALONE and not shared[voter]}
        if alone and not undecided:
            # An engine without shared results is no evidence about the others.
            compared, shared = self._agreements(alone)
        count: Counter[str] = Counter()
        relevance: defaultdict[str, float] = defaultdict(float)
        fetched: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        for page in self._pages.values():
            count.update(page.voters)
            for voter in page.voters:
                relevance[voter] += page.relevance
                if page.kept is not None:
                    fetched[voter] += 1
                    kept[voter] += page.kept
        agreed = _relative(shared, compared, _PRIOR_RESULTS)
        # Titles are easily forged: only those whom others agree with set the measure.
        measure = count.keys() - alone if alone and not undecided else count.keys()
        fitting = _relative(relevance, count, _PRIOR_RESULTS, measure)
        good = _relative(kept, fetched, _PRIOR_PAGES)
        trust = {}
        for voter in count:
            agreement = agreed.get(voter, 1.0)
            if undecided and voter in compared:
                agreement = _UNDECIDED
            # Pages that were kept speak louder than other engines.
            known = fetched[voter] / (fetched[voter] + _PRIOR_PAGES)
            trust[voter] = agreement ** (1 - known) * fitting[voter] * good.get(voter, 1.0)
        return trust


def _voters(engine: str, result: Result) -> Iterable[str]:
    return [f"{engine}/{name}" for name in dict.fromkeys(result.engines)] or [engine]


def _shrunk(hits: float, total: int) -> float:
    """Return the share of *hits*, of few results near one half."""
    return (hits + _HALF * _PRIOR_RESULTS) / (total + _PRIOR_RESULTS)


def _relative(
    hits: Mapping[str, float],
    totals: Mapping[str, int],
    prior: float,
    measure: AbstractSet[str] | None = None,
) -> dict[str, float]:
    """Return each one's share of hits, shrunk toward the best one's and relative to it, in [0, 1].

    The best one is sought in *measure*, if given.
    """
    shares = [
        hits[name] / total
        for name, total in totals.items()
        if total and (measure is None or name in measure)
    ]
    best = max(shares, default=0.0)
    if best <= 0:
        return dict.fromkeys(totals, 1.0)
    return {
        name: min(1.0, (hits[name] + prior * best) / (total + prior) / best)
        for name, total in totals.items()
    }
