"""IPageRank-RW and IPageRank-RWB.

Each kind of evidence enters the score once, on its own scale from 0 to 1::

    q(u) = w_m · R(u)             the link itself: largest rel(t) of its metadata, best page
         + w_p · min(1, P(u)/P95) mean relevance of the fetched pages that show it
         + w_g · rank(IPR(u))     share of the ranked queued links below it by IPageRank

RW or RWB weighs the votes in the graph.  The second chance of RWB, the page's B, is not added to the
score again: the parents have their own term.  The score uses the rank instead of IPR/Q95, since the
distribution of IPageRank has a long tail: nearly all links would have nearly 0.  IPageRank cannot
replace the mean over the parents, as a hub's vote shrinks with the number of its links.

In mode "thesis" the score is IPR alone, as in [thesis] 9.2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank_steps
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategies.graph import RankStrategy
from topiccrawl.scoring.strategies.local import Evaluate
from topiccrawl.scoring.strategy import LinkScores, PageView

#: Quantile of the page relevance that counts as full, so that a few outstanding pages do not push the
#: others down (a choice).
QUANTILE = 0.95
#: Known links, and pages, that the scales are taken from: a rank is then correct to about .004.
SAMPLE = 20_000


class IPageRankStrategy(RankStrategy):
    """The mixed score of this module, with RW or RWB (*evaluate*) as the weight of a vote."""

    def __init__(
        self, name: str, evaluate: Evaluate, config: StrategyConfig, *, draws: bool = False
    ) -> None:
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
        super().__init__(name, weigh, steps, config.damping, by_relevance, draws=draws)
        self._config = config
        self._metadata = GrowingArray(np.float64)
        self._parents = GrowingArray(np.float64)
        self._full_relevance = 0.0
        self._sorted_ranks: FloatArray = np.empty(0)
        self._rescale_at: float = 1

    def rank(self) -> Iterator[None]:
        """Run IPageRank over the fetched pages and renew the scales of the scores."""
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
            # Before the first round the scales are renewed whenever the number of pages has doubled.
            self._rescale_at *= 2
            self._rescale()

    def _rescale(self) -> None:
        """Take P95 from the fetched pages and the sorted ranks from the queued links."""
        nodes = _sample(self.graph.n_nodes)
        queued = nodes[self.graph.row_of_node[nodes] < 0]
        ranks = self._rank.view()[queued]
        self._sorted_ranks = np.sort(ranks[ranks > 0])
        pages = self.graph.relevance[_sample(self.graph.n_pages)]
        if len(pages):
            self._full_relevance = float(np.quantile(pages, QUANTILE)) or float(pages.max())

    def _scores(self, nodes: IdArray) -> LinkScores:
        config = self._config
        rank = self._rank.view()[nodes]
        if config.mode == "thesis":
            return LinkScores(rank, {"ipagerank": rank})
        metadata = self._metadata.view()[nodes]
        # A seed without in-links has no parents; the divisor is at least 1.
        mean = self._parents.view()[nodes] / np.maximum(1, self.graph.in_degree[nodes])
        full = self._full_relevance
        parents = np.minimum(1.0, mean / full) if full else np.zeros(len(nodes))
        graph = self._below(rank)
        score = (
            config.metadata_weight * metadata
            + config.parent_weight * parents
            + (1 - config.metadata_weight - config.parent_weight) * graph
        )
        parts = {"metadata": metadata, "parents": parents, "graph": graph, "ipagerank": rank}
        return LinkScores(score, parts)

    def place(self, nodes: IdArray) -> FloatArray:
        """Return the share of the queued links below each node by IPageRank, in [0, 1], shape (n,).

        What a fetched page receives for its own relevance is left out: the place is that of the link.
        """
        rank = self._rank.view()[nodes]
        if self._by_relevance:
            row = self.graph.row_of_node[nodes]
            own = (1 - self._damping) * self.graph.relevance[row]
            rank = np.where(row >= 0, np.maximum(0.0, rank - own), rank)
        return self._below(rank)

    def _below(self, rank: FloatArray) -> FloatArray:
        # Ties, such as the links of one page with equal votes, take the middle of their ranks.
        below = np.searchsorted(self._sorted_ranks, rank, side="left")
        above = np.searchsorted(self._sorted_ranks, rank, side="right")
        return np.where(rank > 0, (below + above) / 2 / max(1, len(self._sorted_ranks)), 0.0)


def _sample(size: int) -> IdArray:
    """Return up to SAMPLE indices in range(size), evenly spaced."""
    return np.linspace(0, size - 1, min(size, SAMPLE)).astype(np.int64)
