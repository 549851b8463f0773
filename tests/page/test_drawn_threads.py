"""Threads and articles of families of templates that the thread model has not seen."""

from __future__ import annotations

from benchmarks.thread_families import (
    ARTICLE_FAMILIES,
    QUESTION_FAMILIES,
    THREAD_FAMILIES,
    article_page,
    question_page,
    thread_page,
)
from topiccrawl.page.page import Page

FAMILIES = 40


def is_thread(html: str) -> bool:
    return Page("http://www.example.cn/x/7", html.encode()).kind == "thread"


def test_most_threads_of_unseen_templates_are_recognized_without_their_address() -> None:
    unseen = range(THREAD_FAMILIES, THREAD_FAMILIES + FAMILIES)
    found = sum(is_thread(thread_page(family, 0).html) for family in unseen)
    assert found >= 0.8 * FAMILIES


def test_most_questions_of_unseen_templates_are_threads_with_one_answer_or_more() -> None:
    unseen = range(QUESTION_FAMILIES, QUESTION_FAMILIES + FAMILIES)
    found = sum(is_thread(question_page(family, 0).html) for family in unseen)
    assert found >= 0.85 * FAMILIES


def test_articles_of_unseen_templates_are_no_threads_for_their_comments() -> None:
    unseen = range(ARTICLE_FAMILIES, ARTICLE_FAMILIES + FAMILIES)
    taken = sum(is_thread(article_page(family, 0).html) for family in unseen)
    assert taken <= 0.1 * FAMILIES


def test_the_pages_of_a_family_differ_and_are_the_same_again() -> None:
    assert thread_page(3, 1) == thread_page(3, 1)
    assert thread_page(3, 1).html != thread_page(3, 2).html


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
