"""Pages of questions and short threads: what belongs to their body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.page import Page

QUESTION = "宝宝晚上睡觉老是出汗是缺钙吗"
STATED = "我家宝宝十个月了，最近晚上出汗老是很多，枕头都湿了，请问要不要去查微量元素？"
TIME = "2014-08-21 22:05:13"
ANSWER = "入睡后头部多汗不一定是缺钙，室温高、盖得厚也会这样，建议先减少衣被。"


@pytest.mark.parametrize(
    ("before", "replies"), [("", [False] * 3), (f"<p>{QUESTION}</p>", [False] + [True] * 3)]
)
def test_a_box_around_the_title_is_no_reply_whatever_its_name(
    before: str, replies: list[bool]
) -> None:
    html = f"{before}<div class=reply-xq><h3>{QUESTION}</h3><p>{TIME}</p><p>{STATED}</p></div>"
    page = Page("", html.encode())
    assert features_of(page.outline, page.blocks, QUESTION, "").replies.tolist() == replies


def selected(lines: list[tuple[str, str, float]]) -> list[bool]:
    """Return which lines of a thread are body; each is its box, text and probability."""
    html = "".join(f"<div class={box}>{text}</div>" for box, text, _ in lines)
    page = Page("", html.encode())
    features = replace(features_of(page.outline, page.blocks, QUESTION, ""), thread=True)
    body = select_body(np.asarray([p for _, _, p in lines]), page.blocks, features)
    return [bool(it) for it in body]


@pytest.mark.parametrize(("p", "kept"), [(0.04, True), (0.02, False)])
def test_the_question_above_the_answers_belongs_to_the_body(p: float, kept: bool) -> None:
    lines = [("a", QUESTION, 0.1), ("b", STATED, p), ("c", TIME, 0.0), ("d", ANSWER, 0.9)]
    assert selected(lines) == [True, kept, False, True]


@pytest.mark.parametrize(("p", "count", "kept"), [(0.2, 2, True), (0.1, 2, False), (0.2, 1, False)])
def test_replies_behind_the_last_post_are_several_and_not_too_improbable(
    p: float, count: int, kept: bool
) -> None:
    replies = [("c", TIME, 0.0), ("d", ANSWER, p)] * count
    lines = [("a", QUESTION, 0.1), ("c", TIME, 0.0), ("b", STATED, 0.9), *replies]
    assert selected(lines) == [True, False, True, *[False, kept] * count]


def page_of(title: str, inner: str, head: str = "") -> Page:
    html = f"<title>{title} - 某站</title>{head}<body><ul><li><a href=/>首页</a></ul>{inner}<p>联系我们</p>"
    return Page("https://www.example.cn/x/7", html.encode())


def test_a_question_with_one_answer_is_a_thread_whose_author_is_not_the_doctor() -> None:
    page = page_of(
        "问题详情",
        f"<div><h3>{QUESTION}</h3><div><p>提问于：{TIME} 男 1岁</p><p>{STATED}</p></div>"
        "<h3>医生回复</h3><div>"
        f"<p><span>李玉兰 主治医师</span> 2014-08-22 08:40:51</p><p>{ANSWER}</p></div><h3>我要回答</h3></div>",
    )
    assert page.kind == "thread"
    assert page.body.split("\n")[-2:] == [STATED, ANSWER]
    assert page.byline.author is None


def test_the_first_named_box_of_answers_is_not_the_author() -> None:
    boxes = "".join(
        f"<div class=reply><div class=nickname>{name}</div><div>{TIME}</div><div>{ANSWER}</div></div>"
        for name in ("风信子", "老马识途")
    )
    asked = f"<h1>{QUESTION}</h1><div>{STATED}</div>"
    page = page_of(QUESTION, f"{asked}<div>所有回答<span>2</span></div>{boxes}")
    assert (page.kind, page.byline.author) == ("thread", None)
    page = page_of(QUESTION, f"{asked}<div class=nickname>阿杜</div><div>所有回答 2</div>{boxes}")
    assert page.byline.author == "阿杜"


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ('<div itemscope itemtype="https://schema.org/QAPage">', "thread"),
        ('<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>', "thread"),
        ('<div itemscope itemtype="https://schema.org/FAQPage">', "article"),
        ('<script type="application/ld+json">{"@type": "FAQPage"}</script>', "article"),
    ],
)  # fmt: skip
def test_the_type_of_a_page_may_state_a_thread(stated: str, kind: str) -> None:
    page = page_of(QUESTION, f"{stated}<h1>{QUESTION}</h1><p>{STATED}</p><p>{ANSWER}</p>")
    assert page.kind == kind


def posts(hrefs: tuple[str, ...], before: str = "") -> str:
    texts = (STATED, ANSWER, "我家那个也是这样，过了周岁就好了，不用太担心。")
    return f"<h1>{QUESTION}</h1>{before}" + "".join(
        f"<div class=c><div class=u><a href={href}>风信子{i}</a></div><div class=t>{text}</div><a>回复</a></div>"
        for i, (href, text) in enumerate(zip(hrefs, texts, strict=True))
    )


def test_posts_of_members_without_times_are_a_thread() -> None:
    assert page_of(QUESTION, posts(("/user/7", "/user/8", "/user/9"))).kind == "thread"
    others = ("https://w.example.com/u/7", "https://w.example.com/u/8", "https://w.example.com/u/9")
    own = "".join(f"<a href=https://www.example.cn/n/{i}>要闻</a>" for i in range(9))
    assert page_of(QUESTION, posts(others, own)).kind == "article"


def test_two_columns_of_a_page_with_different_times_are_no_posts() -> None:
    text = f"<div>今日行情</div><div>发布时间： {TIME}</div><p>{STATED}{ANSWER}</p>"
    side = "<div>实时播报</div><div>明日预测--2019年8月20日</div><p>本栏目为读者提供资讯，请注意甄别。</p>"
    inner = f"<div class=col><h1>{QUESTION}</h1>{text}</div><div class=col>{side}</div>"
    assert page_of(QUESTION, inner).kind == "article"


def test_times_and_labels_in_the_cells_of_posts_are_not_body() -> None:
    cells = [
        ("c", text, 0.9)
        for text in (
            "回答者：", "1", TIME, ANSWER, "等级：",
            "类型：个人回答数：88被采纳数：8 2014-08-22 08:40", "地点：东门外", "666",
        )
    ]  # fmt: skip
    lines = [("a", QUESTION, 0.1), ("b", STATED, 0.9), *cells]
    kept = [True, True, False, False, False, True, False, False, True, True]
    assert selected(lines) == kept


@pytest.mark.parametrize(
    ("asker", "author"),
    [
        ("<a href=/u/7>小木鱼</a><div>提问于：2014-08-22 20:14</div>", "小木鱼"),
        ("<a href=/u/7>小木鱼</a>", "小木鱼"),
        ("<h3>2个回答</h3>", None),
    ],
)
def test_the_member_above_the_question_wrote_it_and_none_below_its_answers(
    asker: str, author: str | None
) -> None:
    answers = "".join(
        f"<div class=c><div><a href=/u/{i}>{name}</a> <span>{TIME}</span></div><div>{ANSWER}</div></div>"
        for i, name in enumerate(("风信子", "老马识途"))
    )
    page = page_of(
        QUESTION, f"<h1>{QUESTION}</h1>{asker}<div>{STATED}</div><p>2个回答</p>{answers}"
    )
    assert (page.kind, page.byline.author) == ("thread", author)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("您必须登录才能回复此话题。", False),
        ("You must be logged in to reply to this topic.", False),
        ("说点什么…", False),
        ("魅力：16", False),
        ("来自：保密", False),
        ("登录以后就没有评论了。", True),
        ("我登录不了，怎么回复？", True),
    ],
)
def test_invitations_to_reply_and_profiles_are_no_posts(line: str, kept: bool) -> None:
    lines = [("a", QUESTION, 0.1), ("c", TIME, 0.0), ("b", STATED, 0.9), ("b", line, 0.9)]
    assert selected(lines) == [True, False, True, kept]
