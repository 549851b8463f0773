"""Threads and articles of families of templates that the thread model has not seen."""

from __future__ import annotations

from benchmarks.thread_families import (
    ARTICLE_FAMILIES,
    THREAD_FAMILIES,
    article_page,
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


def test_articles_of_unseen_templates_are_no_threads_for_their_comments() -> None:
    unseen = range(ARTICLE_FAMILIES, ARTICLE_FAMILIES + FAMILIES)
    taken = sum(is_thread(article_page(family, 0).html) for family in unseen)
    assert taken <= 0.1 * FAMILIES


def test_the_pages_of_a_family_differ_and_are_the_same_again() -> None:
    assert thread_page(3, 1) == thread_page(3, 1)
    assert thread_page(3, 1).html != thread_page(3, 2).html
