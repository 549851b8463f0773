"""Numbers in digits and in Han numerals."""

from __future__ import annotations

import pytest

from topiccrawl.text.numerals import han_number, natural_key

DIGITS = "零一二三四五六七八九"


def written(number: int) -> str:
    """Return a number below 10,000 as it is read: 三百零五."""
    parts, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            parts += ("零" if gap and parts else "") + DIGITS[digit] + name
        gap = not digit
    return parts


def test_every_number_that_is_read_aloud_is_understood() -> None:
    assert [han_number(written(number)) for number in range(1, 10_000)] == list(range(1, 10_000))


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("12", 12), ("十", 10), ("十二", 12), ("廿三", 23), ("卅", 30), ("三百十五", 315),
        ("两千", 2000), ("兩", 2), ("二〇二四", 2024), ("一九○八", 1908), ("〇五", 5),
        ("", None), ("昨", None), ("十几", None), ("12日", None),
    ],
)  # fmt: skip
def test_numbers_are_written_in_several_ways(word: str, value: int | None) -> None:
    assert han_number(word) == value


def test_numbers_in_names_are_ordered_by_their_values() -> None:
    ordered = [
        "7日",
        "10日",
        "a",
        "a2",
        "a10b",
        "监测",
        "监测1",
        "监测２",
        "监测10",
        "监测" + "9" * 5000,
    ]
    assert sorted({*ordered}, key=natural_key) == ordered
