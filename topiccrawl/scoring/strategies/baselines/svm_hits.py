"""SVM page filter and HITS, the third baseline of [doc002].

A linear SVM over a page's terms decides which pages are on the topic, and HITS over these pages alone
decides which links to follow.  [doc002] trains the SVM on labeled pages beforehand and drops the links
of refused pages.  Here the SVM learns during the crawl from the crawl's own judgments: each page is
filtered by what was learned before it came, or by the judgment itself until both classes have been
seen.  Links that only refused pages show are put behind all others.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import GrowingArray, IdArray
from topiccrawl.scoring.strategies.baselines.svm import LinearSvm
from topiccrawl.scoring.strategies.graph import HitsStrategy
from topiccrawl.scoring.strategy import LinkScores, PageView

#: Score of a link that the source would not have followed.
REFUSED = -1.0


class SvmHitsStrategy(HitsStrategy):
    """Order links by authority in the last round, with those of refused pages last."""

    name = "svm-hits"
    wants = frozenset({"terms"})

    def __init__(self) -> None:
        super().__init__()
        self._svm = LinearSvm()
        self._shown = GrowingArray(np.bool_)
        """Whether an accepted page shows the link."""

    def score(self, page: PageView) -> LinkScores:
        graph, targets = self.graph, page.links.targets
        accepted = self._accepts(page)
        # A link of weight 0 is known and has no part in HITS.
        weights = np.full(len(targets), float(accepted))
        new = graph.add_page(page.id, page.relevance, targets, weights, page.asked)
        self._authority.resize(graph.n_nodes)
        self._shown.resize(graph.n_nodes)
        nodes = graph.nodes(targets)
        if new:
            self._svm.learn(page.term_ids, page.term_weights, page.relevant)
            if accepted:
                self._shown.view()[nodes] = True
        return self._scores(nodes)

    def _accepts(self, page: PageView) -> bool:
        if not self._svm.ready:
            return page.relevant
        return self._svm.decision(page.term_ids, page.term_weights) > 0

    def _scores(self, nodes: IdArray) -> LinkScores:
        authority = self._authority.view()[nodes]
        score = np.where(self._shown.view()[nodes], authority, REFUSED)
        return LinkScores(score, {"authority": authority})
