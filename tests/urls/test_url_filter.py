"""The URL filter cleans and rejects links by rules and by what it learned, and counts what it does."""

from __future__ import annotations

from collections import Counter

import pytest

from topiccrawl.urls.filter import UrlFilter, text_hash
from topiccrawl.urls.traps import TrapRules

A = "http://a.example"
NOW = 1_790_000_000.0  # September 2026


def make_filter(counts: Counter[str], *, learn: bool = True, pages: int = 3) -> UrlFilter:
    """A filter that counts into *counts*; three pages may exhaust a family."""
    return UrlFilter(
        TrapRules(),
        lambda: NOW,
        learn_parameters=learn,
        pattern_pages=pages,
        count=lambda name: counts.update([name]),
    )


def visit_sessions(url_filter: UrlFilter, articles: int) -> None:
    """Fetch *articles* articles under two session ids each."""
    for i in range(articles):
        for session in (i, i + 1):
            url_filter.learn(f"{A}/show?id={i}&ss={session}", f"article {i}", relevant=True)


def test_an_ordinary_link_passes_and_is_not_counted() -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts)
    assert url_filter.allows(f"{A}/t20200113_5.html")
    assert url_filter.clean(f"{A}/show?id=5") == f"{A}/show?id=5"
    assert not counts


def test_a_trap_is_rejected_and_counted_by_its_reason() -> None:
    counts: Counter[str] = Counter()
    assert not make_filter(counts).allows(f"{A}/calendar/2031/05/")
    assert counts == {"links/trapped/calendar": 1}


@pytest.mark.parametrize(("pages", "allowed"), [(3, False), (0, True)])
def test_links_to_an_exhausted_family_are_rejected_unless_families_are_off(
    pages: int, allowed: bool
) -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts, pages=pages)
    for i in range(3):
        url_filter.learn(f"{A}/day/{i}", "nothing on this day", relevant=False)
    assert url_filter.allows(f"{A}/day/77") == allowed
    assert counts["links/trapped/pattern"] == (not allowed)


def test_a_learned_parameter_is_removed_until_a_page_contradicts() -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts)
    visit_sessions(url_filter, 20)
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7"
    url_filter.learn(f"{A}/show?id=5", "error: no session", relevant=False)
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7&ss=9"
    assert counts == {"parameters/learned": 1, "links/cleaned": 1, "parameters/unlearned": 1}


def test_nothing_is_learned_from_parameters_when_that_is_off() -> None:
    url_filter = make_filter(Counter(), learn=False)
    visit_sessions(url_filter, 20)
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7&ss=9"


@pytest.mark.parametrize(
    ("a", "b", "same", "why"),
    [
        ("侨乡 新闻", "侨乡\n\n新闻 ", True, "layout is not content"),
        ("侨乡 1", "侨乡 2", False, "other words"),
    ],
)
def test_pages_with_the_same_words_have_the_same_hash(a: str, b: str, same: bool, why: str) -> None:
    assert (text_hash(a) == text_hash(b)) is same, why


def test_a_page_without_text_has_no_hash() -> None:
    assert text_hash(" \n\u3000") is None
