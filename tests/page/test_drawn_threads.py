"""Threads and articles of families of templates that the thread model has not seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.other_layouts import OTHER_LAYOUTS, other_layout
from benchmarks.thread_families import (
    ARTICLE_FAMILIES,
    QUESTION_FAMILIES,
    THREAD_FAMILIES,
    Drawn,
    article_page,
    question_page,
    thread_page,
)
from benchmarks.thread_layouts import THREAD_LAYOUTS, thread_layout
from benchmarks.thread_works import WORKS, work_page
from topiccrawl.page.body.thread import evidence_of
from topiccrawl.page.body.thread_evidence import EVIDENCE
from topiccrawl.page.page import Page

#: Families and layouts of one sort that the model has not seen: those from a number on.
FAMILIES = 40


def is_thread(html: str) -> bool:
    return Page("http://www.example.cn/x/7", html.encode()).kind == "thread"


def threads_among(page: Callable[[int, int], Drawn], first: int) -> int:
    """The number of families from *first* on whose page is taken for a thread."""
    return sum(is_thread(page(number, 0).html) for number in range(first, first + FAMILIES))


def test_most_threads_of_unseen_templates_are_recognized_without_their_address() -> None:
    assert threads_among(thread_page, THREAD_FAMILIES) >= 0.8 * FAMILIES


def test_most_questions_of_unseen_templates_are_threads_with_one_answer_or_more() -> None:
    assert threads_among(question_page, QUESTION_FAMILIES) >= 0.85 * FAMILIES


def test_articles_of_unseen_templates_are_no_threads_for_their_comments() -> None:
    assert threads_among(article_page, ARTICLE_FAMILIES) <= 0.1 * FAMILIES


def test_most_threads_of_unseen_layouts_are_recognized_without_their_address() -> None:
    assert threads_among(thread_layout, THREAD_LAYOUTS) >= 0.8 * FAMILIES


def test_pages_with_texts_in_boxes_of_one_sort_are_no_threads_for_that() -> None:
    assert threads_among(other_layout, OTHER_LAYOUTS) <= 0.1 * FAMILIES


def test_videos_shops_and_interviews_are_no_threads_for_comments_below_a_short_text() -> None:
    assert threads_among(work_page, WORKS) <= 0.15 * FAMILIES


@pytest.mark.parametrize(
    ("title", "of_board"),
    [
        ("社区食堂开张三个月 - 望江晚报", False),
        ("楼顶漏水怎么处理 - 望江社区", True),
        ("楼顶漏水怎么处理 | Laravel China 社区", True),
    ],
)
def test_a_word_of_news_names_a_board_only_behind_the_headline(title: str, of_board: bool) -> None:
    page = Page("", f"<title>{title}</title><p>10月3日</p><p>10月4日</p>".encode())
    found = dict(zip(EVIDENCE, evidence_of(page.outline, page.blocks).tolist(), strict=True))
    assert found["board_title"] == of_board


def conversation(names: tuple[str, ...]) -> Page:
    texts = (
        ASKED,
        ANSWERED,
        "螺母在哪里？",
        "在钟摆的下面，一颗黄铜的。",
        "找到了，谢谢。",
        "不客气。",
    )
    said = "".join(
        f"<div><b>{names[i % len(names)]}</b> <i>2014-03-01 10:0{i}</i><p>{text}</p></div>"
        for i, text in enumerate(texts)
    )
    return Page("", f"<title>修钟的人</title><h1>修钟的人</h1>{said}".encode())


def test_records_of_two_people_in_turn_may_be_an_interview() -> None:
    def recurring(page: Page) -> float:
        evidence = evidence_of(page.outline, page.blocks).tolist()
        return float(dict(zip(EVIDENCE, evidence, strict=True))["recurring"])

    assert recurring(conversation(("记者", "方老师"))) == 1
    assert recurring(conversation(("石头", "阿宽", "老吴", "木头人", "青瓦", "用户7"))) == 0


@pytest.mark.parametrize("layout", [410, 456])
def test_a_page_that_is_rather_a_thread_is_one(layout: int) -> None:
    assert is_thread(thread_layout(layout, 0).html)


def test_the_pages_of_a_family_differ_and_are_the_same_again() -> None:
    assert thread_page(3, 1) == thread_page(3, 1)
    assert thread_page(3, 1).html != thread_page(3, 2).html
    assert thread_layout(3, 1) == thread_layout(3, 1)
    assert other_layout(3, 1).html != other_layout(3, 2).html


ASKED = "家里的挂钟每天慢五分钟，擦过油也没有用，请问是发条松了吗？"
ANSWERED = "多半是摆锤的螺母松了，往上拧半圈，走一天再看。"


def test_a_question_with_one_reply_is_a_thread_by_what_the_reply_is_called() -> None:
    html = (
        f"<title>挂钟总是慢怎么办</title><body><h1>挂钟总是慢怎么办</h1><div><p>{ASKED}</p></div><div>1 回复</div>"
        f"<h4><img src=/a.png> 石头 回复于 3 年前 1楼</h4><div>{ANSWERED}</div></body>"
    )
    page = Page("https://www.example.com/a/7.html", html.encode(), "utf-8")
    assert page.kind == "thread"
    assert page.body.splitlines() == ["挂钟总是慢怎么办", ASKED, ANSWERED]


def test_names_times_counts_and_buttons_around_posts_are_no_text_but_short_posts_are() -> None:
    posts = "".join(
        f"<div class=post><p>{head}</p><p>{text}</p><p>回复 | 举报</p></div>"
        for head, text in (
            ("石头 发表于 2014年3月1日", ANSWERED),
            ("阿宽 回复于 3月2日", "支持"),
            ("老吴 replied 2 days ago", "3楼说得对"),
        )
    )
    html = (
        "<title>挂钟总是慢怎么办</title><body><h1>挂钟总是慢怎么办</h1>"
        f"<div class=post><p>木头人 发表于 2014年3月1日</p><p>{ASKED}</p></div><div>共收到 3 条回复</div>{posts}</body>"
    )
    page = Page("https://bbs.example.com/thread-7-1-1.html", html.encode(), "utf-8")
    assert page.body.splitlines() == ["挂钟总是慢怎么办", ASKED, ANSWERED, "支持", "3楼说得对"]


def test_the_title_above_each_reply_is_no_text() -> None:
    posts = "".join(
        f"<div class=post><h3>{mark}挂钟总是慢怎么办？</h3>"
        f"<p><a href=/u/{i}>石头</a> 2014-03-0{i} 10:00</p><p>{text}</p></div>"
        for i, (mark, text) in enumerate(
            (("", ASKED), ("Re: ", ANSWERED), ("Re: ", "谢谢，已经好了。")), 1
        )
    )
    html = f"<title>挂钟总是慢怎么办？ - 论坛</title><body>{posts}</body>"
    page = Page("https://bbs.example.com/thread-7-1-1.html", html.encode(), "utf-8")
    assert page.body.splitlines() == ["挂钟总是慢怎么办？", ASKED, ANSWERED, "谢谢，已经好了。"]


def test_who_asked_stands_above_the_number_of_replies() -> None:
    replies = "".join(
        f"<div class=reply><a href=/user/{name}>{name}</a> <span>{i}楼•9 年前</span><p>{text}</p></div>"
        for i, (name, text) in enumerate((("石头", ANSWERED), ("阿宽", "我家的也是这样。")), 1)
    )
    html = (
        "<title>挂钟总是慢怎么办 - 社区</title><body><h1>挂钟总是慢怎么办</h1>"
        f"<div><span>发布于 9 年前</span> <span>作者 <a href=/user/mu>木头人</a></span> <span>来自 问答</span></div>"
        f"<div><p>{ASKED}</p></div><div>2 回复</div>{replies}</body>"
    )
    page = Page("https://www.example.com/x/7", html.encode(), "utf-8")
    assert page.kind == "thread"
    assert page.byline.author == "木头人"


def test_answers_in_boxes_with_that_name_need_no_time_and_no_label() -> None:
    answers = "".join(
        f"<dl class=da><dt><i></i></dt><dd>{text}<div>王医生 主治医师</div></dd></dl>"
        for text in (ANSWERED, "换一个新的机芯最省事，十几块钱。", "先看看挂得正不正。")
    )
    html = f"<title>挂钟总是慢怎么办_钟表网</title><body><dl class=wen><dd>挂钟总是慢怎么办</dd></dl>{answers}</body>"
    assert is_thread(html)


def test_a_chronicle_is_no_thread_for_its_times() -> None:
    events = (
        "考上县里的高中，第一次离开家，宿舍里住了八个人，晚上轮流讲自己村里的故事。",
        "高考前一天，母亲走了二十里路送来一罐腌菜，站在校门口不肯进来。",
        "毕业回到县城教书，第一堂课讲的就是当年老师讲过的那一篇课文。",
        "班上的第一届学生要毕业了，黑板上写满了名字，一个也舍不得擦掉。",
    )
    rows = "".join(
        f"<li class=comment><div>201{i}-09-01 10:2{i}</div><p>{text}</p></li>"
        for i, text in enumerate(events)
    )
    html = (
        f"<title>他们怎么走过这四年</title><body><h1>他们怎么走过这四年</h1><ul>{rows}</ul></body>"
    )
    assert not is_thread(html)


def test_articles_one_below_the_other_are_no_thread() -> None:
    stories = {
        "社区象棋角办了二十年": (
            "小区东门那棵槐树下，有一个办了二十年的象棋角，无论寒暑都有人来下棋。",
        ),
        "高山茶园忙着给茶树穿冬衣": (
            "霜降刚过，海拔九百米的茶园里已经有了寒意，茶农李存根和妻子一早就上了山。",
            "去年没有铺草，开春冻坏了三亩多，今年镇里免费发放了八千捆稻草，还派技术员来讲解。",
        ),
        "渔港迎来今年第一批海鲜": (
            "昨天中午十二点，停靠在渔港里的三百多艘渔船陆续出海，禁渔期正式结束。",
            "凌晨四点，第一批渔船返港，带鱼、小黄鱼、梭子蟹很快被抢购一空。",
        ),
    }
    first = next(iter(stories))
    items = "".join(
        f'<div class="post"><h2>{title}</h2><p>发布于 2022-05-0{number} 10:15</p>'
        f"<div>{''.join(f'<p>{text}</p>' for text in texts)}</div><p>评论(3) 赞(5)</p></div>"
        for number, (title, texts) in enumerate(stories.items(), 3)
    )
    html = f"<title>{first} - 河江手记</title><body><main>{items}</main>"
    page = Page("https://www.example.com/a/7.html", html.encode(), "utf-8")
    assert page.kind == "article"
    assert page.body == stories[first][0]
