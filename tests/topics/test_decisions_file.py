"""The file of decisions about words: what is read, what is refused, and what a topic makes of it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.decisions import Decision, load_decisions, save_decisions
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.topic import Topic

MOMENT = datetime(2026, 5, 1, 8, 30, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "茶"
    (folder / "samples").mkdir(parents=True)
    (folder / "topic.toml").write_text('name = "茶"\n[keywords.core]\n"茶叶" = 1.0\n')
    (folder / "samples" / "1.txt").write_text("紫砂壶泡茶叶，乌龙茶用紫砂壶泡。福建的乌龙茶。" * 3)
    return folder


def test_what_is_saved_is_read_again(folder: Path) -> None:
    file = folder / "vocabulary.tsv"
    decisions = (Decision("紫砂壶", True, 0.8, MOMENT, "茶具"), Decision("福建", False, at=MOMENT))
    save_decisions(file, decisions)
    assert load_decisions(file) == decisions


def test_the_last_decision_counts_and_the_others_stay_as_history(folder: Path) -> None:
    file = folder / "vocabulary.tsv"
    save_decisions(file, [Decision("福建", True, 0.4)])
    save_decisions(file, [Decision("福建", False)])
    assert load_decisions(file) == (Decision("福建", False),)
    assert file.read_text().count("福建") == 2


def test_words_are_compared_in_their_normal_form(folder: Path) -> None:
    (folder / "vocabulary.tsv").write_text("﻿烏龍茶\taccept\r\n乌龙茶\trefuse\n")
    assert load_decisions(folder / "vocabulary.tsv") == (Decision("乌龙茶", False),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("茶具", "line 2: decision must be accept or refuse, got ''"),
        ("茶具\tmaybe", "decision must be accept or refuse, got 'maybe'"),
        ("茶具\taccept\t1.5", "value must be a number in (0, 1], got '1.5'"),
        ("茶具\taccept\tnan", "value must be a number in (0, 1], got 'nan'"),
        ("——\taccept", "word must contain a letter"),
        ("茶具\trefuse\t\tgestern", "time must be a date"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, line: str, message: str) -> None:
    file = folder / "vocabulary.tsv"
    file.write_text(f"# words\n{line}\n")
    with pytest.raises(ConfigurationError) as error:
        load_definition(folder)
    assert message in str(error.value)
    assert "vocabulary.tsv" in str(error.value)
    before = file.read_bytes()
    with pytest.raises(ConfigurationError):
        save_decisions(file, [Decision("壶", True)])
    assert file.read_bytes() == before


def test_accepted_words_are_words_of_the_topic_and_enter_the_segmenter(folder: Path) -> None:
    save_decisions(folder / "vocabulary.tsv", [Decision("紫砂壶泡", True, 0.7)])
    topic = Topic.learn(load_definition(folder))
    assert ("紫砂壶泡", 0.7) in topic.rel(topic.analyzer.terms("用紫砂壶泡的"))


def test_refused_words_are_not_learned_from_samples(folder: Path) -> None:
    assert Topic.learn(load_definition(folder)).vector.get("福建")
    save_decisions(folder / "vocabulary.tsv", [Decision("福建", False)])
    topic = Topic.learn(load_definition(folder))
    assert not topic.vector.get("福建")
    assert not topic.rel(topic.analyzer.terms("福建"))


def test_the_words_of_topic_toml_outweigh_decisions(folder: Path) -> None:
    save_decisions(
        folder / "vocabulary.tsv", [Decision("茶叶", False), Decision("茶叶", True, 0.1)]
    )
    definition = load_definition(folder)
    assert [(k.term, k.value) for k in definition.keywords] == [("茶叶", 1.0)]
    assert definition.refused == ()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of folders")
def test_decisions_that_are_saved_at_the_same_time_are_all_kept(folder: Path) -> None:
    file = folder / "vocabulary.tsv"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: save_decisions(file, [Decision(f"茶{n}", True)]), range(40)))
    assert len(load_decisions(file)) == 40
