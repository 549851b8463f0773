"""``scrapy explain`` has words for every part that any strategy can give a score."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.reporting.part_words import PARTS
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategy import LinkBatch, PageView


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_part_of_a_score_has_a_meaning_in_both_languages(name: str) -> None:
    strategy = make_strategy(name)
    values = np.array([0.0, 0.4, 1.0])
    links = LinkBatch(np.arange(3), values, values > 0, values > 0, values > 0, values, values)
    page = PageView(9, 0.5, 0.5, True, depth=1, order=1, inherited=0.2, links=links)
    parts = set(strategy.score(page).parts)
    for _ in strategy.rank():
        pass
    parts |= set(strategy.rescore(links.targets)[1])
    assert parts <= PARTS.keys()
    assert all(chinese and english for chinese, english in PARTS.values())
