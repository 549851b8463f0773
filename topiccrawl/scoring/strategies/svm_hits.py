"""SVM page filter and HITS: the third baseline of document 002.

A linear SVM over the page's terms says which pages are on the topic; HITS over these alone says which
links to follow.  The document trains the SVM on labelled pages beforehand and drops the links of
refused pages.  Here it learns during the crawl from what the crawl itself judged (each page is filtered
by what was known before it came; until both kinds have been seen, the judgement itself filters), and
links that only refused pages show are put behind all others.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import GrowingArray, IdArray
from topiccrawl.scoring.strategies.popularity import HitsStrategy
from topiccrawl.scoring.strategy import LinkScores, PageView
from topiccrawl.scoring.svm import LinearSvm

REFUSED = -1.0
"""Score of a link that the source would not have followed."""


class SvmHitsStrategy(HitsStrategy):
    """Authority by the last round; 0 for a link that appeared after it; REFUSED: see above."""

    name = "svm-hits"
    wants = frozenset({"terms"})

    def __init__(self) -> None:
        super().__init__()
        self._svm = LinearSvm()
        self._shown = GrowingArray(np.bool_)
        """Whether an accepted page shows the link."""

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        graph, targets = self.graph, page.links.targets
        accepted = self._accepts(page)
        # A link of weight 0 is known and has no part in HITS.
        weights = np.full(len(targets), float(accepted))
        new = graph.add_page(page.id, page.relevance, targets, weights)
        self._authority.resize(graph.n_nodes)
        self._shown.resize(graph.n_nodes)
        nodes = graph.nodes(targets)
        if new:
            self._svm.learn(page.term_slots, page.term_weights, page.relevant)
            if accepted:
                self._shown.view()[nodes] = True
        return self._scores(nodes)

    def _accepts(self, page: PageView) -> bool:
        if not self._svm.ready:
            return page.relevant
        return self._svm.decision(page.term_slots, page.term_weights) > 0

    def _scores(self, nodes: IdArray) -> LinkScores:
        authority = self._authority.view()[nodes]
        score = np.where(self._shown.view()[nodes], authority, REFUSED)
        return LinkScores(score, {"authority": authority})
