"""Strategies that score a link from the pages that show it, one page at a time.

Each is a function from a page to the scores of its links; of several pages that show a link, the one
that gives it the highest score counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, places_in
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.metadata import amh_array, rw_array, rwb_array
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts

FISH_FAVOUR = 1.5
"""a of Fish-Search: how many more links of a relevant page have full potential (its source)."""

Evaluate = Callable[[PageView, StrategyConfig], LinkScores]

_ORDER_UNIT = 2.0**-32
"""Weight of the fetch order beside the depth: exact in a float64 for 2^32 pages and depth 2^20."""
_POSITION_UNIT = 2.0**-20
"""Weight of a link's place in its page beside the fetch order: exact for 2^20 links, 2^32 pages."""


class EvidenceStrategy:
    """Orders by ``evaluate(page, config)``, the best page counting."""

    def __init__(self, name: str, evaluate: Evaluate, config: StrategyConfig) -> None:
        self.name = name
        self._evaluate = evaluate
        self._config = config
        self._index: dict[int, int] = {}
        self._score = GrowingArray(np.float64, fill=-np.inf)
        self._parts: dict[str, GrowingArray[np.float64]] = {}

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        seen = self._evaluate(page, self._config)
        index = self._index
        ids = page.links.targets.tolist()
        places = np.array([index.setdefault(i, len(index)) for i in ids], dtype=np.int64)
        self._score.resize(len(index))
        better = seen.score > self._score.view()[places]
        self._score.view()[places[better]] = seen.score[better]
        for name, values in seen.parts.items():
            column = self._parts.setdefault(name, GrowingArray(np.float64))
            column.resize(len(index))
            column.view()[places[better]] = values[better]
        return self._scores_at(places)

    def rank(self) -> Iterator[None]:
        """No ranking rounds."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        return scores_at(places_in(self._index, ids), self._scores_at)

    def _scores_at(self, places: IdArray) -> LinkScores:
        parts = {name: column.view()[places] for name, column in self._parts.items()}
        return LinkScores(self._score.view()[places], parts)


def breadth_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """-(depth + order/2^32): by depth of the page, then by the order of fetches; never positive."""
    value = -(page.depth + page.order * _ORDER_UNIT)
    return LinkScores(np.full(len(page.links), value), {})


def depth_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """order + place/2^20: a stack; the last link of the page fetched last goes first."""
    places = np.arange(len(page.links), dtype=np.float64)
    return LinkScores(page.order + _POSITION_UNIT * places, {})


def random_order(page: PageView, config: StrategyConfig) -> LinkScores:
    """A number in [0, 1) drawn once for each link's target from the run's seed: chance, repeatably."""
    draw, _ = link_draws(config.run_seed, 0, page.links.targets)
    return LinkScores(draw, {})


def best_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """The relevance of the page that holds the link (VSM, thesis 4.10)."""
    parent = np.full(len(page.links), page.relevance)
    return LinkScores(parent, {"parent": parent})


def shark_search(page: PageView, config: StrategyConfig) -> LinkScores:
    """Shark-Search (M. Hersovici et al., WWW7, 1998): γ·inherited + (1-γ)·neighbourhood.

    ``inherited = δ·sim(page)`` if the page is at all similar, else δ·(what the page inherited);
    ``neighbourhood = β·anchor + (1-β)·context'``, context' = 1 where the anchor matches, else the
    similarity of the surrounding text.
    """
    links = page.links
    source = page.relevance if page.relevance > 0 else page.inherited
    inherited = np.full(len(links), config.shark_decay * source)
    anchor = links.anchor_similarity
    context = np.where(anchor > 0, 1.0, links.context_similarity)
    neighbourhood = config.shark_anchor * anchor + (1 - config.shark_anchor) * context
    score = config.shark_inherited * inherited + (1 - config.shark_inherited) * neighbourhood
    return LinkScores(score, {"inherited": inherited, "neighbourhood": neighbourhood})


def fish_search(page: PageView, config: StrategyConfig) -> LinkScores:
    """Fish-Search (P. De Bra et al., RIAO 1994, in the words of Hersovici et al. 1998).

    Of a relevant page the first ``a·width`` links have potential 1 and may be followed for ``depth``
    more links; of any other the first ``width`` have .5 and one link less than the page had; all
    others have 0.  Links of a page that had none left are not followed there; here they have -1 and
    come last, because the frontier gives up no link.  ``inherited`` is what a link has left.
    """
    n = len(page.links)
    left = float(config.fish_depth) if page.depth == 0 else page.inherited
    if page.relevant:
        width, potential, left = FISH_FAVOUR * config.fish_width, 1.0, float(config.fish_depth)
    else:
        width, potential, left = float(config.fish_width), 0.5, left - 1
    score = np.where(np.arange(n) < width, potential, 0.0)
    if left < 0:
        score = np.full(n, -1.0)
    return LinkScores(score, {"inherited": np.full(n, max(0.0, left))})


def uh(page: PageView, config: StrategyConfig) -> LinkScores:
    """UH (thesis 4.1)."""
    return LinkScores(page.links.url_hit.astype(np.float64), {})


def teh(page: PageView, config: StrategyConfig) -> LinkScores:
    """TeH (thesis 4.2)."""
    return LinkScores(page.links.text_hit.astype(np.float64), {})


def tih(page: PageView, config: StrategyConfig) -> LinkScores:
    """TiH (thesis 4.3)."""
    return LinkScores(page.links.title_hit.astype(np.float64), {})


def amh(page: PageView, config: StrategyConfig) -> LinkScores:
    """AMH (thesis 4.4)."""
    hits = (page.links.url_hit, page.links.text_hit, page.links.title_hit)
    parts = dict(zip(("uh", "teh", "tih"), (h.astype(np.float64) for h in hits), strict=True))
    return LinkScores(amh_array(*hits, config.amh_weights), parts)


def rw(page: PageView, config: StrategyConfig) -> LinkScores:
    """RW (thesis 4.5)."""
    score = rw_array(page.links.rw_relevance, config.c)
    return LinkScores(score, {"relevance": page.links.rw_relevance})


def rwb(page: PageView, config: StrategyConfig) -> LinkScores:
    """RWB (thesis 4.6) with frozen draws, literal or capped by ``config.mode``."""
    first, second = link_draws(config.run_seed, page.id, page.links.targets)
    direct = rw_array(page.links.rw_relevance, config.c)
    score = rwb_array(
        direct, page.background, first, second, c=config.c, d=config.effective_d, mode=config.mode
    )
    return LinkScores(score, {"rw": direct, "background": np.full(len(direct), page.background)})
