"""Strategies by name and by dotted path, and what they declare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scrapy.settings import Settings

from tests.support.drawn_web import DrawnLink, DrawnWeb, crawl_order
from topiccrawl.crawl.queue.rounds import next_round
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts, Strategy


class LastIdFirst(Strategy):
    """A strategy of another project: it only orders by link id."""

    name = "last-id-first"

    def __init__(self, config: StrategyConfig) -> None:
        self.config = config

    def score(self, page: PageView) -> LinkScores:
        return LinkScores(page.links.targets.astype(np.float64), {})

    def rank(self) -> Iterator[None]:
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        return ids.astype(np.float64), {}


def made_by_a_function(config: StrategyConfig) -> Strategy:
    return LastIdFirst(config)


class Unfinished:
    """Not a strategy: no defaults, no methods but one."""

    name = "unfinished"

    def __init__(self, config: StrategyConfig) -> None: ...

    def rank(self) -> Iterator[None]:
        return iter(())


NOT_CALLABLE = "a string"


@pytest.mark.parametrize("attribute", ["LastIdFirst", "made_by_a_function"])
def test_a_strategy_of_another_project_is_found_by_its_dotted_path(attribute: str) -> None:
    config = StrategyConfig(c=0.3)
    strategy = make_strategy(f"{__name__}.{attribute}", config)
    assert isinstance(strategy, LastIdFirst)
    assert strategy.config is config
    web = DrawnWeb(links={"s": ["a", "c", "b"], "c": ["d"]})
    assert crawl_order(web, strategy, ["s"]) == "s c d b a"
    assert next_round(strategy, 0, 0, 100) == 100
    assert (strategy.wants, strategy.draws) == (frozenset(), False)


def test_the_setting_takes_a_dotted_path() -> None:
    path = f"{__name__}.LastIdFirst"
    config = CrawlSettings.from_settings(Settings({"TOPICCRAWL_STRATEGY": path}))
    assert make_strategy(config.strategy, config.strategy_config(0.5)).name == "last-id-first"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no_such_package.Strategy", "cannot import 'no_such_package'.*No module named"),
        (f"{__name__}.Missing", f"module '{__name__}' has no class or function 'Missing'"),
        (f"{__name__}.NOT_CALLABLE", "has no class or function 'NOT_CALLABLE'"),
        (
            f"{__name__}.Unfinished",
            "lacks wants, draws, round_growth, round_least_growth, wants_round, compare_meaning, score, add, "
            "most_in_flight, handed_out, judged_again, rescore;",
        ),
        (".relative.Strategy", r"one of breadth-first, .* dotted path .*'\.relative\.Strategy'"),
        ("", "one of breadth-first, .*got ''"),
    ],
)
def test_a_wrong_path_is_refused_with_its_reason(path: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_strategy(path)


#: Links without evidence, so that RWB draws; enough of them that two seeds hardly agree by chance.
DRAWN = DrawnWeb(
    links={
        "s": [DrawnLink(f"a{i}", words=(i,), semantic=(0.1, 0.2)) for i in range(12)],
        **{f"a{i}": [f"b{i}", "s", f"a{i + 1}"] for i in range(12)},
    },
    relevance={"s": 0.4, "a3": 0.8, "b5": 0.9},
    terms={"s": [1, 2], "a3": [2, 3]},
)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_draws_if_and_only_if_its_order_depends_on_the_run_seed(name: str) -> None:
    orders = {
        crawl_order(DRAWN, make_strategy(name, StrategyConfig(run_seed=seed)), ["s"], rank_every=4)
        for seed in range(3)
    }
    assert (len(orders) > 1) is make_strategy(name).draws
