"""Strategies that score a link by the graph: in-degree, PageRank, HITS, IPageRank.

A ranking round gives every known link its exact score.  Between rounds a new page's vote is added
with the page's score as it stands, one evaluation of the formula; the next round makes it exact.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.hits import hits_steps
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts

HITS_ITERATIONS = 20
"""Iterations of HITS per ranking round (a guess; Kleinberg reports that 20 settle the order)."""

Weigh = Callable[[PageView], FloatArray]
"""The weights of a page's links in the graph, shape (n,)."""
RankSteps = Callable[[LinkGraph], Generator[None, None, Result]]


def equal_weights(page: PageView) -> FloatArray:
    """Every link weighs the same: the share of a link is 1/C(T)."""
    return np.ones(len(page.links))


class GraphStrategy(ABC):
    """What all of them share: the graph, and scores looked up by link id."""

    name: str

    def __init__(self) -> None:
        self.graph = LinkGraph()

    def rank(self) -> Iterator[None]:
        """No ranking rounds unless a subclass has them."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        return scores_at(self.graph.nodes(ids), self._scores)

    @abstractmethod
    def _scores(self, nodes: IdArray) -> LinkScores:
        """The scores of known nodes, shape (n,)."""


class InDegreeStrategy(GraphStrategy):
    """The number of fetched pages that link to it: always exact, no rounds."""

    name = "in-degree"

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        self.graph.add_page(page.id, page.relevance, page.links.targets, equal_weights(page))
        return self._scores(self.graph.nodes(page.links.targets))

    def _scores(self, nodes: IdArray) -> LinkScores:
        return LinkScores(self.graph.in_degree[nodes].astype(np.float64), {})


class HitsStrategy(GraphStrategy):
    """The authority weight of a link by the last round; 0 for a link that appeared after it.

    A new link has no better estimate: its authority hangs on its parent's hub weight, and that on
    what the parent's other links turn out to be.
    """

    name = "hits"
    round_least_growth = 0.05
    """A round takes .016 ms for each page of 40 links: with the next one after a growth by a twentieth,
    rounds take a third of a millisecond of a page's time, however large the crawl (2026-11)."""

    def __init__(self) -> None:
        super().__init__()
        self._authority = GrowingArray(np.float64)

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        targets = page.links.targets
        self.graph.add_page(page.id, page.relevance, targets, equal_weights(page))
        self._authority.resize(self.graph.n_nodes)
        return self._scores(self.graph.nodes(targets))

    def rank(self) -> Iterator[None]:
        """One HITS computation over the fetched pages."""
        result = yield from hits_steps(self.graph, max_iterations=HITS_ITERATIONS)
        self._authority.view()[: len(result.authorities)] = result.authorities

    def _scores(self, nodes: IdArray) -> LinkScores:
        return LinkScores(self._authority.view()[nodes], {})


class RankStrategy(GraphStrategy):
    """The score x of x = b + d·Wᵀx: PageRank, and with topical weights IPageRank.

    *by_relevance* says which b *steps* uses: (1-d)·rel for fetched pages and 0 for queued links, or
    1-d for all.
    """

    def __init__(
        self, name: str, weigh: Weigh, steps: RankSteps, damping: float, by_relevance: bool = False
    ) -> None:
        super().__init__()
        self.name = name
        self._weigh = weigh
        self._steps = steps
        self._damping = damping
        self._by_relevance = by_relevance
        self._rank = GrowingArray(np.float64, fill=0.0 if by_relevance else 1 - damping)

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        targets = page.links.targets
        row = self.graph.n_pages
        new = self.graph.add_page(page.id, page.relevance, targets, self._weigh(page))
        nodes = self.graph.nodes(targets)
        self._rank.resize(self.graph.n_nodes)
        if new:
            self._vote(row)
            self._remember(page, nodes)
        return self._scores(nodes)

    def rank(self) -> Iterator[None]:
        """One computation over the fetched pages; pages that came meanwhile vote afterwards."""
        pages = self.graph.n_pages
        result = yield from self._steps(self.graph)
        rank = self._rank.view()
        rank[: len(result.scores)] = result.scores
        rank[len(result.scores) :] = 0.0 if self._by_relevance else 1 - self._damping
        for row in range(pages, self.graph.n_pages):
            self._vote(row)

    def _remember(self, page: PageView, nodes: IdArray) -> None:
        """Keep what a subclass needs of a new page beside the graph."""

    def _vote(self, row: int) -> None:
        rank = self._rank.view()
        node = self.graph.page_nodes[row]
        if self._by_relevance:
            rank[node] += (1 - self._damping) * self.graph.relevance[row]
        rows = next(self.graph.rows(row, row + 1))
        rank[rows.targets] += self._damping * rank[node] * rows.shares

    def _scores(self, nodes: IdArray) -> LinkScores:
        rank = self._rank.view()[nodes]
        return LinkScores(rank, {})
