"""Crawl strategies by name.

>>> make_strategy("breadth-first").name
'breadth-first'
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from topiccrawl.errors import ConfigurationError
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank_steps
from topiccrawl.scoring.pagerank import pagerank_steps
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategies import evidence
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.infospiders import InfoSpidersStrategy
from topiccrawl.scoring.strategies.ipagerank import IPageRankStrategy
from topiccrawl.scoring.strategies.popularity import (
    HitsStrategy,
    InDegreeStrategy,
    RankStrategy,
    equal_weights,
)
from topiccrawl.scoring.strategies.semantic import SemanticStrategy
from topiccrawl.scoring.strategies.svm_hits import SvmHitsStrategy
from topiccrawl.scoring.strategy import Strategy

DEFAULT_STRATEGY = "ipagerank-rwb"

_EVIDENCE: dict[str, evidence.Evaluate] = {
    "breadth-first": evidence.breadth_first,
    "depth-first": evidence.depth_first,
    "random": evidence.random_order,
    "best-first": evidence.best_first,
    "fish-search": evidence.fish_search,
    "shark-search": evidence.shark_search,
    "uh": evidence.uh,
    "teh": evidence.teh,
    "tih": evidence.tih,
    "amh": evidence.amh,
    "rw": evidence.rw,
    "rwb": evidence.rwb,
}
_IPAGERANK: dict[str, evidence.Evaluate] = {
    "ipagerank-rw": evidence.rw,
    "ipagerank-rwb": evidence.rwb,
}


def _pagerank(config: StrategyConfig) -> Strategy:
    # Form 4.7; 4.8 is a multiple of it and gives the same order.
    def steps(graph: LinkGraph) -> Generator[None, None, Result]:
        return pagerank_steps(graph, damping=config.damping, max_iterations=config.iterations)

    return RankStrategy("pagerank", equal_weights, steps, config.damping)


def _topic_pagerank(config: StrategyConfig) -> Strategy:
    # T. Haveliwala, "Topic-sensitive PageRank", 2002: the jump leads to pages on the topic, here in
    # proportion to their relevance.  That is IPageRank's formula with all links weighing the same.
    def steps(graph: LinkGraph) -> Generator[None, None, Result]:
        return ipagerank_steps(
            graph, teleport="relevance", damping=config.damping, iterations=config.iterations
        )

    return RankStrategy("topic-pagerank", equal_weights, steps, config.damping, by_relevance=True)


_OTHERS: dict[str, Callable[[StrategyConfig], Strategy]] = {
    "semantic": SemanticStrategy,
    "in-degree": lambda config: InDegreeStrategy(),
    "pagerank": _pagerank,
    "topic-pagerank": _topic_pagerank,
    "hits": lambda config: HitsStrategy(),
    "svm-hits": lambda config: SvmHitsStrategy(),
    "infospiders": InfoSpidersStrategy,
    "adaptive": lambda config: AdaptiveStrategy(),
}

STRATEGIES = (
    "breadth-first", "depth-first", "random", "best-first", "fish-search", "shark-search", "semantic",
    "uh", "teh", "tih", "amh", "rw", "rwb",
    "in-degree", "pagerank", "topic-pagerank", "hits", "svm-hits", "infospiders",
    "ipagerank-rw", "ipagerank-rwb", "adaptive",
)  # fmt: skip
"""All names, in the order in which they are documented."""


def make_strategy(name: str = DEFAULT_STRATEGY, config: StrategyConfig | None = None) -> Strategy:
    """Return a new strategy; it starts without any memory.

    Raises :class:`~topiccrawl.errors.ConfigurationError` for an unknown name.
    """
    config = config or StrategyConfig()
    if name in _EVIDENCE:
        return evidence.EvidenceStrategy(name, _EVIDENCE[name], config)
    if name in _IPAGERANK:
        return IPageRankStrategy(name, _IPAGERANK[name], config)
    if name in _OTHERS:
        return _OTHERS[name](config)
    known = ", ".join(STRATEGIES)
    raise ConfigurationError(f"strategy must be one of {known}, got {name!r}")
