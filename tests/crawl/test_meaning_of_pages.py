"""When a crawl compares the meaning of pages and links: if the package is there, and nobody has turned it off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scrapy.settings import Settings

from topiccrawl.analysis.links import MergedLink
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.judgments import deciding
from topiccrawl.crawl.queue.ordering import LinkOrder
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.page.page import Page
from topiccrawl.scoring.classifier import Judgment
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategy import ANCHOR_CHARACTERS, LEAD_CHARACTERS
from topiccrawl.text.meaning import SentenceEncoder
from topiccrawl.topics.definition import Keyword, TopicDefinition
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.traps import TrapRules


def with_settings(**given: object) -> CrawlSettings:
    return CrawlSettings.from_settings(Settings({f"TOPICCRAWL_{k}": v for k, v in given.items()}))


@pytest.fixture(scope="module")
def topic() -> Topic:
    return Topic.learn(find_definition("侨情"))


@pytest.mark.parametrize(
    ("installed", "settings", "compares"),
    [
        (True, with_settings(), True),
        (False, with_settings(), False),
        (True, with_settings(MEANING=False), False),
        (True, with_settings(PAGE_CLASSIFIER=False), False),
    ],
)
def test_meaning_is_compared_if_it_can_and_may_be(
    topic: Topic,
    installed: bool,
    settings: CrawlSettings,
    compares: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deciding, "has_encoder", lambda: installed)
    assert deciding.compares_meaning(topic, settings) is compares


def test_pages_in_traditional_and_simplified_characters_are_compared_alike(topic: Topic) -> None:
    simple, traditional = (
        _analysis(topic, title, text * 30, leads=True).view.lead
        for title, text in (("鸟类", "鸟类的羽毛。"), ("鳥類", "鳥類的羽毛。"))
    )
    assert simple == traditional


@pytest.mark.parametrize(
    ("keywords", "compared"),
    [
        ((Keyword("哺乳动物", 1.0, "core"), Keyword("动物园", 0.5, "related")), ["哺乳动物"]),
        ((Keyword("动物园", 0.5, "related"),), ["动物园"]),
        ((Keyword("動物園", 1.0, "core"),), ["动物园"]),
        ((Keyword("水獭", 1.0, "core"), Keyword("鼬", 1.0, "core")), ["水獭", "鼬"]),
    ],
)
def test_pages_are_compared_with_the_words_that_define_the_topic(
    keywords: tuple[Keyword, ...], compared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    class Encoder(SentenceEncoder):
        def __call__(self, texts: object) -> np.ndarray:
            asked.append(list(texts))  # type: ignore[call-overload]
            return np.ones((len(asked[-1]), 2), dtype=np.float32)

    monkeypatch.setattr(deciding, "has_encoder", lambda: True)
    monkeypatch.setattr(deciding, "sentence_encoder", Encoder)
    topic = Topic.learn(TopicDefinition("兽类", keywords=keywords))
    classifier = deciding.make_classifier(topic, with_settings())
    assert classifier.words == len(compared)
    analysis = _analysis(topic, "水獭", "水獭生活在河边。" * 30, leads=True)
    for number in range(60):
        classifier.add(replace(analysis.view, id=number))
    for _ in classifier.learn():
        pass
    texts = {text for piece in asked for text in piece}
    assert len(texts) == 1 + len(compared)
    assert texts > set(compared)
    assert (texts - set(compared)).pop().startswith("水獭. 水獭生活在河边。")


def _analysis(topic: Topic, title: str, text: str, *, leads: bool) -> PageAnalysis:
    html = f"<html><meta charset=utf-8><title>{title}</title><body><p>{text}</p></body></html>"
    reader = make_reader(topic, [make_strategy("rw")], leads=leads)
    page = Page("http://a.example/1.html", html.encode())
    return PageAnalysis(page, topic, reader, canonical_url)


def test_a_page_carries_its_first_words_only_where_they_are_wanted(topic: Topic) -> None:
    text = "第一句话说的是水獭，\n第二句话说的是鼬。" * 20
    found = _analysis(topic, "水獭" * 100, text, leads=True).view.lead
    assert found.startswith("水獭")
    assert len(found) <= LEAD_CHARACTERS
    assert "\n" not in found
    assert "第一句话" in found
    assert _analysis(topic, "水獭", text, leads=False).view.lead == ""


@pytest.mark.parametrize(
    ("strategy", "leads", "wanted"),
    [("adaptive", True, True), ("adaptive", False, False), ("rw", True, False)],
)
def test_links_carry_their_texts_only_where_they_are_compared(
    topic: Topic, strategy: str, leads: bool, wanted: bool
) -> None:
    reader = make_reader(topic, [make_strategy(strategy)], leads=leads)
    links = [
        MergedLink(f"http://a.example/{i}", f"http://a.example/{i}", text, "", "", "", False)
        for i, text in enumerate(["水獭", f" {'鼬' * 100}", ""])
    ]
    read = reader.read(links)
    texts = [["水獭"], ["鼬" * (ANCHOR_CHARACTERS - 1)], [""]]
    assert read.batch.anchors.tolist() == (texts if wanted else [[], [], []])
    chosen = read.select([False, True, False]).batch.anchors.tolist()
    assert chosen == ([texts[1]] if wanted else [[]])


def test_the_strategy_compares_what_the_classifier_compares(topic: Topic) -> None:
    class Compared(AdaptiveStrategy):
        given: TopicMeaning | None = None

        def compare_meaning(self, topic: TopicMeaning) -> None:
            self.given = topic

    for settings in (with_settings(), with_settings(MEANING=False)):
        strategy = Compared()
        classifier = deciding.make_classifier(topic, settings)
        LinkOrder(
            strategy, CrawlQueue(MemoryFrontier()),
            UrlFilter(TrapRules(), lambda: 0.0), classifier, settings,
        )  # fmt: skip
        assert strategy.given is classifier.meaning
        assert (strategy.given is None) is not deciding.compares_meaning(topic, settings)


def test_a_judgment_in_the_store_names_the_meaning_only_if_it_was_compared() -> None:
    judged = Judgment(0.7, True, (1.0, 0.5, 0.0), 0.4, -1.0, 1.5)
    assert deciding.judgment_numbers(judged, 0.5).parts["meaning"] == 1.5
    without = replace(judged, meaning=None)
    assert "meaning" not in deciding.judgment_numbers(without, 0.5).parts
