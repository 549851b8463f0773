"""``adaptive``: a hand-set prior over the evidence, corrected by what the crawl itself finds.

The formulas are in :mod:`value`, :mod:`evidence` and :mod:`model` of this room and in
docs/adaptive.md, with what each part is worth.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topiccrawl.scoring.adaptive.evidence import LinkEvidence
from topiccrawl.scoring.adaptive.model import LinkModel, examples, sigmoid
from topiccrawl.scoring.adaptive.value import (
    LEAST_SCALE,
    full_relevance,
    own_value,
    smoothed_steps,
)
from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.strategies.popularity import GraphStrategy, equal_weights
from topiccrawl.scoring.strategy import LinkScores, PageView

ROUND_GROWTH = 0.1
"""A ranking round is due when the crawl has grown by a tenth, until rounds are as far apart as the
settings say: what the first hundred pages teach is worth most (docs/adaptive.md)."""


class AdaptiveStrategy(GraphStrategy):
    """Orders by p(u) = σ(z(u)), the expected value of the page behind a link, in (0, 1).

    Parts of a score, in log-odds: "prior" (the constant), "parents", "text" (anchor and context),
    "graph" and "learned" (hashed features); their sum is z.  Memory: 12 bytes for each link of a
    page, about 370 for each known link with 24 features, 2 MB for the weights.
    """

    name = "adaptive"
    wants = frozenset({"features"})
    round_growth = ROUND_GROWTH

    def __init__(self) -> None:
        super().__init__()
        self._evidence = LinkEvidence()
        self._model = LinkModel()
        self._full = LEAST_SCALE

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        graph, links = self.graph, page.links
        new = graph.add_page(page.id, page.relevance, links.targets, equal_weights(page))
        nodes = graph.nodes(links.targets)
        if new:
            waiting = np.flatnonzero(graph.row_of_node[nodes] < 0)
            self._evidence.add(
                nodes,
                links,
                relevance=page.relevance,
                value=self._value(page.relevance),
                size=graph.n_nodes,
                waiting=waiting,
            )
        return self._scores(nodes)

    def rank(self) -> Iterator[None]:
        """Value all pages anew, then learn from them."""
        graph = self.graph
        pages = graph.n_pages
        self._full = full_relevance(graph.relevance)
        values = own_value(graph.relevance[:pages], self._full)
        values = yield from smoothed_steps(graph, values)
        yield from self._evidence.revalue_steps(graph, values)
        for row in range(pages, graph.n_pages):
            (rows,) = graph.rows(row, row + 1)
            self._evidence.add_value(
                rows.targets.astype(np.int64), self._value(graph.relevance[row])
            )
        yield
        self._learn(values)
        yield

    def _value(self, relevance: float) -> float:
        return min(1.0, float(relevance) / self._full)

    def _learn(self, values: FloatArray) -> None:
        """Fit the model to pages that a link led to: seeds say nothing of links."""
        nodes = self.graph.page_nodes[: len(values)]
        linked = np.flatnonzero(self.graph.in_degree[nodes] > 0)
        chosen = linked[examples(values[linked])]
        learned = nodes[chosen].astype(np.int64)
        self._model.fit(
            self._evidence.numbers(learned, self.graph.in_degree[learned]),
            self._evidence.slots(learned),
            values[chosen],
        )

    def _scores(self, nodes: IdArray) -> LinkScores:
        numbers = self._evidence.numbers(nodes, self.graph.in_degree[nodes])
        by_number, learned = self._model.contributions(numbers, self._evidence.slots(nodes))
        parts = {
            "prior": by_number[:, 0],
            "parents": by_number[:, 1] + by_number[:, 2] + by_number[:, 3],
            "text": by_number[:, 4] + by_number[:, 5],
            "graph": by_number[:, 6],
            "learned": learned,
        }
        return LinkScores(sigmoid(np.sum(list(parts.values()), axis=0)), parts)
