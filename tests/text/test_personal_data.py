"""Masking of mobile numbers, identity numbers and e-mail addresses, and what only looks like them."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.personal import LEFT_OUT, MADE_WITH, draw_text, identity, measure, mobile
from topiccrawl.text.personal import find_personal, masked
from topiccrawl.text.personal_numbers import check_digit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("电话：13912345678。", "电话：139****5678。"),
        ("电话13912345678转告", "电话139****5678转告"),
        ("Tel:+86 139-1234-5678", "Tel:139****5678"),
        ("１３９１２３４５６７８", "139****5678"),
        ("139\u200b1234\u200b5678", "139****5678"),
        ("联系微信1391 234 5678", "联系微信139****5678"),
        ("电话：13912345678E-mail：li@qq.com", "电话：139****5678E-mail：l***@qq.com"),
        ("+852 9123 4567", "+852****4567"),
        ("身份证11010519491231002X号", "身份证110***********002X号"),
        ("11010519491231002x", "110***********002X"),
        ("投稿：zhang.san@example.com", "投稿：z***@example.com"),
        ("zhang(at)qq.com", "z***@qq.com"),
        ("zhang＠qq．com", "z***@qq.com"),
        ("mailto:zhang@qq.com", "mailto:z***@qq.com"),
        ("1@zhang.san@example.com", "1@z***@example.com"),
    ],
)
def test_personal_data_are_masked_in_the_forms_in_which_people_write_them(
    text: str, expected: str
) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "订单号：13912345678",
        "http://www.example.com/2024/13912345678.html",
        "见www.example.com/13912345678",
        "example.com/a?id=13912345678",
        "13912345678元",
        "0.13912345678",
        "13,912,345,678",
        "2024051313912345678",
        "13912345678.jpg",
        "SF13912345678",
        "110105194912310021",  # wrong check digit
        "110105194913310025",  # no such month
        "990105194912310020",  # no such province
        "2019年至2024年，010-62345678，400-810-6666",
        "关注@人民日报，icon@2x.png，vue@3.4.21",
        "GB/T 11643-1999",
    ],
)
def test_look_alikes_stay(text: str) -> None:
    assert masked(text) == text


def test_the_check_digit_is_that_of_the_standard_s_examples() -> None:
    assert check_digit("11010519491231002") == "X"
    assert check_digit("44052418800101001") == "4"


@pytest.mark.parametrize("templates", [MADE_WITH, LEFT_OUT])
def test_precision_and_recall_on_drawn_texts(templates: tuple[str, ...]) -> None:
    draw = random.Random(7)
    precision, recall, errors = measure(
        [draw_text(draw.choice(templates), draw) for _ in range(600)]
    )
    assert precision >= 0.99, errors
    assert recall >= 0.99, errors


@given(st.integers(0, 10_000), st.text("。，： \n联系人：电话订单号，元@-.1", max_size=12))
def test_masking_again_changes_nothing(seed: int, around: str) -> None:
    draw = random.Random(seed)
    once = masked(f"{around}{mobile(draw)}，{identity(draw)} {around}")
    assert masked(once) == once


@given(st.integers(0, 10_000), st.lists(st.text(max_size=8), min_size=3, max_size=3))
def test_what_is_found_is_in_order_and_apart(seed: int, around: list[str]) -> None:
    draw = random.Random(seed)
    first, second, third = around
    text = f"{first}。手机：{mobile(draw)}，{second}，身份证：{identity(draw)}。{third}"
    found = list(find_personal(text))
    assert len(found) >= 2
    last = 0
    for start, end, _mask in found:
        assert last <= start < end <= len(text)
        last = end


@pytest.mark.parametrize(
    "unit", ["1 3 ", "a@", "1-3-", "13912345678,", "86 ", "www.", "a.b", "1", "at "]
)
def test_the_time_is_linear_in_the_length(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        times = []
        for _ in range(3):
            before = time.process_time()
            masked(text)
            times.append(time.process_time() - before)
        return min(times)

    assert seconds(80_000) < 30 * seconds(8_000) + 0.05


@pytest.mark.parametrize(("born", "exists"), [("0131", True), ("0132", False), ("0100", False)])
def test_a_number_with_a_day_of_birth_that_no_month_has_is_no_identity(
    born: str, exists: bool
) -> None:
    number = f"1101011990{born}123"
    number += check_digit(number)
    assert (masked(number) != number) is exists
