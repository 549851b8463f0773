"""Categories of pages by words and samples."""

from __future__ import annotations

import random

import pytest

from tests.support.headlines import headline
from topiccrawl.insight.categories.division import categorize
from topiccrawl.insight.categories.word_matches import matched_rows
from topiccrawl.insight.overview import Overview
from topiccrawl.topics.definition import Category

PAGES = [
    headline(0, title="侨商投资大会开幕", keywords=("经贸", "投资")),
    headline(1, title="僑校舉行畢業典禮", keywords=("教育",), language="zh-Hant"),
    headline(2, title="Tea festivals of the world", keywords=("tea", "festivals")),
    headline(3, title="天气", keywords=("晴",)),
    headline(4, title="华校招商", keywords=("教育", "投资")),
    headline(5, title="City policy：Organization of leaves, running"),
]


@pytest.mark.parametrize(
    ("word", "titles", "keywords"),
    [
        ("投资", [0], [0, 4]),
        ("毕业", [1], []),
        ("畢業", [1], []),
        ("festival", [2], [2]),
        ("festivals of the", [2], []),
        ("tea", [2], [2]),
        ("te", [], []),
        ("city", [5], []),
        ("policies", [5], []),
        ("organizations", [5], []),
        ("city policy", [5], []),
        ("leaf", [5], []),
        ("run", [5], []),
        ("policy organization", [], []),
        ("世界", [], []),
        (".", [], []),
    ],
)
def test_words_are_found_in_titles_and_keywords(
    word: str, titles: list[int], keywords: list[int]
) -> None:
    found = matched_rows(Overview.of(PAGES), word)
    assert found.in_title.nonzero()[0].tolist() == titles
    assert found.in_keywords.nonzero()[0].tolist() == keywords


def test_pages_belong_to_the_categories_whose_words_they_have() -> None:
    overview = Overview.of(PAGES)
    found = categorize(
        overview, [Category("经济", ("投资", "贸易")), Category("教育", ("教育", "毕业"))]
    )
    assert found.members.tolist() == [
        [True, False],
        [False, True],
        [False, False],
        [False, False],
        [True, True],
        [False, False],
    ]
    assert found.mask("").tolist() == [False, False, True, True, False, True]
    assert found.mask("教育").tolist() == [False, True, False, False, True, False]


def test_samples_teach_words_that_were_not_given() -> None:
    drawn = random.Random(3)
    trade = ["关税", "出口", "港口", "订单", "汇率", "工厂"]
    school = ["学生", "课程", "教师", "考试", "校长", "毕业"]
    other = [f"词{number}" for number in range(200)]
    pages = []
    for number in range(600):
        words = drawn.sample((trade, school, other)[number % 3], 4)
        pages.append(headline(number, title=f"第{number}篇", keywords=tuple(words)))
    overview = Overview.of(pages)
    categories = [Category("经济"), Category("教育")]
    found = categorize(overview, categories, [[["关税", "出口", "港口"]], [["学生", "课程"]]])
    counts = [found.members[number::3].sum(axis=0).tolist() for number in range(3)]
    assert counts[0][0] > 180
    assert counts[1][1] > 180
    assert sum(counts[2]) + counts[0][1] + counts[1][0] < 20


def test_without_pages_or_categories_nothing_belongs() -> None:
    assert categorize(Overview.of([]), [Category("a", ("b",))]).members.shape == (0, 1)
    assert categorize(Overview.of(PAGES), []).members.shape == (6, 0)
    assert categorize(Overview.of([]), [Category("a")], [[["b"]]]).members.shape == (0, 1)


def test_results_that_another_thread_forgets_are_computed_again() -> None:
    class Forgetful(dict[object, object]):
        def __setitem__(self, key: object, value: object) -> None:
            pass

    overview = Overview.of(PAGES)
    overview.__dict__["results"] = Forgetful()
    for word, titles in (("投资", 1), ("tea", 1)):
        assert matched_rows(overview, word).in_title.sum() == titles
