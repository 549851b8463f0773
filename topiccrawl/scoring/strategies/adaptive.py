"""``adaptive``: a hand-set prior over the evidence, corrected by what the crawl itself finds.

The formulas are in ``value``, ``evidence`` and ``model`` of ``scoring.adaptive`` and in
docs/adaptive.md, with what each part is worth.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topiccrawl.scoring.adaptive.model import LinkModel, examples, sigmoid
from topiccrawl.scoring.adaptive.observations import NUMBERS, LinkObservations
from topiccrawl.scoring.adaptive.settings import AdaptiveSettings
from topiccrawl.scoring.adaptive.value import full_relevance, own_value, smoothed_steps
from topiccrawl.scoring.arrays import FloatArray, IdArray, SlotArray
from topiccrawl.scoring.strategies.popularity import GraphStrategy, equal_weights
from topiccrawl.scoring.strategy import LinkScores, PageView


class AdaptiveStrategy(GraphStrategy):
    """Orders by p(u) = σ(z(u)), the expected value of the page behind a link, in (0, 1).

    Parts of a score, in log-odds: "prior" (the constant), "parents", "text" (anchor and context),
    "graph" and "learned" (hashed features); their sum is z.  Memory: 12 bytes for each link of a
    page, about 370 for each known link with 24 features, 2 MB for the weights.
    """

    name = "adaptive"
    wants = frozenset({"features"})

    def __init__(self, settings: AdaptiveSettings | None = None) -> None:
        super().__init__()
        self._settings = settings or AdaptiveSettings()
        self.round_growth = self._settings.round_growth
        self._evidence = LinkObservations()
        self._model = LinkModel(slot_penalty=self._settings.slot_penalty)
        self._full = self._settings.least_scale
        self._left_out = [NUMBERS.index(name) for name in sorted(self._settings.without)]

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
        self._full = full_relevance(graph.relevance, self._settings.least_scale)
        values = own_value(graph.relevance[:pages], self._full)
        values = yield from smoothed_steps(graph, values, smoothing=self._settings.smoothing)
        yield from self._evidence.revalue_steps(graph, values)
        for row in range(pages, graph.n_pages):
            (rows,) = graph.rows(row, row + 1)
            self._evidence.add_value(
                rows.targets.astype(np.int64), self._value(graph.relevance[row])
            )
        yield
        if self._settings.learning:
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
        self._model.fit(self._numbers(learned), self._slots(learned), values[chosen])

    def _numbers(self, nodes: IdArray) -> FloatArray:
        numbers = self._evidence.numbers(nodes, self.graph.in_degree[nodes])
        numbers[:, self._left_out] = 0.0
        return numbers

    def _slots(self, nodes: IdArray) -> SlotArray:
        slots = self._evidence.slots(nodes)
        return slots if self._settings.hashed else slots[:, :0]

    def _scores(self, nodes: IdArray) -> LinkScores:
        by_number, learned = self._model.contributions(self._numbers(nodes), self._slots(nodes))
        parts = {
            "prior": by_number[:, 0],
            "parents": by_number[:, 1] + by_number[:, 2] + by_number[:, 3],
            "text": by_number[:, 4] + by_number[:, 5],
            "graph": by_number[:, 6],
            "learned": learned,
        }
        return LinkScores(sigmoid(np.sum(list(parts.values()), axis=0)), parts)
