from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategy import LinkBatch, StrategyConfig


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("c", 1.5, r"c must be in \[0, 1\], got 1.5"),
        ("d_rwb", -0.1, r"d_rwb must be in \[0, 1\], got -0.1"),
        ("damping", 1.0, r"damping must be in \[0, 1\), got 1.0"),
        ("damping", float("nan"), r"damping must be in \[0, 1\), got nan"),
        ("iterations", 0, "iterations must be >= 1, got 0"),
        ("iterations", 2.5, "iterations must be a whole number, got 2.5"),
        ("iterations", True, "iterations must be a whole number, got True"),
        ("run_seed", "1", "run_seed must be a whole number, got '1'"),
        ("c", "0.5", "c must be a number, got '0.5'"),
        ("mode", "literal", "mode must be one of 'capped', 'thesis', got 'literal'"),
        ("teleport", "", "teleport must be one of 'relevance', 'constant', None, got ''"),
        ("metadata_weight", 2, r"metadata_weight must be in \[0, 1\], got 2"),
        (
            "amh_text",
            0.9,
            "amh_url, amh_text, amh_title: AMH weights must sum to at most 1, got 1.3",
        ),
        ("parent_weight", 0.7, r"metadata_weight \+ parent_weight must be at most 1, got 1.1"),
        ("damping", -0.5, r"damping must be in \[0, 1\), got -0.5"),
        ("mode", None, "mode must be one of 'capped', 'thesis', got None"),
    ],
)
def test_a_wrong_value_is_refused_by_field_rule_and_value(
    field: str, value: object, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        StrategyConfig(**{field: value})  # type: ignore[arg-type]


def test_the_teleport_follows_the_mode_unless_it_is_given() -> None:
    assert StrategyConfig().effective_teleport == "relevance"
    assert StrategyConfig(mode="thesis").effective_teleport == "constant"
    assert StrategyConfig(mode="thesis", teleport="relevance").effective_teleport == "relevance"


def test_the_coin_of_rwb_follows_the_mode_unless_it_is_given() -> None:
    assert StrategyConfig().effective_d == 0.0
    assert StrategyConfig(mode="thesis").effective_d == 0.5
    assert StrategyConfig(d_rwb=0.3).effective_d == 0.3


def test_an_unknown_strategy_is_refused_with_all_names() -> None:
    with pytest.raises(ConfigurationError, match=r"strategy must be one of breadth-first, .*'bfs'"):
        make_strategy("bfs")


def test_every_name_makes_the_strategy_of_that_name() -> None:
    assert [make_strategy(name).name for name in STRATEGIES] == list(STRATEGIES)
    assert len(set(STRATEGIES)) == len(STRATEGIES) >= 16


def test_the_default_is_adaptive() -> None:
    assert make_strategy().name == "adaptive"


def test_a_batch_whose_arrays_differ_in_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"LinkBatch.title_hit must have shape \(2,\), got \(1,\)"):
        LinkBatch(
            targets=np.zeros(2, dtype=np.int64),
            rw_relevance=np.zeros(2),
            url_hit=np.zeros(2, dtype=bool),
            text_hit=np.zeros(2, dtype=bool),
            title_hit=np.zeros(1, dtype=bool),
            anchor_similarity=np.zeros(2),
            context_similarity=np.zeros(2),
        )
