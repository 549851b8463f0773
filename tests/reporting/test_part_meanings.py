"""``scrapy explain`` has words for every part that any strategy can give a score."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.meaning_encoder import Encoder
from topiccrawl.crawl.judgments.deciding import judgment_numbers
from topiccrawl.reporting.words.parts import JUDGMENT_PARTS, PARTS
from topiccrawl.scoring.classifier import Judgment
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategy import LinkBatch, PageView


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_part_of_a_score_has_a_meaning_in_both_languages(name: str) -> None:
    strategy = make_strategy(name)
    strategy.compare_meaning(TopicMeaning(Encoder(), ["weasel"]))
    values = np.array([0.0, 0.4, 1.0])
    links = LinkBatch(np.arange(3), values, values > 0, values > 0, values > 0, values, values)
    page = PageView(9, 0.5, 0.5, True, depth=1, order=1, inherited=0.2, links=links)
    parts = set(strategy.score(page).parts)
    for _ in strategy.rank():
        pass
    parts |= set(strategy.rescore(links.targets)[1])
    assert parts <= PARTS.keys()
    assert all(chinese and english for chinese, english in PARTS.values())


def test_every_part_of_a_judgment_has_a_meaning_in_both_languages() -> None:
    judgment = Judgment(
        *(0.6, True, (0.5, -0.25, 1.0)), words=0.4, constant=-2.0, meaning=1.5, channel=2.0
    )
    assert judgment_numbers(judgment, 0.4).parts.keys() == JUDGMENT_PARTS.keys()
    assert all(chinese and english for chinese, english in JUDGMENT_PARTS.values())
    by_words = judgment_numbers(Judgment(0.6, True), 0.4)
    assert (by_words.threshold, by_words.parts) == (None, {})
