"""Strategies that score a link from the pages that show it, one page at a time.

Each is a function from a page to the scores of its links.  If several pages show a link, the highest
score counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, lookup
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.metadata import amh_array, rw_array, rwb_array
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts, Strategy

#: δ, γ and β: the middle of the ranges in Hersovici et al., "The shark-search algorithm", WWW7, 1998.
SHARK_DECAY, SHARK_INHERITED, SHARK_ANCHOR = 0.5, 0.8, 0.8
#: Links of a page that Fish-Search follows first, and links that it follows from a relevant page without finding
#: another (guesses: its source leaves them to the user).
FISH_WIDTH, FISH_DEPTH = 10, 3
#: a of Fish-Search: how many more links of a relevant page get full potential (De Bra et al. 1994).
FISH_FAVOR = 1.5

Evaluate = Callable[[PageView, StrategyConfig], LinkScores]

#: Weight of the fetch order relative to the depth: exact in a float64 for 2^32 pages and depth 2^20.
_ORDER_UNIT = 2.0**-32
#: Weight of a link's position in its page relative to the fetch order: exact for 2^20 links on each of
#: 2^32 pages.
_POSITION_UNIT = 2.0**-20


class LocalStrategy(Strategy):
    """Order links by ``evaluate(page, config)``, the highest score over all pages that show them."""

    def __init__(
        self, name: str, evaluate: Evaluate, config: StrategyConfig, *, draws: bool = False
    ) -> None:
        self.name = name
        self.draws = draws
        self._evaluate = evaluate
        self._config = config
        self._index: dict[int, int] = {}
        self._score = GrowingArray(np.float64, fill=-np.inf)
        self._parts: dict[str, GrowingArray[np.float64]] = {}

    def score(self, page: PageView) -> LinkScores:
        seen = self._evaluate(page, self._config)
        index = self._index
        ids = page.links.targets.tolist()
        rows = np.array([index.setdefault(i, len(index)) for i in ids], dtype=np.int64)
        self._score.resize(len(index))
        better = seen.score > self._score.view()[rows]
        self._score.view()[rows[better]] = seen.score[better]
        for name, values in seen.parts.items():
            column = self._parts.setdefault(name, GrowingArray(np.float64))
            column.resize(len(index))
            column.view()[rows[better]] = values[better]
        return self._scores_at(rows)

    def rank(self) -> Iterator[None]:
        """Do nothing: there are no ranking rounds."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        return scores_at(lookup(self._index, ids), self._scores_at)

    def _scores_at(self, rows: IdArray) -> LinkScores:
        parts = {name: column.view()[rows] for name, column in self._parts.items()}
        return LinkScores(self._score.view()[rows], parts)


def breadth_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return -(depth + order/2^32): by depth of the page, then by fetch order; never positive."""
    value = -(page.depth + page.order * _ORDER_UNIT)
    return LinkScores(np.full(len(page.links), value), {})


def depth_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return order + position/2^20: a stack, the last link of the page fetched last comes first."""
    positions = np.arange(len(page.links), dtype=np.float64)
    return LinkScores(page.order + _POSITION_UNIT * positions, {})


def random_order(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return a number in [0, 1) for each target, drawn once from the run seed."""
    draw, _ = link_draws(config.run_seed, 0, page.links.targets)
    return LinkScores(draw, {})


def best_first(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return the relevance of the page that contains the link ([thesis] 4.10)."""
    parent = np.full(len(page.links), page.relevance)
    return LinkScores(parent, {"parent": parent})


def shark_search(page: PageView, config: StrategyConfig) -> LinkScores:
    """Score links by Shark-Search: γ·inherited + (1-γ)·neighborhood.

    ``inherited`` is δ·sim(page) if the page is similar to the topic at all, else δ·(what the page
    inherited).  ``neighborhood`` is β·anchor + (1-β)·context', where context' is 1 if the anchor
    matches, else the similarity of the surrounding text.

    References
    ----------
    M. Hersovici et al., "The shark-search algorithm", WWW7, 1998.
    """
    links = page.links
    source = page.relevance if page.relevance > 0 else page.inherited
    inherited = np.full(len(links), SHARK_DECAY * source)
    anchor = links.anchor_similarity
    context = np.where(anchor > 0, 1.0, links.context_similarity)
    neighborhood = SHARK_ANCHOR * anchor + (1 - SHARK_ANCHOR) * context
    score = SHARK_INHERITED * inherited + (1 - SHARK_INHERITED) * neighborhood
    return LinkScores(score, {"inherited": inherited, "neighbourhood": neighborhood})


def fish_search(page: PageView, config: StrategyConfig) -> LinkScores:
    """Score links by Fish-Search.

    On a relevant page the first ``a·width`` links have potential 1 and may be followed for ``depth``
    more links.  On any other page the first ``width`` links have potential .5 and one link less than
    the page had.  All other links have potential 0.  The part ``inherited`` is the number of links
    left.

    Notes
    -----
    The source does not follow the links of a page that has no links left.  Here they score -1 and come
    last, because the frontier does not drop links.

    References
    ----------
    P. De Bra et al., RIAO 1994, as described by Hersovici et al. 1998.
    """
    n = len(page.links)
    left = float(FISH_DEPTH) if page.depth == 0 else page.inherited
    if page.relevant:
        width, potential, left = FISH_FAVOR * FISH_WIDTH, 1.0, float(FISH_DEPTH)
    else:
        width, potential, left = float(FISH_WIDTH), 0.5, left - 1
    score = np.where(np.arange(n) < width, potential, 0.0)
    if left < 0:
        score = np.full(n, -1.0)
    return LinkScores(score, {"inherited": np.full(n, max(0.0, left))})


def uh(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return UH, the URL hit ([thesis] 4.1)."""
    return LinkScores(page.links.url_hit.astype(np.float64), {})


def teh(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return TeH, the text hit ([thesis] 4.2)."""
    return LinkScores(page.links.text_hit.astype(np.float64), {})


def tih(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return TiH, the title hit ([thesis] 4.3)."""
    return LinkScores(page.links.title_hit.astype(np.float64), {})


def amh(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return AMH, the weighted sum of the three hits ([thesis] 4.4)."""
    hits = (page.links.url_hit, page.links.text_hit, page.links.title_hit)
    parts = dict(zip(("uh", "teh", "tih"), (h.astype(np.float64) for h in hits), strict=True))
    return LinkScores(amh_array(*hits, config.amh_weights), parts)


def rw(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return RW, the relevance of the link's metadata if it reaches c ([thesis] 4.5)."""
    score = rw_array(page.links.rw_relevance, config.c)
    return LinkScores(score, {"relevance": page.links.rw_relevance})


def rwb(page: PageView, config: StrategyConfig) -> LinkScores:
    """Return RWB with frozen draws, literal or capped by ``config.mode`` ([thesis] 4.6)."""
    first, second = link_draws(config.run_seed, page.id, page.links.targets)
    direct = rw_array(page.links.rw_relevance, config.c)
    score = rwb_array(
        direct, page.background, first, second, c=config.c, d=config.effective_d, mode=config.mode
    )
    return LinkScores(score, {"rw": direct, "background": np.full(len(direct), page.background)})
