"""Names of channels from breadcrumbs, JSON-LD, metadata and the end of the title."""

from __future__ import annotations

import json

import pytest

from topiccrawl.page.page import Page
from topiccrawl.page.trail import MAX_NAMES

PIECES = {
    "@context": "https://schema.org",
    "@graph": [
        {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "首页"},
                {"@type": "ListItem", "position": 2, "item": {"@id": "/sc/", "name": "收藏"}},
                {"@type": "ListItem", "position": 3, "name": "瓷器"},
                {"@type": "ListItem", "position": 4, "name": "粉彩花瓶"},
            ],
        }
    ],
}
LINKED = "<a href=/>首页</a> &gt; <a href=/sc/>收藏</a> &gt; <a href=/sc/cq/>瓷器</a>"


def trail(main: str, *, title: str = "粉彩花瓶", head: str = "") -> list[str]:
    return Page(
        "http://a.example/1.html",
        f"<html><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body><h1>粉彩花瓶</h1>{main}<p>正文</p></body></html>".encode(),
    ).trail


@pytest.mark.parametrize(
    "main",
    [
        f"<div class=crumbs>{LINKED} &gt; 正文</div>",
        f"<div id=curPosition>您现在的位置：{LINKED}</div>",
        "<ul class=breadcrumb><li><a href=/>首页</a></li><li><a href=/sc/>收藏</a></li>"
        "<li><a href=/sc/cq/>瓷器</a></li><li>粉彩花瓶</li></ul>",
        f"<p>当前位置：{LINKED} &gt; 粉彩花瓶</p>",
        f"<p>你所在的位置: {LINKED}</p>",
        "<div>首页 » 收藏 » 瓷器</div>",
    ],
    ids=["box", "camel case", "list", "line", "another prefix", "no prefix"],
)
def test_breadcrumbs_name_the_channels_without_the_front_page_and_the_page(main: str) -> None:
    assert trail(main) == ["收藏", "瓷器"]


def test_a_breadcrumb_list_in_json_ld_counts_before_the_text() -> None:
    head = f"<script type=application/ld+json>{json.dumps(PIECES)}</script>"
    assert trail("<div class=crumbs>首页 &gt; 别的</div>", head=head) == ["收藏", "瓷器"]


@pytest.mark.parametrize(
    "data",
    [
        '{"@type": "BreadcrumbList", "itemListElement": "x"',
        '{"@type": "BreadcrumbList", "itemListElement": {"name": "收藏"}}',
        '{"@type": "BreadcrumbList", "itemListElement": [1, null, {"name": 5}]}',
        "[" * 5_000 + '"BreadcrumbList"',
    ],
)
def test_broken_json_ld_is_passed_over(data: str) -> None:
    head = f"<script type=application/ld+json>{data}</script>"
    assert trail(f"<div class=crumbs>{LINKED}</div>", head=head) == ["收藏", "瓷器"]


def test_the_end_of_the_title_and_the_metadata_name_channels_too() -> None:
    head = "<meta property=article:section content=文物>"
    assert trail("", title="粉彩花瓶_瓷器频道_示例网", head=head) == ["文物", "瓷器频道", "示例网"]


@pytest.mark.parametrize(
    "main",
    [
        "<p>地理位置：中国 &gt; 北京</p>",
        "<div class=crumbs>" + "很长的一段话，不是面包屑。" * 40 + "</div>",
        "<p>返回首页</p>",
    ],
    ids=["another position", "long box", "a link to the front page"],
)
def test_other_texts_are_no_breadcrumbs(main: str) -> None:
    assert trail(main) == []


def test_the_number_of_names_is_bounded() -> None:
    many = " &gt; ".join(f"频道{n}" for n in range(100, 120))
    assert len(trail(f"<div class=crumbs>{many}</div>")) == MAX_NAMES


def test_half_a_surrogate_pair_in_json_ld_becomes_a_question_mark() -> None:
    names = [{"name": "侨\ud800乡"}, {"name": "粉彩花瓶"}]
    pieces = {"@type": "BreadcrumbList", "itemListElement": names}
    head = f"<script type=application/ld+json>{json.dumps(pieces)}</script>"
    assert trail("", head=head) == ["侨?乡"]
