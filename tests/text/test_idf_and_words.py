from __future__ import annotations

from importlib.resources import files

import pytest

from topiccrawl.text.idf import UNKNOWN_HAN, UNKNOWN_OTHER, IdfTable
from topiccrawl.text.stem import stem
from topiccrawl.text.words import common_english, read_list, stop_words

TABLE = IdfTable()


def test_han_words_have_jiebas_values() -> None:
    lines = (files("jieba") / "analyse" / "idf.txt").read_text(encoding="utf-8").splitlines()
    for line in lines[:: len(lines) // 50]:
        word, value = line.split()
        assert TABLE.idf(word) == float(value)


def test_the_default_is_the_median_of_jiebas_table() -> None:
    lines = (files("jieba") / "analyse" / "idf.txt").read_text(encoding="utf-8").splitlines()
    values = sorted(float(line.split()[1]) for line in lines)
    assert values[len(values) // 2] == UNKNOWN_HAN
    assert TABLE.idf("侨鬱龘") == UNKNOWN_HAN


def test_common_english_is_less_specific_than_rare_english() -> None:
    assert TABLE.idf("page") < TABLE.idf(stem("government")) < TABLE.idf("cyclon")
    assert TABLE.idf("cyclon") == UNKNOWN_OTHER
    assert TABLE.idf("café") == UNKNOWN_OTHER


def test_it_contains_its_own_terms() -> None:
    assert TABLE.contains("文化")
    assert TABLE.contains("page")
    assert not TABLE.contains("龘侨龘")


def test_lookups_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topiccrawl.text.idf._KEPT", 3)
    table = IdfTable()
    for i in range(10):
        table.idf(f"term{i}")
    assert len(table._known) <= 4


def test_word_lists_are_normalised_and_without_comments() -> None:
    words = stop_words()
    assert {"我们", "但是", "the", "and"} <= words
    assert all(word == word.strip().lower() and "#" not in word for word in words)
    assert not words & {"华侨", "文化", "energy"}
    assert set(common_english().values()) == {4.0, 4.5, 6.0}
    assert all(read_list("stop-zh.txt"))
