"""Traps are rejected with a reason; ordinary URLs pass."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.url_shapes import ORDINARY
from topiccrawl.errors import ConfigurationError
from topiccrawl.urls.traps import REASONS, TrapRules, trap

A = "http://a.example"
NOW = datetime(2026, 11, 21, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("url", "reason", "why"),
    [
        (f"{A}/" + "x" * 2000, "too-long", "links that grow from page to page"),
        (f"{A}/" + "/".join(f"s{i}" for i in range(17)), "path-depth", "17 segments"),
        (f"{A}/" + "/".join(f"s{i}" for i in range(16)), None, "16 segments"),
        (
            f"{A}/" + "/".join(f"s{i}" for i in range(16)) + "/",
            None,
            "the last slash is no segment",
        ),
        (f"{A}/news/news/news/", "repeated-segment", "a relative link without its leading slash"),
        (f"{A}/x/news/news/news/5.html", "repeated-segment", "anywhere in the path"),
        (f"{A}/news/news/5.html", None, "twice happens"),
        (f"{A}/a/b/a/b/a/b/", "repeated-segment", "alternating"),
        (f"{A}/a/b/c/a/b/c/a/b/c", "repeated-segment", "three in turn"),
        (f"{A}/a/b/a/b/a/c", None, "not quite three times"),
        (f"{A}/a/1/a/2/a/3", None, "folders named like their parameters"),
        (f"{A}/a/1/a/1/a/1", "repeated-segment", "a number within what repeats"),
        (f"{A}/1/1/1/5468.html", None, "numbers are places in a tree"),
        (f"{A}/list/all/all/all/all/", None, "placeholders of a filter"),
        (f"{A}/-/-/-/-/x", None, "the same"),
        (f"{A}/x?p=1&p=1&p=1", "repeated-parameter", "a link that adds its parameter each time"),
        (f"{A}/x?p=1&p=1", None, "twice happens"),
        (f"{A}/x?p=1&p=2&p=3", None, "several may be chosen"),
        (
            f"{A}/x?" + "&".join(f"p={i}" for i in range(6)),
            "repeated-parameter",
            "six pages of one",
        ),
        (f"{A}/x?" + "&".join(f"p%5B%5D={i}" for i in range(9)), None, "p[] is meant to repeat"),
        (f"{A}/login?url=%2Flogin%3Furl%3D%252Fa", None, "a login in a login"),
        (
            f"{A}/login?url=%2Flogin%3Furl%3D%252Flogin%253Furl%253D%25252Fa",
            "repeated-parameter",
            "a login that returns to the login that returns to the login",
        ),
        (f"{A}/x?" + "&".join(f"p{i}=1" for i in range(25)), "too-many-parameters", "25"),
        (f"{A}/x?" + "&".join(f"p{i}=1" for i in range(24)), None, "24"),
        (f"{A}/2031/05/", "calendar", "a month to come"),
        (f"{A}/events/2031-05", "calendar", "a month to come"),
        (f"{A}/2031/5/12", "calendar", "a day to come"),
        (f"{A}/2031/5/", None, "more often the fifth page of list 2031"),
        (f"{A}/2031/13/", None, "no month"),
        (f"{A}/2031/05/32", None, "no day"),
        (f"{A}/2027/11/", None, "twelve months ahead: announced"),
        (f"{A}/2027/12/", "calendar", "thirteen months ahead"),
        (f"{A}/2031/05/12/jiaoliu.html", None, "an article has a name"),
        (f"{A}/2031/05/12.html", None, "an article may be numbered"),
        (f"{A}/1949/10/01/", None, "a newspaper archive"),
        (f"{A}/x?date=2031-05-12", "calendar", "a day to come"),
        (f"{A}/x?Date=2031%2F5%2F12", "calendar", "another way to write it"),
        (f"{A}/x?date=20310512", "calendar", "another way to write it"),
        (f"{A}/x?ym=203105", "calendar", "a month to come"),
        (f"{A}/x?date=2026-12-24", None, "next month"),
        (f"{A}/x?date=1949-10-01", None, "a newspaper archive"),
        (f"{A}/x?date=203105123", None, "a number"),
        (f"{A}/x?id=20310512", None, "a number with another name"),
        (f"{A}/x?month=5&year=2031", "calendar", "a month to come"),
        (f"{A}/calendar?m=6&y=2031", "calendar", "short names where the path says calendar"),
        (f"{A}/x?month=05&year=1985", "calendar", "long ago"),
        (f"{A}/x?month=5&year=2020", None, "an archive"),
        (f"{A}/x?year=1985", None, "figures of a year"),
        (f"{A}/x?year=2050", None, "figures of a year"),
        (f"{A}/x?month=a&year=2050", None, "not a month"),
        (f"{A}/calendar/2031/", "calendar", "a year to come"),
        (f"{A}/event-calendar/2031/5/12", "calendar", "a day to come"),
        (f"{A}/huangli/2031-5-12.html", "calendar", "黄历, a day to come"),
        (f"{A}/rili/1950/01", "calendar", "long ago"),
        (f"{A}/%E6%97%A5%E5%8E%86/203105", "calendar", "日历, a month to come"),
        (
            f"{A}/Calendar/1950/01",
            "calendar",
            "long ago, as servers without regard to case write it",
        ),
        (f"{A}/rili_view/1950/01", "calendar", "long ago"),
        (f"{A}/calendar/2026/12", None, "next month"),
        (f"{A}/calendar/1950/", None, "may be an article's number"),
        (f"{A}/calendar/12345", None, "an article's number"),
        (f"{A}/", None, "the front page"),
        ("http://a.example", None, "no path"),
        ("nonsense", None, "no URL"),
    ],
)
def test_traps(url: str, reason: str | None, why: str) -> None:
    assert trap(url, NOW) == reason, why


@pytest.mark.parametrize(("url", "whose"), ORDINARY)
def test_ordinary_urls_pass(url: str, whose: str) -> None:
    assert trap(url, NOW) is None, whose


def test_there_are_enough_ordinary_shapes() -> None:
    assert len({url for url, _ in ORDINARY}) >= 100


def test_the_calendar_limit_moves_with_the_clock() -> None:
    url = f"{A}/2031/05/"
    assert trap(url, datetime(2030, 4, 30, tzinfo=UTC).timestamp()) == "calendar"
    assert trap(url, datetime(2030, 5, 1, tzinfo=UTC).timestamp()) is None


@pytest.mark.parametrize(
    "url",
    [
        f"{A}/" + "x" * 3000,
        f"{A}/" + "/".join(f"s{i}" for i in range(30)),
        f"{A}/a/a/a/a",
        f"{A}/x?p=1&p=1&p=1",
        f"{A}/x?" + "&".join(f"p{i}=1" for i in range(90)),
        f"{A}/2031/05/",
        f"{A}/rili/1950/01",
    ],
)
def test_each_rule_can_be_turned_off(url: str) -> None:
    assert trap(url, NOW) in REASONS
    assert trap(url, NOW, TrapRules(*[0] * len(fields(TrapRules)))) is None


def test_each_limit_is_respected() -> None:
    assert trap(f"{A}/a/b/c", NOW, TrapRules(max_path_depth=2)) == "path-depth"
    assert trap(f"{A}/a/a", NOW, TrapRules(repeated_segments=2)) == "repeated-segment"
    assert trap(f"{A}/2029/01/", NOW, TrapRules(calendar_months=36)) is None


@pytest.mark.parametrize("name", [rule.name for rule in fields(TrapRules)])
def test_a_negative_limit_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{name} must be >= 0, got -1"):
        TrapRules(**{name: -1})


@pytest.mark.parametrize("name", ["repeated_segments", "repeated_parameters"])
def test_a_limit_of_one_repetition_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{name} must be 0 or >= 2, got 1"):
        TrapRules(**{name: 1})


@given(st.text(max_size=60), st.floats(0, 4e9))
def test_trap_never_raises(tail: str, now: float) -> None:
    assert trap(f"{A}/{tail}", now) in (None, *REASONS)


def test_a_host_may_have_as_many_labels_as_the_rule_says() -> None:
    rules = TrapRules(max_host_labels=5)
    assert trap("http://a.b.c.example.cn/", NOW, rules) is None
    assert trap("http://z.a.b.c.example.cn/", NOW, rules) is not None
