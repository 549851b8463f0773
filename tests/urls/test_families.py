"""Families of URLs whose pages repeat a few texts and are never relevant are exhausted."""

from __future__ import annotations

import pytest

from tests.support.url_shapes import ORDINARY
from topiccrawl.errors import ConfigurationError
from topiccrawl.urls.families import FamilyBudget, url_pattern

A = "http://a.example"


@pytest.mark.parametrize(
    ("a", "b", "same", "why"),
    [
        (f"{A}/day/2020-01-13", f"{A}/day/2031-12-01", True, "numbers"),
        (f"{A}/x?s=7f3a9c0d21", f"{A}/x?s=0b1c2d3e4f", True, "ids"),
        (f"{A}/x?page=9", f"{A}/x?page=10", True, "one digit and two"),
        (f"{A}/qiaowu/5.html", f"{A}/jiaoyu/5.html", False, "words"),
        (f"{A}/a_7f3a9c0d21.html", f"{A}/a_abcdefgh12.html", True, "ids after a mark"),
        (f"{A}/zhongguo/", f"{A}/xinwenwang/", False, "long words without a digit"),
        (f"{A}/x?a=1", f"{A}/x?b=1", False, "names of parameters"),
        (f"{A}/1", "http://b.example/1", False, "hosts"),
    ],
)
def test_urls_that_differ_in_numbers_and_ids_are_one_family(
    a: str, b: str, same: bool, why: str
) -> None:
    assert (url_pattern(a) == url_pattern(b)) == same, why


def fetched(
    budget: FamilyBudget, pages: int, texts: int, relevant: int | None = None
) -> FamilyBudget:
    """A budget that has seen *pages* days of a calendar with *texts* different texts in turn."""
    for i in range(pages):
        budget.observe(f"{A}/day/{i}", i == relevant, f"text {i % texts}")
    return budget


@pytest.mark.parametrize(
    ("pages", "texts", "relevant", "exhausted", "why"),
    [
        (100, 1, None, True, "always the same"),
        (100, 5, None, True, "five texts"),
        (100, 6, None, False, "six texts"),
        (1000, 1000, None, False, "a news site without a relevant article"),
        (99, 1, None, False, "not enough pages"),
        (500, 1, 0, False, "one relevant page at the beginning"),
        (500, 1, 499, False, "one relevant page at the end"),
    ],
)
def test_a_family_is_exhausted_when_its_pages_repeat_and_none_is_relevant(
    pages: int, texts: int, relevant: int | None, exhausted: bool, why: str
) -> None:
    budget = fetched(FamilyBudget(), pages, texts, relevant)
    assert budget.exhausted(f"{A}/day/123456") == exhausted, why
    assert not budget.exhausted(f"{A}/month/1")


def test_new_texts_revive_a_family() -> None:
    budget = fetched(FamilyBudget(), 100, 1)
    for i in range(5):
        budget.observe(f"{A}/day/{i}", False, f"new {i}")
    assert not budget.exhausted(f"{A}/day/7")


def test_pages_without_text_are_not_counted() -> None:
    budget = FamilyBudget(pages=2)
    for i in range(9):
        budget.observe(f"{A}/{i}", False, None)
    assert not budget.exhausted(f"{A}/1")


def test_memory_is_bounded_and_the_family_in_use_stays() -> None:
    budget = FamilyBudget(pages=10, families=20)
    for i in range(100):
        budget.observe(f"{A}/day/{i}", False, "text")
        budget.observe(f"{A}/{'x' * (i + 1)}/", False, f"text {i}")
    assert len(budget._families) == 20
    assert budget.exhausted(f"{A}/day/1")


def test_nothing_is_exhausted_before_it_was_fetched() -> None:
    budget = fetched(FamilyBudget(), 100, 1)
    assert not any(budget.exhausted(url) for url, _ in ORDINARY)


@pytest.mark.parametrize("name", ["pages", "contents", "families"])
def test_limits_must_be_positive(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{name} must be >= 1, got 0"):
        FamilyBudget(**{name: 0})
