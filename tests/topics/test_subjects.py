"""Words of subjects: English names, and narrower words of a word that names a class."""

from __future__ import annotations

import pytest

from topiccrawl.topics.classification import load_classification
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.subjects import english_names, load_subjects, narrower_words
from topiccrawl.topics.topic import Topic


def test_subjects_are_filed_under_classes_that_exist() -> None:
    assert len(load_subjects()) > 150
    tree = load_classification()
    assert [s.code for s in load_subjects() if tree.nearest(s.code) is None] == []


def test_a_subject_has_its_english_names() -> None:
    assert english_names()["音乐"] == ("music",)
    assert english_names()["戏剧"] == ("drama", "theatre", "theater")


@pytest.mark.parametrize(
    ("word", "narrower"),
    [
        ("音乐", ["钢琴", "吉他"]),
        ("music", ["piano", "guitar"]),
        ("animals", ["zoology", "bird"]),
        ("钢琴", []),
        ("文化", []),
        ("滤镜", []),
        ("novels", []),
    ],
)
def test_only_the_name_of_a_class_has_narrower_words(word: str, narrower: list[str]) -> None:
    assert narrower_words(word) == narrower


def test_narrower_words_count_a_little_in_a_topic_of_one_word() -> None:
    topic = Topic.learn(bare_definition("音乐"))
    assert 0 < topic.vector["钢琴"] < topic.vector["音乐"] / 3
    assert topic.rel(["钢琴", "音乐"]) == [("钢琴", 0.2), ("音乐", 1.0)]
    assert topic.keyword_hits(["钢琴"]).distinct == 0
