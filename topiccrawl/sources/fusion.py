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
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.sources.results import Asked, Result, Source, Verdict

__all__ = ["RANK_CONSTANT", "UNTRUSTED", "SourcePool"]

#: k of reciprocal rank fusion, as in its paper.
RANK_CONSTANT: Final = 60
#: Engines with less trust find nothing alone, and are not asked again (a guess; see
#: ``python -m benchmarks.search``).
UNTRUSTED: Final = 0.25
#: Results, or fetched pages, that a share of an engine is shrunk by: half an answer, and few pages (guesses).
_PRIOR_RESULTS: Final = 5.0
_PRIOR_PAGES: Final = 3.0
#: Part of a score that does not depend on the title and the snippet (a guess).
_BLIND: Final = 0.2
#: Places of a page that its evidence names.
_NAMED: Final = 3


@dataclass(slots=True)
class _Page:
    result: Result
    relevance: float
    places: list[tuple[str, str, str, int]] = field(default_factory=list)
    """Query, engine, voter (the engine behind a metasearch engine) and rank."""
    kept: bool | None = None
    gone: bool = False

    @property
    def voters(self) -> set[str]:
        return {voter for _, _, voter, _ in self.places}


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
        self._trust: dict[str, float] | None = None

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, asked: Asked) -> float:
        """Add an answer; return its gain: the relevance of its new pages per ten results, at most 1."""
        if asked.answer.verdict is not Verdict.GOOD:
            return 0.0
        self._trust = None
        gain = 0.0
        query = str(asked.question)
        # Ranks go on from page to page; ten results are usual.
        before = 10 * asked.page
        for rank, result in enumerate(asked.answer.results, 1 + before):
            url = self._canonical(result.url)
            page = self._pages.get(url)
            if page is None:
                relevance = min(1.0, max(0.0, self._relevance(result.title, result.snippet)))
                page = self._pages[url] = _Page(result, relevance)
                gain += relevance
            for voter in _voters(asked.engine, result):
                page.places.append((query, asked.engine, voter, rank))
        return min(1.0, gain / 10)

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
        return any(e == engine for page in self._pages.values() for _, e, _, _ in page.places)

    def agreement(self, engine: str) -> float:
        """Return the share of an engine's results that other engines found, too."""
        mine = [
            page for page in self._pages.values() if any(e == engine for _, e, _, _ in page.places)
        ]
        shared = sum(any(e != engine for _, e, _, _ in page.places) for page in mine)
        return shared / len(mine) if mine else 0.0

    def relevance(self, query: str) -> float:
        """Return the mean relevance of the results of a query; 0 without any."""
        found = [p.relevance for p in self._pages.values() if any(q == query for q, *_ in p.places)]
        return sum(found) / len(found) if found else 0.0

    def sources(self, most: int | None = None) -> list[Source]:
        """Return the best pages, best first, without those that are gone."""
        trust = self._voter_trust()
        scored = [
            (self._score(page, trust), url, page)
            for url, page in self._pages.items()
            if not page.gone and max(trust[v] for v in page.voters) >= UNTRUSTED
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
        for url, page in sorted(
            self._pages.items(), key=lambda it: min(p[3] for p in it[1].places)
        ):
            voter = max(page.voters, key=lambda it: trust[it])
            if trust[voter] < UNTRUSTED and page.relevance >= 0.5 and taken[voter] < each:
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
        # Several engines behind one metasearch engine share a rank: the best of them counts in full.
        best: dict[tuple[str, str, str], float] = {}
        for query, engine, voter, rank in page.places:
            key = (query, engine, voter)
            best[key] = max(best.get(key, 0.0), trust[voter] / (RANK_CONSTANT + rank))
        return sum(best.values()) * (_BLIND + (1 - _BLIND) * page.relevance)

    def _source(self, score: float, url: str, page: _Page) -> Source:
        places = sorted(
            {(q, v.replace("/", " / "), r) for q, _, v, r in page.places},
            key=lambda it: (it[2], it[0], it[1]),
        )
        return Source(url, page.result.url, page.result.title, score, tuple(places[:_NAMED]))

    def _voter_trust(self) -> Mapping[str, float]:
        if self._trust is None:
            self._trust = _trusts(self._pages.values())
        return self._trust


def _voters(engine: str, result: Result) -> Iterable[str]:
    return [f"{engine}/{name}" for name in dict.fromkeys(result.engines)] or [engine]


def _trusts(pages: Iterable[_Page]) -> dict[str, float]:
    count: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    relevance: defaultdict[str, float] = defaultdict(float)
    fetched: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for page in pages:
        voters = page.voters
        for voter in voters:
            count[voter] += 1
            shared[voter] += len(voters) > 1
            relevance[voter] += page.relevance
            if page.kept is not None:
                fetched[voter] += 1
                kept[voter] += page.kept
    if not count:
        return {}
    agreed = (
        _relative(shared, count, _PRIOR_RESULTS) if len(count) > 1 else dict.fromkeys(count, 1.0)
    )
    fitting = _relative(relevance, count, _PRIOR_RESULTS)
    good = _relative(kept, fetched, _PRIOR_PAGES, names=count)
    trust = {}
    for voter in count:
        # Pages that were kept speak louder than other engines.
        known = fetched[voter] / (fetched[voter] + _PRIOR_PAGES)
        agreement = agreed[voter] ** (1 - known)
        trust[voter] = agreement * fitting[voter] * good[voter]
    return trust


def _relative(
    hits: Mapping[str, float], totals: Mapping[str, int], prior: float, names: Iterable[str] = ()
) -> dict[str, float]:
    """Return each one's share of hits, shrunk toward the best one's and relative to it, in [0, 1]."""
    shares = {name: hits[name] / total for name, total in totals.items() if total}
    best = max(shares.values(), default=0.0)
    if best <= 0:
        return dict.fromkeys([*totals, *names], 1.0)
    relative = {
        name: (hits[name] + prior * best) / (total + prior) / best for name, total in totals.items()
    }
    return {name: min(1.0, relative.get(name, 1.0)) for name in [*totals, *names]}
