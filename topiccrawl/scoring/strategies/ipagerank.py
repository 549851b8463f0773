"""IPageRank-RW and IPageRank-RWB: the default order of the crawl.

``q(u) = w·RWB(u) + (1-w)·min(1, IPR(u)/Q95)`` (algorithms.md 2.2): RWB is what the best page said of
the link, IPR what the graph of all fetched pages adds.  In mode "thesis" the score is IPR alone, as
in 9.2 of the thesis.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank_steps
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategies.evidence import Evaluate
from topiccrawl.scoring.strategies.popularity import RankStrategy
from topiccrawl.scoring.strategy import LinkScores, PageView

QUANTILE = 0.95
"""The rank that counts as full: a few very popular links do not press the others down to 0."""
SAMPLE = 20_000
"""Known links the quantile is taken from: its error is then .15 percentage points of rank."""


class IPageRankStrategy(RankStrategy):
    """RW or RWB (*evaluate*) as link weight, mixed with the IPageRank it induces."""

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
        self._metadata_weight = config.metadata_weight
        self._rank_only = config.mode == "thesis"
        self._weight_part = name.removeprefix("ipagerank-")
        self._full_rank = 0.0
        self._rescale_at: float = 1

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        found = super().score(page)
        if self.graph.n_pages < self._rescale_at:
            return found
        # Until the first round the scale is renewed whenever the number of pages has doubled.
        self._rescale_at *= 2
        self._rescale()
        return self._scores(self.graph.nodes(page.links.targets))

    def rank(self) -> Iterator[None]:
        """One IPageRank computation, and the scale for the scores that follow."""
        yield from super().rank()
        self._rescale_at = float("inf")
        self._rescale()

    def _rescale(self) -> None:
        """Q95 of the ranks of queued links, their maximum where Q95 is 0."""
        size = self.graph.n_nodes
        sample = np.linspace(0, size - 1, min(size, SAMPLE)).astype(np.int64)
        queued = sample[self.graph.row_of_node[sample] < 0]
        ranks = self._rank.view()[queued]
        if len(ranks):
            self._full_rank = float(np.quantile(ranks, QUANTILE)) or float(ranks.max())

    def _scores(self, nodes: IdArray) -> LinkScores:
        rank = self._rank.view()[nodes]
        weight = self._weight.view()[nodes]
        parts = {self._weight_part: weight, "ipagerank": rank}
        if self._rank_only:
            return LinkScores(rank, parts)
        relative = np.minimum(1.0, rank / self._full_rank) if self._full_rank else 0.0 * rank
        parts["ipagerank_relative"] = relative
        mixed = self._metadata_weight * weight + (1 - self._metadata_weight) * relative
        return LinkScores(mixed, parts)
