"""Strategies that score a link by the link graph: in-degree, PageRank and HITS.

A ranking round computes the exact score of every known link.  Between rounds the vote of a new page is
added with the page's current score, a single evaluation of the formula; the next round makes it exact.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.hits import hits_steps
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts, Strategy

#: Iterations of HITS per ranking round (a guess; Kleinberg 1999 reports that 20 settle the order).
HITS_ITERATIONS = 20

#: Returns the weights of a page's links in the graph, shape (n,).
Weigh = Callable[[PageView], FloatArray]
RankSteps = Callable[[LinkGraph], Generator[None, None, Result]]


def equal_weights(page: PageView) -> FloatArray:
    """Weigh all links of a page equally: the share of a link is 1/C(T)."""
    return np.ones(len(page.links))


class GraphStrategy(Strategy):
    """Base of strategies on a link graph; scores are looked up by link id."""

    def __init__(self) -> None:
        self.graph = LinkGraph()

    def rank(self) -> Iterator[None]:
        """Do nothing: there are no ranking rounds unless a subclass adds them."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        return scores_at(self.graph.nodes(ids), self._scores)

    @abstractmethod
    def _scores(self, nodes: IdArray) -> LinkScores:
        """Return the scores of known nodes, shape (n,)."""


class InDegreeStrategy(GraphStrategy):
    """Order links by the number of fetched pages that link to them: always exact, no rounds."""

    name = "in-degree"

    def score(self, page: PageView) -> LinkScores:
        targets = page.links.targets
        self.graph.add_page(page.id, page.relevance, targets, equal_weights(page), page.asked)
        return self._scores(self.graph.nodes(targets))

    def _scores(self, nodes: IdArray) -> LinkScores:
        return LinkScores(self.graph.in_degree[nodes].astype(np.float64), {})


class HitsStrategy(GraphStrategy):
    """Order links by their authority weight in the last round, 0 for links that appeared later.

    There is no better estimate for a new link: its authority depends on its parent's hub weight, which
    depends on the authorities of the parent's other links.
    """

    name = "hits"
    #: A round takes .016 ms per page of 40 links.  If rounds come after a growth by a twentieth, they
    #: take a third of a millisecond per page at any size of the crawl (measured 2026-11).
    round_least_growth = 0.05

    def __init__(self) -> None:
        super().__init__()
        self._authority = GrowingArray(np.float64)

    def score(self, page: PageView) -> LinkScores:
        targets = page.links.targets
        self.graph.add_page(page.id, page.relevance, targets, equal_weights(page), page.asked)
        self._authority.resize(self.graph.n_nodes)
        return self._scores(self.graph.nodes(targets))

    def rank(self) -> Iterator[None]:
        """Run HITS over the fetched pages."""
        result = yield from hits_steps(self.graph, max_iterations=HITS_ITERATIONS)
        self._authority.view()[: len(result.authorities)] = result.authorities

    def _scores(self, nodes: IdArray) -> LinkScores:
        return LinkScores(self._authority.view()[nodes], {})


class RankStrategy(GraphStrategy):
    """Order links by x, the fixpoint of x = b + d·Wᵀx: PageRank, and IPageRank with topical weights.

    Parameters
    ----------
    name
        Name of the strategy.
    weigh
        Returns the weights of a page's links in the graph.
    steps
        The computation of a ranking round.
    damping
        d, in [0, 1).
    by_relevance
        The b that *steps* uses: (1-d)·rel for fetched pages and 0 for queued links if true, else 1-d
        for all.
    draws
        Whether *weigh* depends on the run seed.
    """

    def __init__(
        self,
        name: str,
        weigh: Weigh,
        steps: RankSteps,
        damping: float,
        by_relevance: bool = False,
        *,
        draws: bool = False,
    ) -> None:
        super().__init__()
        self.name = name
        self.draws = draws
        self._weigh = weigh
        self._steps = steps
        self._damping = damping
        self._by_relevance = by_relevance
        self._rank = GrowingArray(np.float64, fill=0.0 if by_relevance else 1 - damping)

    def score(self, page: PageView) -> LinkScores:
        return self._scores(self.add(page))

    def add(self, page: PageView) -> IdArray:
        """Add a fetched page to the graph, once, and return the nodes of its links, shape (n,)."""
        targets = page.links.targets
        row = self.graph.n_pages
        weights = self._weigh(page)
        new = self.graph.add_page(page.id, page.relevance, targets, weights, page.asked)
        nodes = self.graph.nodes(targets)
        self._rank.resize(self.graph.n_nodes)
        if new:
            self._vote(row)
            self._remember(page, nodes)
        return nodes

    def rank(self) -> Iterator[None]:
        """Rank the fetched pages; pages that arrive meanwhile vote afterwards."""
        pages = self.graph.n_pages
        result = yield from self._steps(self.graph)
        rank = self._rank.view()
        rank[: len(result.scores)] = result.scores
        rank[len(result.scores) :] = 0.0 if self._by_relevance else 1 - self._damping
        for row in range(pages, self.graph.n_pages):
            self._vote(row)

    def _remember(self, page: PageView, nodes: IdArray) -> None:
        """Keep what a subclass needs of a new page in addition to the graph."""

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
