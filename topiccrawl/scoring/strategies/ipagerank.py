"""IPageRank-RW and IPageRank-RWB: the default order of the crawl.

Each source of evidence enters the score once, on a scale of its own from 0 to 1::

    q(u) = w_m · R(u)             what the link says itself: largest rel(t) of its metadata, best page
         + w_p · min(1, P(u)/P95) mean relevance of the fetched pages that show it
         + w_g · rank(IPR(u))     share of the ranked queued links that IPageRank puts below it

RW or RWB weighs the votes in the graph.  Its second chance, the page's B, is not added again to the
score: the parents have their own term.  The rank replaces ``IPR/Q95`` of algorithms.md 2.2, since
IPageRank's distribution has a long tail: nearly all links had nearly 0.  The mean over the parents is
what IPageRank cannot see, as a hub's vote shrinks with the number of its links.

In mode "thesis" the score is IPR alone, as in 9.2 of the thesis.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank_steps
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategies.evidence import Evaluate
from topiccrawl.scoring.strategies.popularity import RankStrategy
from topiccrawl.scoring.strategy import LinkScores, PageView

QUANTILE = 0.95
"""The page relevance that counts as full: a few outstanding pages do not press the others down."""
SAMPLE = 20_000
"""Known links, and pages, the scales are taken from: a rank is then right to about .004."""


class IPageRankStrategy(RankStrategy):
    """The mix above, with RW or RWB (*evaluate*) as the weight of a vote."""

    def __init__(self, name: str, evaluate: Evaluate, config: StrategyConfig) -> None:
        def weigh(page: PageView) -> FloatArray:
            return evaluate(page, config).score

        def steps(graph: LinkGraph) -> Generator[None, None, Result]:
            return ipagerank_steps(
                graph,
                teleport=config.effective_teleport,
                damping=config.damping,
                iterations=config.iterations,
            )

        by_relevance = config.effective_teleport == "relevance"
        super().__init__(name, weigh, steps, config.damping, by_relevance)
        self._config = config
        self._metadata = GrowingArray(np.float64)
        self._parents = GrowingArray(np.float64)
        self._full_relevance = 0.0
        self._ladder: FloatArray = np.empty(0)
        self._rescale_at: float = 1

    def rank(self) -> Iterator[None]:
        """One IPageRank computation, and the scales for the scores that follow."""
        yield from super().rank()
        self._rescale_at = float("inf")
        self._rescale()

    def _remember(self, page: PageView, nodes: IdArray) -> None:
        self._metadata.resize(self.graph.n_nodes)
        self._parents.resize(self.graph.n_nodes)
        best = self._metadata.view()
        best[nodes] = np.maximum(best[nodes], page.links.rw_relevance)
        self._parents.view()[nodes] += page.relevance
        if self.graph.n_pages >= self._rescale_at:
            # Until the first round the scales are renewed whenever the pages have doubled.
            self._rescale_at *= 2
            self._rescale()

    def _rescale(self) -> None:
        """Take P95 from the fetched pages and the ladder of ranks from the queued links."""
        nodes = _sample(self.graph.n_nodes)
        queued = nodes[self.graph.row_of_node[nodes] < 0]
        ranks = self._rank.view()[queued]
        self._ladder = np.sort(ranks[ranks > 0])
        pages = self.graph.relevance[_sample(self.graph.n_pages)]
        if len(pages):
            self._full_relevance = float(np.quantile(pages, QUANTILE)) or float(pages.max())

    def _scores(self, nodes: IdArray) -> LinkScores:
        config = self._config
        rank = self._rank.view()[nodes]
        if config.mode == "thesis":
            return LinkScores(rank, {"ipagerank": rank})
        metadata = self._metadata.view()[nodes]
        # A seed that nobody links to has no parents: 0 of at least 1.
        mean = self._parents.view()[nodes] / np.maximum(1, self.graph.in_degree[nodes])
        full = self._full_relevance
        parents = np.minimum(1.0, mean / full) if full else np.zeros(len(nodes))
        # Ties, as the links of one page with equal votes, take the middle of their places.
        below = np.searchsorted(self._ladder, rank, side="left")
        above = np.searchsorted(self._ladder, rank, side="right")
        graph = np.where(rank > 0, (below + above) / 2 / max(1, len(self._ladder)), 0.0)
        score = (
            config.metadata_weight * metadata
            + config.parent_weight * parents
            + (1 - config.metadata_weight - config.parent_weight) * graph
        )
        parts = {"metadata": metadata, "parents": parents, "graph": graph, "ipagerank": rank}
        return LinkScores(score, parts)


def _sample(size: int) -> IdArray:
    """Up to SAMPLE places in range(size), evenly spaced."""
    return np.linspace(0, size - 1, min(size, SAMPLE)).astype(np.int64)
