"""The classifier judges by characters, without keywords, and never a page that it was trained on."""

from __future__ import annotations

import random

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.judging.judge import by_classifier, by_labels, features, quarter_of
from topiccrawl.evaluation.webs.web import WebTopic

_ON = ["lava", "magma", "crater", "ash", "slope", "basalt", "summit", "vent", "plume", "tephra"]
_OFF = [
    "budget",
    "tax",
    "minister",
    "vote",
    "debate",
    "pension",
    "law",
    "senate",
    "reform",
    "party",
]


def made_web(n: int = 240) -> tuple[dict[str, str], WebTopic]:
    draw = random.Random(3)
    texts, relevant = {}, set()
    for i in range(n):
        on = i % 6 == 0
        words = [draw.choice(_ON if on else _OFF) for _ in range(60)]
        texts[f"http://w.example/{i}"] = " ".join([*words, "volcano"])
        if on:
            relevant.add(f"http://w.example/{i}")
    return texts, WebTopic("v", ("volcano",), (), {}, frozenset(relevant))


def test_labels_are_taken_as_they_are() -> None:
    _, topic = made_web()
    assert by_labels(topic).relevant == topic.relevant


@pytest.mark.slow
def test_the_classifier_finds_the_pages_of_the_topic_by_their_other_words() -> None:
    texts, topic = made_web()
    verdict = by_classifier(topic, list(texts), texts.__getitem__)
    assert verdict.precision > 0.95
    assert verdict.recall > 0.95


@pytest.mark.slow
def test_a_wrong_label_does_not_decide_about_its_own_page() -> None:
    texts, topic = made_web()
    wrong = next(url for url in texts if url not in topic.relevant)
    mislabeled = WebTopic("v", topic.keywords, (), {}, topic.relevant | {wrong})
    assert wrong not in by_classifier(mislabeled, list(texts), texts.__getitem__).relevant


def test_pages_that_differ_in_the_keywords_alone_look_the_same() -> None:
    rows = features(["lava VOLCANO slope", "lava slope", "lava  volcano  slope"], ["volcano"])
    assert (rows[0] - rows[1]).count_nonzero() == 0
    assert (rows[1] - rows[2]).count_nonzero() == 0


def test_empty_texts_have_rows_too() -> None:
    assert features(["", "x"], []).shape[0] == 2


def test_too_few_labels_are_an_error() -> None:
    texts, _ = made_web(20)
    topic = WebTopic("v", (), (), {}, frozenset(list(texts)[:3]))
    with pytest.raises(ConfigurationError, match="needs 5 labeled pages"):
        by_classifier(topic, list(texts), texts.__getitem__)


def test_halves_are_about_equal_and_fixed() -> None:
    quarters = [quarter_of(f"http://w.example/{i}") for i in range(1_000)]
    assert 400 < sum(quarter // 2 for quarter in quarters) < 600
    assert quarters[:10] == [quarter_of(f"http://w.example/{i}") for i in range(10)]
