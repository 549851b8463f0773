"""Strings of links are analyzed once and together; the caches are bounded."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from topiccrawl.analysis import linktext
from topiccrawl.analysis.linktext import LinkText
from topiccrawl.scoring.vsm import cosine
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.topics.topic import Topic

LINKS = [
    ("归侨座谈会", "侨眷", "昨天在华侨城举行", "http://a.example/qiaowu/1.html", ""),
    ("归侨座谈会", "", "", "http://a.example/2.html", "showTip('华侨')"),
    ("华侨城门票", "侨乡", "海外侨胞", "http://[broken/华侨", ""),
    ("天气预报", "", "昨天在华侨城举行", "http://a.example/qiaowu/1.html", ""),
    ("", "", "", "", ""),
]


def test_links_analyzed_together_have_the_same_values_as_alone(topic: Topic) -> None:
    together = LinkText(topic, features=True, words=None).read(LINKS)
    for link, found in zip(LINKS, together, strict=True):
        (alone,) = LinkText(topic, features=True, words=None).read([link])
        assert repr(found) == repr(alone)  # nan equals no nan


def test_similarities_are_the_cosines_of_the_vector_space_model(topic: Topic) -> None:
    terms = topic.analyzer.terms
    for link, (name, around, _) in zip(
        LINKS, LinkText(topic, features=False, words=None).read(LINKS), strict=True
    ):
        named = [*terms(link[0]), *terms(link[1])]
        assert name.similarity == cosine(topic.weigh(named), topic.vector)
        assert around.similarity == cosine(topic.weigh(terms(link[2])), topic.vector)


def test_a_string_is_analyzed_once(topic: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    original = TextAnalyzer.terms_all

    def terms_all(self: TextAnalyzer, texts: Sequence[str]) -> list[list[str]]:
        asked.extend(texts)
        return original(self, texts)

    monkeypatch.setattr(TextAnalyzer, "terms_all", terms_all)
    text = LinkText(topic, features=True, words=None)
    first = text.read(LINKS)
    assert asked.count("昨天在华侨城举行") == 1
    asked.clear()
    assert repr(text.read(LINKS)) == repr(first)
    assert not asked
    text.read([("归侨座谈会", "", "新的周围", "http://a.example/2.html", "showTip('华侨')")])
    assert asked == ["新的周围"]


def test_the_caches_are_bounded(topic: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linktext, "KEPT", 4)
    text = LinkText(topic, features=True, words=None)
    for i in range(50):
        (found,) = text.read([(f"归侨{i}", "", f"华侨{i}", f"http://a.example/{i}", "")])
        assert found[0].anchor_value == 1.0
        assert max(len(text._names), len(text._surroundings), len(text._addresses)) <= 4
