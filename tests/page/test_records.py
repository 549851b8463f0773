"""Records of a page, and threads that are recognized by them alone: without words, floors and telling names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from topiccrawl.page.body.records import may_be_names, places_of, records_of
from topiccrawl.page.body.windows import prefix_sums
from topiccrawl.page.page import Page

TITLE = "冰箱冷藏室老是结水珠"
ASKED = "用了六年的双门冰箱，这个月开始后壁一直挂水珠，早上起来盒子里都能倒出水来。"
REPLIES = (
    ("半碗米线", "先看看后壁下面那个排水孔是不是堵了，拿根吸管捅一捅就行。"),
    ("青石板", "多半是门没关严，夹一张纸试试拉不拉得动。"),
    ("南墙", "我家的跟你一模一样，师傅上门就是通了一下，收了八十。"),
)
NEWS = "".join(
    f"<p>改造历时{x}年，原来的船坞改成了下沉式广场，两台龙门吊保留在原处，夜里会亮起灯光。</p>"
    for x in "三四五六七八"
)


def page(inner: str) -> Page:
    html = f"<title>{TITLE} - 小站</title><body><h1>{TITLE}</h1>{inner}</body>"
    return Page("http://www.example.cn/x/7", html.encode())


def generated() -> str:
    return "".join(
        f"<div class=css-1x9a{i}><div class=css-k2>"
        f"<div class=css-p0>{name}</div><div class=css-q8>B{i} · {i}月3日</div>"
        "</div>"
        f"<div class=css-z5><div>{text}</div></div></div>"
        for i, (name, text) in enumerate(REPLIES, 2)
    )


def nested() -> str:
    html = ""
    for i, (name, text) in reversed(list(enumerate(REPLIES, 3))):
        below = f"<ul>{html}</ul>" if html else ""
        html = f"<li><div><a href=/x/{i}>{name}</a><time>2018-06-2{i} 08:21</time></div><div>{text}</div>{below}</li>"
    return f"<ul>{html}</ul>"


def rows() -> str:
    cells = "".join(
        f"<tr><td>{i}</td><td>{name}</td><td>{text}</td><td>2019-03-0{i}</td></tr>"
        for i, (name, text) in enumerate(REPLIES, 1)
    )
    return f"<table><tr><th>序号</th><th>昵称</th><th>内容</th><th>日期</th></tr>{cells}</table>"


@pytest.mark.parametrize("replies", [generated, nested, rows])
def test_signed_records_below_a_short_post_are_a_thread(replies: Callable[[], str]) -> None:
    found = page(
        f"<div><span>江边钓叟</span> <span>2018-06-21 06:51</span><p>{ASKED}</p></div>{replies()}"
    )
    assert found.kind == "thread"
    assert all(text in found.body for _, text in REPLIES)


@pytest.mark.parametrize("replies", [generated, nested, rows])
def test_the_same_records_below_an_article_are_none(replies: Callable[[], str]) -> None:
    assert page(f"<div>2018-06-21 来源：江城晚报</div>{NEWS}{replies()}").kind == "article"


@pytest.mark.parametrize("replies", [generated, nested, rows])
def test_records_are_the_boxes_or_lines_of_each_post(replies: Callable[[], str]) -> None:
    found = page(replies())
    blocks = found.blocks
    dated = np.asarray(["-0" in text or "月" in text or "-2" in text for text in blocks.texts])
    head = blocks.sentences == 0
    places = places_of(found.outline.boxes, blocks)
    records = records_of(
        found.outline.boxes,
        blocks,
        places,
        head,
        dated,
        may_be_names(blocks),
        prefix_sums(np.where(head, 0.0, blocks.size)),
    )
    assert records is not None
    assert len(records) == len(REPLIES)
    for first, last, (_, text) in zip(records.first, records.last, REPLIES, strict=True):
        assert text in blocks.texts[first:last]
