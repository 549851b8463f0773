"""Titles that are the name of a thing."""

import pytest

from topiccrawl.dedup.names import title_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("DAY", "day"),
        ("ＤＡＹ 函数", "day"),
        ("NETWORKDAYS.INTL 函数", "networkdays.intl"),
        ("func_day()", "func_day"),
        ("“*” 运算符", "*"),
        ("C++ 语言", "c++"),
        ("使用 DAY 函数", ""),
        ("DAY 函数的使用方法", ""),
        ("Dim Statement", ""),
        ("iPhone 15", ""),
        ("2020年", ""),
        ("第3期", ""),
        ("", ""),
    ],
)
def test_a_name_stands_alone_or_before_what_sort_of_thing_it_is(title: str, name: str) -> None:
    assert title_name(title) == name
