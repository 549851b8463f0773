"""Which pages without a body are about one thing, and which only lead to others."""

from __future__ import annotations

import pytest

from topiccrawl.page.page import Page
from topiccrawl.page.short import stated_summary

MENU = "".join(
    f"<li><a href='/c{n}/'>{name}</a></li>"
    for n, name in enumerate(["首页", "新闻", "国内", "国际", "体育", "财经", "娱乐", "图片"])
)
RELATED = "".join(
    f"<li><a href='/a/20240510/{n}00{n}.html'>第{n}组 全国各地春耕生产有序推进农田一片繁忙景象</a></li>"
    for n in range(1, 9)
)
FEW = RELATED[: RELATED.index("<li>", 400)]
TEASERS = "".join(
    f"<li><a href='/a/20240510/{n}00{n}.html'>第{n}条 全国各地春耕生产有序推进农田一片繁忙景象</a></li>"
    for n in range(1, 31)
)


def html(title: str, main: str, *, head: str = "", around: str = RELATED) -> bytes:
    return (
        f"<html><head><meta charset=utf-8><title>{title}</title>{head}</head><body><ul>{MENU}</ul>"
        f"{main}<ul>{around}</ul><p>版权所有 示例网</p></body></html>"
    ).encode()


PICTURES = "<div><img src=1.jpg><p>展厅一角</p><img src=2.jpg><p>观众参观</p></div>"
SINGLE = [
    (
        "a picture series, by the number in its URL and its long title",
        "http://news.example/slide/2024-05/10/content_128871.htm",
        html("高清组图：台北故宫宋代官窑瓷器特展开幕_示例网", PICTURES),
    ),
    (
        "a picture series, by its heading",
        "http://news.example/gallery/guanyao-2024.htm",
        html(
            "台北故宫宋代官窑瓷器特展开幕",
            f"<h1>台北故宫宋代官窑瓷器特展开幕</h1>{PICTURES}",
            around=FEW,
        ),
    ),
    (
        "a video, by its metadata",
        "http://v.example/watch?v=x1",
        html(
            "官窑瓷器",
            "<video src=a.mp4></video>",
            head='<meta property="og:type" content="video.other">',
        ),
    ),
    (
        "a lot of an auction, by its structured data",
        "http://p.example/lot/abc",
        html(
            "宋官窑瓶",
            "<table><tr><td>尺寸</td><td>高 12 厘米</td></tr></table>",
            head='<script type="application/ld+json">{"@type": "Product", "name": "瓶"}</script>',
        ),
    ),
    (
        "a short entry, by its heading and little else",
        "http://wiki.example/entry/guan-kiln",
        html("官窑", "<h1>官窑</h1><p>宋代五大名窑之一。</p>", around=""),
    ),
]
LEADING = [
    ("a front", "http://news.example/", html("示例网_官窑瓷器", "<h1>示例网</h1>", around=TEASERS)),
    ("a small channel", "http://news.example/ciqi/", html("官窑瓷器", "<h1>官窑瓷器</h1>")),
    (
        "a channel with a number in its URL",
        "http://news.example/node_1128871.htm",
        html("瓷器", "<h2>瓷器</h2>"),
    ),
    (
        "a long list",
        "http://news.example/topics/guanyao.html",
        html("官窑瓷器专题报道汇总", "<h1>官窑瓷器专题报道汇总</h1>", around=TEASERS),
    ),
    ("a page without a title", "http://news.example/a/20240510/128871.htm", html("", PICTURES)),
    ("a frame", "http://news.example/left.htm", html("官窑", "", around="")),
]


@pytest.mark.parametrize(("url", "body"), [it[1:] for it in SINGLE], ids=[it[0] for it in SINGLE])
def test_a_page_about_one_thing_is_recognized(url: str, body: bytes) -> None:
    page = Page(url, body)
    assert len(page.body) < 50, "else it would need no exception"
    assert page.is_single_item


@pytest.mark.parametrize(("url", "body"), [it[1:] for it in LEADING], ids=[it[0] for it in LEADING])
def test_a_page_that_leads_to_others_is_not(url: str, body: bytes) -> None:
    assert not Page(url, body).is_single_item


def test_the_stated_summary_is_the_first_description_that_is_not_empty() -> None:
    head = (
        '<meta property="og:description" content=" "><meta name=description content=" 宋代\n官窑 ">'
    )
    assert stated_summary(Page("http://a.example/", html("官窑", "", head=head))) == "宋代 官窑"
    assert stated_summary(Page("http://a.example/", html("官窑", ""))) == ""
