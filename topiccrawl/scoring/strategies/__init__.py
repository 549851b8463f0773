"""Crawl strategies: in which order the queued links are fetched.

``registry`` finds a strategy by name or dotted path.  ``local`` scores a link from the pages that show
it, ``graph`` from the link graph, ``ipagerank`` from both, and ``adaptive`` learns during the crawl.
``baselines`` holds strategies from the literature that exist for comparison only.
"""

from __future__ import annotations

from topiccrawl.scoring.strategies.registry import (
    DEFAULT_STRATEGY,
    STRATEGIES,
    StrategyFactory,
    find_strategy,
    make_strategy,
)

__all__ = ["DEFAULT_STRATEGY", "STRATEGIES", "StrategyFactory", "find_strategy", "make_strategy"]
