"""Body text stated in a page's metadata."""

from __future__ import annotations

from topiccrawl.page.body.stated_body import in_article_body, share_of_description

LINES = ["首页 新闻 财经", "滨河区图书馆昨日举办读书沙龙，三十多位读者参加。", "版权所有"]


def test_the_lines_that_the_description_quotes_are_found() -> None:
    found = share_of_description(
        {"og:description": "滨河区图书馆昨日举办读书沙龙，三十多位读者参加。"}, LINES
    )
    assert found[1] > 0.9
    assert found[0] == found[2] == 0


def test_a_short_description_is_ignored() -> None:
    assert share_of_description({"description": "图书馆"}, LINES) == [0, 0, 0]


def test_lines_of_the_stated_body_are_found() -> None:
    data = '{"@type": "NewsArticle", "articleBody": "滨河区图书馆昨日举办读书沙龙，三十多位读者参加。完"}'
    assert in_article_body([data], LINES) == [False, True, False]


def test_without_a_stated_body_there_is_no_result() -> None:
    assert in_article_body(['{"@type": "NewsArticle"}'], LINES) is None
