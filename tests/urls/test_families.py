"""Families of URLs whose pages bring nothing new are exhausted."""

from __future__ import annotations

import pytest

from tests.support.url_shapes import ORDINARY
from topiccrawl.errors import ConfigurationError
from topiccrawl.urls.families import FamilyBudget, families, url_pattern

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


def fetched(pages: int, new: int | None = None, every: int = 0) -> FamilyBudget:
    """A budget that has seen days of a calendar, with something new on one of them or on every n-th."""
    budget = FamilyBudget()
    for i in range(pages):
        budget.observe(f"{A}/day/{i}", i == new or bool(every and i % every == 0))
    return budget


@pytest.mark.parametrize(
    ("pages", "new", "every", "exhausted", "why"),
    [
        (30, None, 0, True, "nothing new"),
        (29, None, 0, False, "not enough pages"),
        (31, 0, 0, True, "new once, and 30 pages without anything new"),
        (500, 499, 0, True, "what is exhausted stays so"),
        (40, 20, 0, False, "the count begins anew"),
        (1000, None, 25, False, "something new now and then"),
        (1000, None, 1, False, "a news site"),
    ],
)
def test_a_family_is_exhausted_when_its_pages_bring_nothing_new(
    pages: int, new: int | None, every: int, exhausted: bool, why: str
) -> None:
    budget = fetched(pages, new, every)
    assert budget.exhausted(f"{A}/day/123456") == exhausted, why
    assert bool(budget.found) == exhausted
    assert not budget.exhausted("http://b.example/day/1")


def test_a_folder_is_exhausted_after_twice_as_many_pages_of_different_patterns() -> None:
    budget = FamilyBudget(pages=10)
    path = f"{A}/x/"
    for i in range(20):
        assert not budget.exhausted(f"{A}/x/new/")
        path += f"{chr(97 + i)}/"
        budget.observe(path, False)
        budget.observe(f"{A}/good/{chr(97 + i)}.html", True)
    assert budget.exhausted(f"{A}/x/new/")
    assert not budget.exhausted(f"{A}/good/new.html")
    assert not budget.exhausted(f"{A}/")


def test_orders_of_a_list_are_exhausted_but_not_its_pages() -> None:
    budget = FamilyBudget(pages=10)
    for i in range(15):
        budget.observe(f"{A}/list?order={chr(97 + i)}&page={i}", False)
        budget.observe(f"{A}/list?page={i}", True)
    assert budget.exhausted(f"{A}/list?order=z&page=99")
    assert not budget.exhausted(f"{A}/list?page=99")


def test_families_that_bring_something_new_take_no_memory() -> None:
    budget = fetched(1_000, every=1)
    assert not budget._stale


def test_memory_is_bounded_and_the_family_in_use_stays() -> None:
    budget = FamilyBudget(pages=10, most=20)
    for i in range(100):
        budget.observe(f"{A}/day/{i}", False)
        budget.observe(f"http://{'x' * (i + 1)}.example/", False)
    assert len(budget._stale) == 20
    assert budget.exhausted(f"{A}/day/1")


def test_nothing_is_exhausted_before_it_was_fetched() -> None:
    budget = fetched(100)
    assert not any(budget.exhausted(url) for url, _ in ORDINARY if not url.startswith(A))


@pytest.mark.parametrize(
    "url", ["", "x", "http://", "http://a", "mailto:a@b.cn", "http://a.cn?x=1"]
)
def test_any_text_has_families(url: str) -> None:
    assert next(families(url))[0] == url_pattern(url)


@pytest.mark.parametrize("name", ["pages", "most"])
def test_limits_must_be_positive(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{name} must be >= 1, got 0"):
        FamilyBudget(**{name: 0})
