"""Lines are searched for cues where words are that each match contains: nothing is missed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.body import cue_words
from topiccrawl.page.body.cue_words import cues_of, is_period
from topiccrawl.page.body.joined_lines import JoinedLines

PATTERNS = ("DISCLAIMER", "STATEMENT", "CREDIT", "PROMOTION")


@pytest.mark.parametrize("name", PATTERNS)
@given(data=st.data())
def test_each_match_contains_one_of_the_words(name: str, data: st.DataObject) -> None:
    pattern: re.Pattern[str] = getattr(cue_words, f"_{name}")
    words: tuple[str, ...] = getattr(cue_words, f"_{name}_WORDS")
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert any(word in text for word in words), text


def test_the_cues_of_lines() -> None:
    lines = [
        "本站声明：观点不代表立场",
        " 声明：仅供参考",
        "我们的说明书如下",
        "责任编辑：张三",
        "他说：记者：李四",
        "扫码关注公众号",
        "更多的人",
        f"转载请注明出处{'。' * 400}",
    ]
    found = cues_of(lines, JoinedLines(lines))
    rows = {name: [i for i, flag in enumerate(flags) if flag] for name, flags in found.items()}
    assert rows == {"disclaimer": [0, 1], "credit": [3], "promotion": [5]}


@pytest.mark.parametrize(
    ("line", "period"),
    [
        ("08:30-18:00", True),
        ("开放时间：08:30 — 18:00", True),
        ("公示期：2018年8月21日至2018年8月23日", True),
        ("2021.5.6～2021.6.1", True),
        ("20:00至次日6:00", True),
        ("2018-06-23 – 2018-06-24", True),
        ("发布时间：2018-08-21 10:20", False),
        ("2018年8月21日 - 侨乡网", False),
        ("2018-08-21 - 10条评论", False),
    ],
)
def test_hours_and_days_from_one_to_another_are_a_period(line: str, period: bool) -> None:
    assert is_period(line) is period
