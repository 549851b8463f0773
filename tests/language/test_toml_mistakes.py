"""Mistakes in TOML files, in the user's language."""

from __future__ import annotations

import re

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.userfiles import parse_toml


def refused(text: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        parse_toml(text, "topic.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('name = "侨情\n', "文字在行末之前没有结束引号（第 1 行第 11 列）"),
        ('a = 1\na = "x"\n', "同一个键写了两次（第 2 行第 8 列）"),
        ("[a]\n[a]\n", "('a',) 定义了两次（第 2 行"),
        ("x = {a = 1, a = 2}", "花括号内的键 'a' 写了两次"),
        ("name 1", "键之后应为 =（第 1 行第 6 列）"),
        ("[a", "表头应以 ] 结束（文件末尾）"),
        ("[[a]", "表头应以 ]] 结束"),
        ("a = 1 b = 2", "一项之后应换行"),
        ("侨 = 1", "中文须加英文双引号"),
        ("[侨]", "中文须加英文双引号"),
        ("a = 侨情", "文字须加英文双引号（第 1 行第 5 列）"),
        ("a = [1", "方括号没有结束（文件末尾）"),
        ("a = {b = 1", "花括号没有结束（文件末尾）"),
        (r'a = "c:\x"', r"\ 须写作 \\"),
        ('a = """x', "文字没有结束引号（文件末尾）"),
        ('a = "\x01"', r"不允许的字符 '\x01'"),
    ],
)
def test_a_mistake_is_named_in_the_language_of_the_user(
    text: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = refused(text)
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    chinese = refused(text)
    assert reason in chinese
    # Nothing of the parser's own words is left.
    assert not re.search("[a-z]{4}", chinese.removeprefix("topic.toml"))
    assert re.search(r"\(at (line \d+, column \d+|end of document)\)", english)
