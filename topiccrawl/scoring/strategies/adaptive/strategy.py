"""The strategy ``adaptive``; see the package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, GrowingArray, IdArray, sigmoid
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.strategies.adaptive.exploration import BLOCK, INTERVAL, Exploration
from topiccrawl.scoring.strategies.adaptive.meanings import MOST_COMPARED, Examples, LinkMeanings
from topiccrawl.scoring.strategies.adaptive.model import (
    FEATURE_PENALTY,
    LinkModel,
    examples,
    held_out_steps,
)
from topiccrawl.scoring.strategies.adaptive.observations import LinkObservations
from topiccrawl.scoring.strategies.adaptive.value import (
    LEAST_SCALE,
    SMOOTHING,
    full_relevance,
    own_value,
    smoothed_steps,
)
from topiccrawl.scoring.strategies.graph import GraphStrategy
from topiccrawl.scoring.strategies.ipagerank import IPageRankStrategy
from topiccrawl.scoring.strategies.local import rwb
from topiccrawl.scoring.strategy import LinkScores, PageView

_NONE: IdArray = np.empty(0, dtype=np.int64)
#: Probability from which a page counts as on the topic.
ON_TOPIC = 0.5
#: While a crawl is dry, the model is fitted when the crawl has grown by a tenth or by this number of pages,
#: as in other crawls with the usual settings; the rounds between only choose what to explore.
LEARN_EVERY, LEARN_GROWTH = 100, 0.1


@dataclass(frozen=True, slots=True)
class LearnedPages:
    """Fetched pages to learn from, n of them."""

    rows: IdArray
    """Their numbers in the order of the crawl, shape (n,)."""
    nodes: IdArray
    """Their nodes, shape (n,)."""
    numbers: FloatArray
    """Numeric inputs of the model, shape (n, 12)."""
    feature_ids: FeatureIdArray
    """Hashed inputs of the model, shape (n, k)."""
    values: FloatArray
    """Their values, shape (n,)."""


class AdaptiveStrategy(GraphStrategy):
    """Order links by p(u) = σ(z(u)), the expected value of the page behind the link, in (0, 1).

    The parts of a score are log-odds: "prior" (the constant), "sources" (pages that show the link),
    "text" (anchor and context), "words" (of the topic, in metadata and URL), "rank" (place by
    IPageRank-RWB), "channel" (of its site) and "learned" (hashed features), whose sum is z, "credit"
    (of the domain), "meaning" (of the anchor) if meanings are compared, and "exploration", the bonus of probes.

    Attributes
    ----------
    smoothing
        λ of the page values, in [0, 1).
    feature_penalty
        s of the link model, > 0.
    explores
        Whether to probe unseen hosts while the crawl is dry.

    Notes
    -----
    Memory: 12 bytes per link of a page, about 418 per known link with 24 features, 2 MB for the
    weights.
    """

    name = "adaptive"
    draws = True
    wants = frozenset({"features", "anchors"})
    #: A ranking round is due when the crawl has grown by a tenth, until rounds are as far apart as the
    #: settings allow: most is learned from the first hundred pages (docs/laboratory/order.md).
    round_growth: float | None = 0.1
    #: A round looks at all fetched pages, for some .005 ms each (docs/adaptive.md), or .05 on a busy machine: rounds
    #: take 3 and 25 ms a page at most.  Changes nothing up to 50,000 pages, or 5,000 of a dry crawl.
    round_least_growth = 0.002
    smoothing = SMOOTHING
    feature_penalty = FEATURE_PENALTY
    explores = True

    def __init__(self, config: StrategyConfig | None = None) -> None:
        """*config* is that of IPageRank-RWB."""
        super().__init__()
        self._ipagerank = IPageRankStrategy(
            "ipagerank-rwb", rwb, config or StrategyConfig(), draws=True
        )
        #: One graph for both.
        self.graph = self._ipagerank.graph
        self._observations = LinkObservations()
        self._model = LinkModel(self.feature_penalty)
        self._exploration = Exploration()
        self._meanings: LinkMeanings | None = None
        self._usual_growth = self.round_growth
        self._exploring = False
        self._learned_at = self._ranked_at = 0
        self._ids: list[int] = []
        self._probability = GrowingArray(np.float64)
        #: Number of the registered domain of pages without a text of their own, -1 of others.
        self._listing = GrowingArray(np.int32)
        self._full = LEAST_SCALE

    def compare_meaning(self, topic: TopicMeaning) -> None:
        self._meanings = LinkMeanings(topic)

    def score(self, page: PageView) -> LinkScores:
        return self._scores(*self._added(page))

    def add(self, page: PageView) -> None:
        nodes, renamed = self._added(page)
        if len(renamed):
            self._scores(nodes, renamed)

    def _added(self, page: PageView) -> tuple[IdArray, IdArray]:
        """Take a page; return the nodes of its links, and the indices of those whose new anchor is to be compared."""
        graph, links = self.graph, page.links
        known = graph.n_pages
        nodes = self._ipagerank.add(page)
        renamed = _NONE
        if graph.n_pages > known:
            self._ids.append(page.id)
            self._probability.extend(np.array([page.probability]))
            self._observations.resize(graph.n_nodes)
            node = graph.page_nodes[known : known + 1].astype(np.int64)
            promise = float(self._observations.promises(node)[0])
            domain = self._exploration.add(page, nodes, graph.n_nodes, int(node[0]), promise)
            self._listing.extend(np.array([domain if page.no_body else -1]))
            value = float(self._own_values(graph.n_pages - 1, graph.n_pages)[0])
            waiting = np.flatnonzero(graph.row_of_node[nodes] < 0)
            self._observations.add(
                nodes,
                links,
                relevance=page.relevance,
                value=value,
                size=graph.n_nodes,
                waiting=waiting,
                site=int(page.place[0]) if len(page.place) else 0,
            )
            if self._meanings:
                renamed = self._meanings.add(page, nodes, waiting, graph.n_nodes)
        return nodes, renamed

    @property
    def wants_round(self) -> bool:
        """Whether the crawl has become dry since the last round, or is young and has used up its probes."""
        interval = self._exploration.interval
        if not self.explores or (self._exploring and interval == INTERVAL):
            return False
        return self.graph.n_pages >= self._ranked_at + interval and self._exploration.active

    @property
    def most_in_flight(self) -> int:
        return self._exploration.most_in_flight if self.explores else sys.maxsize

    def handed_out(self, link: int) -> None:
        self._exploration.requested()

    def judged_again(self, probability_of: Callable[[int], float | None]) -> None:
        """Take the new probabilities of the pages."""
        values = self._probability.view()
        for row, page in enumerate(self._ids):
            known = probability_of(page)
            if known is not None:
                values[row] = known

    def rank(self) -> Iterator[None]:
        """Recompute the values of all pages and learn from them, then choose what to explore.

        The additional rounds of a dry crawl only choose.
        """
        additional = self._exploring or self.wants_round
        self._ranked_at = self.graph.n_pages
        growth = self.graph.n_pages - self._learned_at
        if not additional or growth >= min(LEARN_EVERY, LEARN_GROWTH * self._learned_at):
            yield from self._learn_steps()
        if self.explores:
            # Likeness to the topic's words orders links, but it is no reason to look at fewer unseen hosts.
            evidence = self._modeled if self._meanings and self._meanings.searching else None
            yield from self._exploration.choose_steps(self.graph, self._log_odds, evidence)
            self._exploring = self._exploration.active
            self.round_growth = 0.0 if self._exploring else self._usual_growth

    def _learn_steps(self) -> Iterator[None]:
        graph = self.graph
        yield from self._ipagerank.rank()
        pages = self._learned_at = graph.n_pages
        self._full = full_relevance(graph.relevance[:pages])
        values = self._own_values(0, pages)
        values = yield from smoothed_steps(graph, values, smoothing=self.smoothing)
        yield from self._observations.revalue_steps(graph, values)
        for row in range(pages, graph.n_pages):
            (rows,) = graph.rows(row, row + 1)
            self._observations.add_value(
                rows.targets.astype(np.int64), float(self._own_values(row, row + 1)[0])
            )
        yield
        learned = self._learned_pages(values)
        self.learn(learned)
        yield
        if self._meanings:
            yield from self._compare_steps(self._meanings, values, learned)

    def _own_values(self, first: int, last: int) -> FloatArray:
        probability = self._probability.view()[first:last]
        own = own_value(probability, self.graph.relevance[first:last], self._full)
        return own * self._exploration.list_credit(self._listing.view()[first:last])

    def learn(self, pages: LearnedPages) -> None:
        """Fit the model to *pages*."""
        self._model.fit(pages.numbers, pages.feature_ids, pages.values)

    def _learned_pages(self, values: FloatArray) -> LearnedPages:
        """Return the fetched pages to learn from; seeds teach nothing about links.

        *values*, shape (R,), are those of the first R fetched pages.
        """
        fetched = self.graph.page_nodes[: len(values)]
        linked = np.flatnonzero(self.graph.in_degree[fetched] > 0)
        rows = linked[examples(values[linked])]
        nodes = fetched[rows].astype(np.int64)
        return LearnedPages(rows, nodes, self.numbers(nodes), self.feature_ids(nodes), values[rows])

    def _compare_steps(
        self, meanings: LinkMeanings, values: FloatArray, pages: LearnedPages
    ) -> Iterator[None]:
        """Compare the best waiting links by meaning with the pages, and learn what that is worth.

        With the topic's words alone while no page is on the topic.
        """
        found = int(np.count_nonzero(self._probability.view()[: len(values)] > ON_TOPIC))
        if not found:
            best, least = yield from self._best_steps(meanings)
            yield from meanings.search_steps(best, least)
            return
        predicted = yield from held_out_steps(
            pages.numbers, pages.feature_ids, pages.values, self.feature_penalty
        )
        learned = Examples(pages.rows, pages.nodes, self.graph.ids[pages.nodes], predicted)
        if not (yield from meanings.promising_steps(values, learned)):
            meanings.rest()
            return
        best, least = yield from self._best_steps(meanings)
        yield from meanings.learn_steps(values, best, least, learned, found)

    def _best_steps(self, meanings: LinkMeanings) -> Generator[None, None, tuple[IdArray, float]]:
        """Return the waiting links that are compared, best first, and the z that others must reach."""
        best, z = np.empty(0, dtype=np.int64), np.empty(0)
        for start in range(0, self.graph.n_nodes, BLOCK):
            block = np.arange(start, min(start + BLOCK, self.graph.n_nodes))
            block = meanings.named(block[self.graph.row_of_node[block] < 0])
            best, z = np.append(best, block), np.append(z, self._modeled(block))
            first = np.argsort(-z, kind="stable")[:MOST_COMPARED]
            best, z = best[first], z[first]
            yield
        return best, float(z[-1]) if len(best) == MOST_COMPARED else -np.inf

    def numbers(self, nodes: IdArray) -> FloatArray:
        """Return the numeric inputs of the model, shape (n, 12), columns as in ``NUMBERS``."""
        place = self._ipagerank.place(nodes)
        return self._observations.numbers(nodes, self.graph.in_degree[nodes], place)

    def feature_ids(self, nodes: IdArray) -> FeatureIdArray:
        """Return the hashed inputs of the model, shape (n, k), rows filled up with -1."""
        return self._observations.feature_ids(nodes)

    def _modeled(self, nodes: IdArray) -> FloatArray:
        """Return z of links without their meaning, shape (n,)."""
        by_number, learned = self._model.contributions(self.numbers(nodes), self.feature_ids(nodes))
        return np.asarray(by_number.sum(axis=1) + learned)

    def _log_odds(self, nodes: IdArray) -> FloatArray:
        z = self._modeled(nodes) + self._credit(nodes)
        return z + self._meanings.log_odds(nodes) if self._meanings else z

    def _credit(self, nodes: IdArray) -> FloatArray:
        """Return what the credit of their domains adds to z of links, <= 0, shape (n,)."""
        return self._exploration.link_credit(nodes, self._observations.promises(nodes))

    def _scores(self, nodes: IdArray, renamed: IdArray = _NONE) -> LinkScores:
        """Return the scores of links, once the anchors of those at the indices *renamed* are compared."""
        by_number, learned = self._model.contributions(self.numbers(nodes), self.feature_ids(nodes))
        if self._meanings and len(renamed):
            z = by_number[renamed].sum(axis=1) + learned[renamed]
            self._meanings.compare_new(nodes[renamed], z)
        parts = {
            "prior": by_number[:, 0],
            "sources": by_number[:, 1] + by_number[:, 2] + by_number[:, 3],
            "text": by_number[:, 4] + by_number[:, 5],
            "words": by_number[:, 7] + by_number[:, 8],
            "rank": by_number[:, 6],
            "channel": by_number[:, 9:].sum(axis=1),
            "learned": learned,
            "credit": self._credit(nodes),
            "exploration": self._exploration.bonus(nodes),
        }
        if self._meanings:
            parts["meaning"] = self._meanings.log_odds(nodes)
        return LinkScores(sigmoid(np.sum(list(parts.values()), axis=0)), parts)
