from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.normalize import _nfkc, normalize, normalize_all, simplified

CASES = [
    ("僑情", "侨情", "traditional characters"),
    ("ＡＢＣ１２３，（侨）", "abc123,(侨)", "full-width ASCII and punctuation"),
    ("Tropical CYCLONE", "tropical cyclone", "case"),
    ("乾隆皇帝與乾坤", "乾隆皇帝与乾坤", "乾 stays in names: a phrase, not a character, decides"),
    ("頭髮發展", "头发发展", "two traditional characters with one simplified form"),
    ("Café", "café", "a combining accent is composed"),
    ("㈱①Ⅳ", "(株)1iv", "compatibility forms"),
    ("", "", "nothing"),
    ("\x00\x1e", "\x00\x1e", "control characters pass"),
]

texts = st.text(
    st.one_of(
        st.characters(),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
        st.sampled_from("乾隆著瞭僑與後裏髮發İΣςϴẞＡ①"),
    ),
    max_size=40,
)


@pytest.mark.parametrize(("text", "expected", "why"), CASES)
def test_spellings_of_one_word_become_one(text: str, expected: str, why: str) -> None:
    assert normalize(text) == expected, why


@given(texts)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


@given(st.lists(texts, max_size=8))
def test_the_batch_is_the_same_as_one_by_one(batch: list[str]) -> None:
    assert normalize_all(batch) == [normalize(text) for text in batch]


def test_phrases_do_not_form_across_the_strings_of_a_batch() -> None:
    assert normalize_all(["乾", "隆"]) == [normalize("乾"), normalize("隆")]


@given(texts)
def test_the_quick_compatibility_form_is_the_standards(text: str) -> None:
    assert _nfkc(text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("text", ["e\u0301é", "侨\u0301ｅ\u0301", "각", "ｶﾞ，ｶ\uff9e"])
def test_characters_that_combine_across_runs_are_composed(text: str) -> None:
    assert _nfkc(text) == unicodedata.normalize("NFKC", text)


def test_rows_of_combining_marks_are_cut_where_unicode_allows_it() -> None:
    """Normalization sorts the marks of a row in quadratic time."""
    marks = "\u0301\u0316" * 5_000
    assert len(normalize(f"e{marks}侨")) < 40
    assert normalize(f"e{marks}侨").endswith("侨")
    assert normalize(normalize(f"e{marks}侨")) == normalize(f"e{marks}侨")
    few = "\u0316\u0301" * 10
    assert normalize(f"a{few}") == unicodedata.normalize("NFKC", f"a{few}")
    assert len(normalize("\uff9e" * 5_000)) < 40


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_half_a_surrogate_pair_becomes_the_replacement_character(code: int) -> None:
    """JSON and scripts may contain one; it is no character."""
    half = chr(code)
    assert normalize(f"{half}A僑{half}") == "\ufffda侨\ufffd"
    assert normalize_all([f"僑{half}", "B"]) == ["侨\ufffd", "b"]


def test_simplified_changes_nothing_but_traditional_characters() -> None:
    assert simplified("LibreOffice Ｃalc：數學公式、頭髮") == "LibreOffice Ｃalc：数学公式、头发"
    assert simplified("Café") == "Café"
    assert simplified("\ud800頭") == "\ufffd头"
