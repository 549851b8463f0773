"""What changed between two texts: sentences in order, similar ones compared inside."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.changes import Change, sentence_change, text_changes
from topiccrawl.text.sentences import split_sentences

WORDS = ("侨胞返乡", "侨务工作", "投资创业", "2024年", "春节", "a b", "，", "的")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(
    lambda it: "".join(it) + "。"
)
texts = st.lists(sentences, max_size=12).map("".join)


def old_text(changes: list[Change]) -> list[str]:
    """The sentences of the old text, as the changes have them."""
    found = []
    for change in changes:
        if change.kind in ("same", "removed"):
            found.append(change.text)
        elif change.kind == "changed":
            found.append("".join(it.text for it in change.pieces if it.kind != "added"))
    return found


def new_text(changes: list[Change]) -> list[str]:
    found = []
    for change in changes:
        if change.kind in ("same", "added"):
            found.append(change.text)
        elif change.kind == "changed":
            found.append("".join(it.text for it in change.pieces if it.kind != "removed"))
            assert found[-1] == change.text
    return found


@given(texts, texts)
def test_both_texts_can_be_read_from_the_changes(old: str, new: str) -> None:
    changes = text_changes(old, new)
    assert old_text(changes) == split_sentences(old)
    assert new_text(changes) == split_sentences(new)
    assert all(bool(it.pieces) == (it.kind == "changed") for it in changes)


@given(texts)
def test_an_equal_text_has_no_changes(text: str) -> None:
    assert all(it.kind == "same" for it in text_changes(text, text))


@given(texts, sentences, texts)
def test_a_new_sentence_is_the_only_change(before: str, sentence: str, after: str) -> None:
    changes = text_changes(before + after, f"{before}全新的一句！{after}")
    assert [it for it in changes if it.kind != "same"] == [Change("added", "全新的一句！")]


def shown(change: Change) -> str:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(marks[it.kind].format(it.text) for it in change.pieces)


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("共有123人参加。", "共有1,240人参加。", "共有[-123-]{+1,240+}人参加。"),
        ("2024年5月1日发布。", "2025年5月1日发布。", "[-2024-]{+2025+}年5月1日发布。"),
        ("侨胞返乡投资。", "侨胞返乡创业投资。", "侨胞返乡{+创业+}投资。"),
        ("他在会上表示支持。", "他在会上表示坚决支持。", "他在会上表示{+坚决+}支持。"),
        # One equal character between two changes is part of the change.
        ("甲乙丙丁戊己庚辛", "甲乙子丁丑己庚辛", "甲乙[-丙丁戊-]{+子丁丑+}己庚辛"),
        ("甲乙丙丁戊己庚辛", "甲乙子丁戊丑庚辛", "甲乙[-丙-]{+子+}丁戊[-己-]{+丑+}庚辛"),
        ("The Open Day", "The Closed Day", "The [-Open-]{+Closed+} Day"),
    ],
)
def test_a_changed_sentence_shows_what_was_replaced(old: str, new: str, pieces: str) -> None:
    assert shown(sentence_change(old, new)) == pieces


def test_a_similar_sentence_is_changed_and_another_one_replaced() -> None:
    old = "开头不变。市政府昨日召开侨务工作会议。天气晴。结尾不变。"
    new = "开头不变。市政府今日召开侨务工作会议。明天放假。结尾不变。"
    assert [it.kind for it in text_changes(old, new)] == [
        "same",
        "changed",
        "removed",
        "added",
        "same",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "".join(f"第{n}句旧文。" for n in range(20_000)),
            "".join(f"第{n}句新文。" for n in range(20_000)),
        ),
        ("同。" * 40_000, "同。异。" * 20_000),
        (
            "".join(f"甲{n % 99}。" for n in range(40_000)),
            "".join(f"甲{n % 98}。" for n in range(40_000)),
        ),
        ("侨乡" * 75_000, "乡侨" * 75_000),
        ("".join("ab"[n % 2] * (n % 7 + 1) for n in range(249)) + "。", "ba " * 300),
        (("一二三四五" * 199 + "。") * 150, ("五四三二一" * 199 + "。") * 150),
    ],
    ids=["all changed", "repeated", "periodic", "one sentence", "letters", "long sentences"],
)
def test_the_longest_texts_are_compared_in_bounded_time(old: str, new: str) -> None:
    began = time.process_time()
    text_changes(old, new)
    # Far above what it takes (1 s), far below what an unbounded comparison would.
    assert time.process_time() - began < 20
