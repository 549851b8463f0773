"""Naive rules of which pages to keep, as a user would write them."""

from __future__ import annotations

import pytest

from tests.evaluation.test_simulation import DictWeb
from tests.support.chinese_web import GBK, HOME, OLD, WIDE, small_pages
from topiccrawl.evaluation.simulation.naive import NAIVE_RULES, NaiveRules, kept_by_rules
from topiccrawl.evaluation.simulation.pages import StoredPages

WORDS = ["华侨", "侨胞", "侨务", "侨联"]


@pytest.mark.parametrize(
    ("title", "text", "kept"),
    [
        ("", "", (False, False, False)),
        ("", "华侨华侨华侨", (True, False, False)),
        ("华侨", "", (True, True, False)),
        ("", "华侨和侨胞", (True, True, False)),
        ("华侨", "侨胞和侨务", (True, True, True)),
        ("新闻", "华侨、侨胞、侨联", (True, True, True)),
    ],
)
def test_different_keywords_in_title_and_text_are_counted(
    title: str, text: str, kept: tuple[bool, ...]
) -> None:
    assert kept_by_rules(WORDS, title, text) == kept


def test_with_fewer_than_three_keywords_all_of_them_are_enough() -> None:
    assert kept_by_rules(["茶"], "", "喝茶") == (True, False, True)
    assert kept_by_rules(["茶", "壶"], "", "喝茶") == (True, False, False)
    assert kept_by_rules([], "茶", "茶") == (False, False, False)


def test_stored_pages_are_compared_in_normalized_text() -> None:
    web = DictWeb({page.url: page for page in small_pages()})
    rules = NaiveRules(StoredPages(web))
    found = rules.judge(["華僑", "侨胞 ", "侨务"], [GBK, WIDE, HOME, OLD, "http://no.example/"])
    assert tuple(found) == NAIVE_RULES
    # The home page shows none of the words, a redirect and a missing page have no text.
    assert set(found.values()) == {(True, True, False, False, False)}
    assert rules.judge(["首页"], [HOME])["two or title"] == (True,)
