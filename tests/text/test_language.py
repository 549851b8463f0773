from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.language import detect_language, script_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("国务院侨务办公室举行新闻发布会", "zh-Hans"),
        ("僑務委員會舉行記者會", "zh-Hant"),
        ("Home About Login 侨务委员会举行会议讨论工作", "zh-Hans"),
        ("The storm moved to the north of the island and weakened", "en"),
        ("Tropical cyclone", "en"),
        ("Der Hund und die Katze laufen durch den dunklen Wald herum", "und"),
        ("これは日本語で書かれたテキストです", "und"),
        ("한국어 텍스트입니다", "und"),
        ("Привет, как дела", "und"),
        ("2024 — 3.14 ！", "und"),
        ("", "und"),
        ("中文", "zh-Hans"),
    ],
)
def test_language_of_a_text(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_big5_bytes_decode_to_traditional_text() -> None:
    assert detect_language("僑委會發言人".encode("big5").decode("big5")) == "zh-Hant"


@given(st.text(max_size=100))
def test_never_raises(text: str) -> None:
    assert detect_language(text) in ("zh-Hans", "zh-Hant", "en", "und")


@pytest.mark.parametrize(
    ("language", "script"),
    [("zh-Hant", "traditional"), ("zh-Hans", "simplified"), ("en", ""), ("und", ""), ("", "")],
)
def test_the_script_of_chinese_is_in_the_language(language: str, script: str) -> None:
    assert script_of(language) == script
