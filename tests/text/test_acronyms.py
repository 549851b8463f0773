"""Acronyms are told from stop words by their capitals, and letters with signs from letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.acronyms import Acronyms
from topiccrawl.text.analyzer import TextAnalyzer


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["US president", "vice president"], ["US"]),
        (["U.S. president"], ["US"]),
        (["WHO", "IT业"], ["IT", "WHO"]),
        (["us president", "Who", "NASA", "A", "Notepad++"], []),
        (["C++", "c++ 标准库", "F＃语言", "A+B"], ["c++", "f#"]),
    ],
)
def test_only_stop_words_in_capitals_are_acronyms(words: list[str], names: list[str]) -> None:
    assert sorted(Acronyms(words).names.values()) == names


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The US President told us", ["US", "presid", "told"]),
        ("U.S. presidents of the U.S.", ["US", "presid", "US"]),
        ("美国US总统", ["美国", "US", "总统"]),
        ("the USA and US2, us and Us", ["usa", "us2"]),
    ],
)
def test_an_acronym_of_the_topic_is_a_term_in_capitals_and_the_stop_word_is_none(
    text: str, terms: list[str]
) -> None:
    analyzer = TextAnalyzer(["US president"])
    assert analyzer.terms(text) == terms
    assert analyzer.terms_all([text, text]) == [terms, terms]
    assert analyzer.lines(text)[1] == [terms]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C++ and C, C+ and C#", ["c++"]),
        (
            "学习C++语言，C++20标准，ｃ＋＋入门",
            ["学习", "c++", "语言", "c++", "标准", "c++", "入门"],
        ),
        ("C/C++, a C++, NC++ vc++", ["c++", "c++", "nc", "vc"]),
    ],
)
def test_a_letter_with_signs_is_a_term_if_it_is_a_word_of_the_topic(
    text: str, terms: list[str]
) -> None:
    analyzer = TextAnalyzer(["C++"])
    assert analyzer.terms(text) == terms
    assert [term for term in TextAnalyzer().terms(text) if "+" in term] == []


def test_lines_return_the_normal_form_of_the_text_as_it_is() -> None:
    analyzer = TextAnalyzer(["US president"])
    assert analyzer.lines("US\nＵs 總統")[0] == "us\nus 总统"


def test_the_word_of_an_acronym_is_shown_in_capitals() -> None:
    assert TextAnalyzer(["WHO"]).surfaces("the WHO, who") == {"WHO": "WHO"}


@given(st.text("US.us Iit總，a1"))
def test_without_acronyms_texts_have_the_same_terms_but_for_the_acronyms(text: str) -> None:
    with_acronym = [t for t in TextAnalyzer(["US"]).terms(text) if t != "US"]
    assert with_acronym == [t for t in TextAnalyzer().terms(text) if t]
