"""Lists of URLs are recognized, and read line by line."""

from __future__ import annotations

import pytest

from topiccrawl.imports.lists import csv_lines, is_url_list, listed_urls
from topiccrawl.page.decoding import decode

LIST = """\ufeff# 侨网
http://a.example.cn/1

https://b.example.cn/侨 标题
<http://c.example.cn/>,
ftp://d.example.cn/
javascript:alert(1)
"""


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16"])
def test_urls_are_read_with_their_lines_and_others_are_reported(encoding: str) -> None:
    text = LIST.removeprefix("\ufeff") if encoding != "utf-8" else LIST
    lines = list(listed_urls(decode(text.encode(encoding)).text.splitlines()))
    assert [(it.line, it.url) for it in lines] == [
        (2, "http://a.example.cn/1"),
        (4, "https://b.example.cn/侨"),
        (5, "http://c.example.cn/"),
        (6, ""),
        (7, ""),
    ]
    assert lines[3].text == "ftp://d.example.cn/"


def test_a_text_with_a_few_urls_is_no_list() -> None:
    assert is_url_list(["# mine", "http://a.example.cn/", "www.b.example.cn"])
    assert not is_url_list(["侨乡文化", "http://a.example.cn/", "侨批"])
    assert not is_url_list(["# nothing"])
    assert not is_url_list(["网址\t标题"])


def test_the_rows_of_a_table_have_their_url_in_any_cell() -> None:
    rows = ["标题,网址", "侨网,http://a.example.cn/?n=1", '"侨,批",WWW.b.example.cn', "无,"]
    lines = csv_lines(rows)
    assert is_url_list([*lines[:3]])
    assert [(it.line, it.url) for it in listed_urls(lines)] == [
        (2, "http://a.example.cn/?n=1"),
        (3, "http://WWW.b.example.cn"),
        (4, ""),
    ]
    short = ["网站一览表", "", "序号\t名称\t网址", "1\t侨网\twww.a.example.cn", "2\t侨办\t暂无"]
    assert is_url_list(short, named=True)
    assert [(it.line, it.url) for it in listed_urls(short)] == [
        (4, "http://www.a.example.cn"),
        (5, ""),
    ]
    assert [it.line for it in listed_urls(["http://a.example.cn/", "侨办\t暂无"])] == [1, 2]
    endless = ["a,b", '"' + "x" * 200_000]
    assert csv_lines(endless) == endless


@pytest.mark.parametrize(
    ("lines", "urls"),
    [
        (["中国侨网 http://a.example/", "侨办：http://b.example/x"], ["http://a.example/", "http://b.example/x"]),
        (["中国侨网", "http://a.example/", "侨办", "www.b.example"], ["http://a.example/", "http://www.b.example"]),
        (["1. http://a.example/", "2、http://b.example/"], ["http://a.example/", "http://b.example/"]),
        (["- [侨网](http://a.example/)", "- [茶](http://b.example/茶_(植物))"],
         ["http://a.example/", "http://b.example/茶_(植物)"]),
        (["http://a.example/，http://b.example/;"], ["http://a.example/", "http://b.example/"]),
        (["http://a.example/1,http://b.example/2,3.html"], ["http://a.example/1", "http://b.example/2,3.html"]),
        (["http://a.example/to?u=http://b.example/"], ["http://a.example/to?u=http://b.example/"]),
        (["example.cn", "侨网", "news.example.com.cn/qj/", "侨办：example.org", "1. EXAMPLE.com:8080/x"],
         ["http://example.cn", "http://news.example.com.cn/qj/", "http://example.org", "http://EXAMPLE.com:8080/x"]),
        (["example.cn/news 侨网首页", "example.cn—侨网", "1. www.b.example - 侨办"],
         ["http://example.cn/news", "http://example.cn", "http://www.b.example"]),
        (["侨网 example.cn/qiao，每日看", "example.com/x（栏目）", "example.org:8080/a; 内网", "example.net。"],
         ["http://example.cn/qiao", "http://example.com/x", "http://example.org:8080/a", "http://example.net"]),
        (["example.cn、example.org/x"], ["http://example.cn", "http://example.org/x"]),
    ],
)  # fmt: skip
def test_names_and_numbers_may_stand_before_or_above_urls_and_notes_after_them(
    lines: list[str], urls: list[str]
) -> None:
    assert is_url_list(lines)
    assert [it.url for it in listed_urls(lines)] == urls


def test_a_text_with_sources_and_addresses_of_mail_is_no_list() -> None:
    prose = "本文根据国务院侨务办公室网站上发布的全国归侨侨眷和海外侨胞统计数据整理而成，数据来源为该办网站，见 http://a.example/"
    assert not is_url_list([prose, prose])
    assert not is_url_list(["来信请寄 me@www.a.example", "或 you@www.b.example"])
    assert not is_url_list(["htp://a.example/", "http://b.example/"])
    assert not is_url_list(["me@example.com", "侨报 1.5", "readme.md", "v1.2.zip", "cn"])
    assert not is_url_list(["me@example.com 信箱", "说明见 readme.md 文件", "侨报 v1.5a 发布"])
