from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text import analyzer as module
from topiccrawl.text.analyzer import TextAnalyzer

ANALYZER = TextAnalyzer(["华侨城", "茶", "tropical cyclone", "涉侨", "7-eleven"])


@pytest.mark.parametrize(
    ("text", "terms", "why"),
    [
        ("僑務委員會", ["侨务", "委员会"], "traditional text has simplified terms"),
        ("Ｃ９１９大飞机", ["c919", "飞机"], "full-width letters and digits"),
        ("Tropical cyclones", ["tropic", "cyclon"], "English is stemmed"),
        ("the storms of 2005 and 3.14", ["storm"], "English stop words and numbers go"),
        ("我们在一起，但是他们的", [], "Chinese stop words go"),
        ("二〇二三年三千万", [], "Chinese numerals go"),
        ("三月一日，一名", [], "with their measure words"),
        ("喝茶，喝 茶", ["喝茶", "茶"], "a single character stays only as a topic word"),
        ("涉侨fund活动", ["涉侨", "fund", "活动"], "mixed scripts"),
        ("华侨城", ["华侨城"], "a topic word is one term"),
        ("a" * 41, [], "no word is that long"),
        ("", [], "nothing"),
        ("🍵！？…", [], "no letters"),
    ],
)
def test_terms_of_a_text(text: str, terms: list[str], why: str) -> None:
    assert ANALYZER.terms(text) == terms, why


def test_a_topic_word_is_kept_even_if_it_is_a_stop_word() -> None:
    assert TextAnalyzer().terms("the who") == []
    assert TextAnalyzer(["Who"]).terms("the who") == ["who"]


@given(st.lists(st.text("华侨茶文化 storms僑ａ，1", max_size=12), max_size=12))
def test_many_strings_have_the_terms_of_each(texts: list[str]) -> None:
    expected = [ANALYZER.terms(text) for text in texts]
    assert ANALYZER.terms_all(texts) == expected
    assert ANALYZER.terms_all(texts) == expected  # from memory now


def test_changing_a_result_does_not_change_what_is_remembered() -> None:
    ANALYZER.terms_all(["华侨城"])[0].clear()
    assert ANALYZER.terms_all(["华侨城", "华侨城"]) == [["华侨城"], ["华侨城"]]


def test_memory_is_bounded_and_forgets_the_least_recent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT_STRINGS", 2)
    monkeypatch.setattr(module, "_KEPT_WORDS", 3)
    analyzer = TextAnalyzer()
    analyzer.terms_all(["北京", "上海"])
    analyzer.terms_all(["北京"])
    analyzer.terms_all(["广州", "x" * 65])
    assert list(analyzer._terms_of) == ["北京", "广州"]
    assert analyzer.terms("北京 上海 广州 深圳 厦门") == ["北京", "上海", "广州", "深圳", "厦门"]
    assert analyzer.terms("泉州") == ["泉州"]
    assert len(analyzer._term_of) <= 3


def test_a_surface_is_the_commonest_word_of_a_term() -> None:
    surfaces = ANALYZER.surfaces("Cyclones and a cyclone, the cyclone; 僑務")
    assert surfaces == {"cyclon": "cyclone", "侨务": "侨务"}


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    assert all(ANALYZER.terms(text))


def test_lines_are_normalized_and_analyzed_one_by_one() -> None:
    analyzer = TextAnalyzer()
    text = "僑批檔案館\n\nＡＢＣ Archives，開放"
    normal, terms = analyzer.lines(text)
    assert normal == "侨批档案馆\n\nabc archives,开放"
    assert terms == [analyzer.terms(line) for line in text.split("\n")]
    assert terms[1] == []
