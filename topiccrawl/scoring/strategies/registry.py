"""Find a strategy by name or by dotted path, as Scrapy finds its components."""

from __future__ import annotations

from collections.abc import Callable, Generator
from importlib import import_module

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ipagerank_steps
from topiccrawl.scoring.pagerank import pagerank_steps
from topiccrawl.scoring.propagation import Result
from topiccrawl.scoring.strategies import local
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.baselines.infospiders import InfoSpidersStrategy
from topiccrawl.scoring.strategies.baselines.semantic import SemanticStrategy
from topiccrawl.scoring.strategies.baselines.svm_hits import SvmHitsStrategy
from topiccrawl.scoring.strategies.graph import (
    HitsStrategy,
    InDegreeStrategy,
    RankStrategy,
    equal_weights,
)
from topiccrawl.scoring.strategies.ipagerank import IPageRankStrategy
from topiccrawl.scoring.strategy import Strategy

StrategyFactory = Callable[[StrategyConfig], Strategy]

#: The best of leave-topics-out on all stored webs (docs/strategies.md).
DEFAULT_STRATEGY = "adaptive"

#: What the crawler reads from a strategy.
_INTERFACE = [
    name
    for name in dict.fromkeys([*Strategy.__annotations__, *vars(Strategy)])
    if not name.startswith("_")
]


def _local(
    name: str, evaluate: local.Evaluate, *, draws: bool = False
) -> tuple[str, StrategyFactory]:
    return name, lambda config: local.LocalStrategy(name, evaluate, config, draws=draws)


def _ipagerank(
    name: str, evaluate: local.Evaluate, *, draws: bool = False
) -> tuple[str, StrategyFactory]:
    return name, lambda config: IPageRankStrategy(name, evaluate, config, draws=draws)


def _pagerank(config: StrategyConfig) -> Strategy:
    # [thesis] 4.7; 4.8 is a multiple of it and gives the same order.
    def steps(graph: LinkGraph) -> Generator[None, None, Result]:
        return pagerank_steps(graph, damping=config.damping, max_iterations=config.iterations)

    return RankStrategy("pagerank", equal_weights, steps, config.damping)


def _topic_pagerank(config: StrategyConfig) -> Strategy:
    # T. Haveliwala, "Topic-sensitive PageRank", WWW 2002: the random jump leads to pages on the topic,
    # here in proportion to their relevance.  That is IPageRank with equal link weights.
    def steps(graph: LinkGraph) -> Generator[None, None, Result]:
        return ipagerank_steps(
            graph, teleport="relevance", damping=config.damping, iterations=config.iterations
        )

    return RankStrategy("topic-pagerank", equal_weights, steps, config.damping, by_relevance=True)


_FACTORIES: dict[str, StrategyFactory] = dict(
    [
        _local("breadth-first", local.breadth_first),
        _local("depth-first", local.depth_first),
        _local("random", local.random_order, draws=True),
        _local("best-first", local.best_first),
        _local("fish-search", local.fish_search),
        _local("shark-search", local.shark_search),
        ("semantic", SemanticStrategy),
        _local("uh", local.uh),
        _local("teh", local.teh),
        _local("tih", local.tih),
        _local("amh", local.amh),
        _local("rw", local.rw),
        _local("rwb", local.rwb, draws=True),
        ("in-degree", lambda config: InDegreeStrategy()),
        ("pagerank", _pagerank),
        ("topic-pagerank", _topic_pagerank),
        ("hits", lambda config: HitsStrategy()),
        ("svm-hits", lambda config: SvmHitsStrategy()),
        ("infospiders", InfoSpidersStrategy),
        _ipagerank("ipagerank-rw", local.rw),
        _ipagerank("ipagerank-rwb", local.rwb, draws=True),
        ("adaptive", AdaptiveStrategy),
    ]
)

#: Names of the built-in strategies, in the order of the documentation.
STRATEGIES = tuple(_FACTORIES)


def find_strategy(name: str) -> StrategyFactory:
    """Return the class or factory of a strategy.

    Parameters
    ----------
    name
        One of ``STRATEGIES``, or the dotted path of a class or function that takes a
        :class:`~topiccrawl.scoring.config.StrategyConfig` and returns a
        :class:`~topiccrawl.scoring.strategy.Strategy`, such as ``"mypackage.mymodule.MyStrategy"``.

    Raises
    ------
    ConfigurationError
        The name is unknown, or the path cannot be imported or is not callable.
    """
    if name in _FACTORIES:
        return _FACTORIES[name]
    module_name, __, attribute = name.rpartition(".")
    if not module_name or not all(part.isidentifier() for part in name.split(".")):
        known = listed(STRATEGIES)
        raise ConfigurationError(
            _("strategy must be one of {known} or the dotted path of a class, got {name!r}").format(
                known=known, name=name
            )
        )
    try:
        module = import_module(module_name)
    except ImportError as error:
        raise ConfigurationError(
            _("strategy {name!r}: cannot import {module_name!r} ({error})").format(
                name=name, module_name=module_name, error=error
            )
        ) from error
    found: StrategyFactory | None = getattr(module, attribute, None)
    if not callable(found):
        raise ConfigurationError(
            _(
                "strategy {name!r}: module {module_name!r} has no class or function {attribute!r}"
            ).format(name=name, module_name=module_name, attribute=attribute)
        )
    return found


def make_strategy(name: str = DEFAULT_STRATEGY, config: StrategyConfig | None = None) -> Strategy:
    """Return a new strategy without any memory of earlier pages.

    Parameters
    ----------
    name
        Name or dotted path; see :func:`find_strategy`.
    config
        Parameters of the strategy; the defaults if left out.

    Raises
    ------
    ConfigurationError
        The strategy cannot be found, or what was found is not a strategy.

    Examples
    --------
    >>> make_strategy("breadth-first").name
    'breadth-first'
    """
    strategy = find_strategy(name)(config or StrategyConfig())
    if missing := [attribute for attribute in _INTERFACE if not hasattr(strategy, attribute)]:
        raise ConfigurationError(
            _(
                "strategy {name!r} lacks {missing}; a subclass of "
                "topiccrawl.scoring.strategy.Strategy inherits the defaults"
            ).format(name=name, missing=listed(missing))
        )
    return strategy
