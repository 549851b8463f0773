"""New words: what is found in texts that hold words of no dictionary."""

from __future__ import annotations

from pathlib import Path

import pytest

from topiccrawl.text.segment import make_segmenter
from topiccrawl.vocabulary import features
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.new_words import least_count, new_words

PATTERNS = (
    "昨天{}来到学校。", "我们认识{}很久了，", "大家都说{}很好。", "记者采访了{}。", "{}的家在山上。",
    "他和{}一起工作，", "据{}介绍，", "{}表示感谢。", "老师请{}回答问题。", "这是{}写的信。",
)  # fmt: skip


#: Ordinary texts around them.
SAMPLES = Path(__file__).parents[2] / "seeds" / "侨情" / "samples"


def texts_about(*words: str) -> list[str]:
    return [pattern.format(word) for word in words for pattern in PATTERNS]


def ordinary_texts() -> list[str]:
    return [file.read_text() for file in sorted(SAMPLES.iterdir())]


def test_words_that_the_dictionary_lacks_come_first() -> None:
    unknown = ("穆加尼", "董岚清", "罗豫宁")
    texts = [*ordinary_texts(), *texts_about(*unknown)]
    found = [it.word for it in new_words(texts)]
    assert set(unknown) <= set(found[:10]), found[:30]


def test_words_of_the_dictionary_are_not_new() -> None:
    dictionary = load_dictionary()
    found = new_words(texts_about("图书馆", "瓦西里斯"))
    assert found
    assert not [it.word for it in found if it.word in dictionary]


@pytest.mark.parametrize("texts", [[], [""], ["plain English, 123\n\x00"], ["茶"], ["\ud800茶"]])
def test_texts_without_new_words_give_none(texts: list[str]) -> None:
    assert new_words(texts) == []


def test_counts_and_probabilities_are_those_of_the_text() -> None:
    texts = [*ordinary_texts(), *texts_about("董岚清")]
    found = {it.word: it for it in new_words(texts)}
    assert found["董岚清"].count == len(PATTERNS)
    assert all(0.0 < it.probability <= 1.0 and 0.0 < it.whole <= 1.0 for it in found.values())
    # With whole names it is a word; names that are cut make it two.
    assert found["董岚清"].whole > 0.5


def test_traditional_and_simplified_texts_give_the_same_words() -> None:
    plain = new_words(texts_about("穆兰语"))
    assert new_words([text.replace("穆兰语", "穆蘭語") for text in texts_about("穆兰语")]) == plain


def test_a_long_text_is_read_in_pieces_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\n".join(texts_about("瓦西里斯", "穆加尼"))
    whole = new_words([text])
    monkeypatch.setattr(features, "_PIECE", 50)
    assert new_words([text]) == whole


def test_large_texts_ask_for_more_occurrences() -> None:
    counts = [least_count(characters) for characters in (10_000, 1_000_000, 17_000_000)]
    assert counts[0] == 1
    assert counts[0] < counts[1] < counts[2]


def test_strings_that_occur_too_seldom_are_left_out() -> None:
    texts = [*texts_about("瓦西里斯"), *texts_about("穆加尼")[:2]]
    found = {it.word for it in new_words(texts, least=3, segmenter=make_segmenter())}
    assert "瓦西里斯" in found
    assert "穆加尼" not in found
