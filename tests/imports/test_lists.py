"""Lists of URLs are recognized, and read line by line."""

from __future__ import annotations

import pytest

from topiccrawl.imports.lists import is_url_list, listed_urls

LIST = """\ufeff# 侨网
http://a.example.cn/1

https://b.example.cn/侨 标题
<http://c.example.cn/>,
ftp://d.example.cn/
javascript:alert(1)
"""


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_urls_are_read_with_their_lines_and_others_are_reported(encoding: str) -> None:
    text = LIST.removeprefix("\ufeff") if encoding == "gbk" else LIST
    lines = list(listed_urls(text.encode(encoding)))
    assert [(it.line, it.url) for it in lines] == [
        (2, "http://a.example.cn/1"),
        (4, "https://b.example.cn/侨"),
        (5, "http://c.example.cn/"),
        (6, ""),
        (7, ""),
    ]
    assert lines[3].text == "ftp://d.example.cn/"


def test_a_text_with_a_few_urls_is_no_list() -> None:
    assert is_url_list(b"# mine\nhttp://a.example.cn/\nhttp://b.example.cn/\n")
    assert not is_url_list("侨乡文化\nhttp://a.example.cn/\n侨批\n".encode())
    assert not is_url_list(b"# nothing\n")
