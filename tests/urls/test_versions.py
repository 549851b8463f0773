"""Addresses of versions are learned from equal texts; what pages state is checked."""

from __future__ import annotations

import pytest

from topiccrawl.urls import versions
from topiccrawl.urls.content import GONE, PageContent
from topiccrawl.urls.versions import VersionLearner

A = "http://www.a.cn"
M = "http://m.a.cn"


def text(number: int) -> PageContent:
    return PageContent(number + 1, number + 1, has_body=True)


def show(learner: VersionLearner, pages: int, *addresses: str) -> None:
    """Fetch *pages* pages under each of *addresses*."""
    for number in range(pages):
        for address in addresses:
            learner.observe(address.format(1000 + number), text(number))


VERSIONS = [
    (A + "/n/{}_m.html", A + "/n/{}.html"),
    (A + "/print/{}.html", A + "/n/{}.html"),
    (A + "/show.asp?id={}&print=1", A + "/show.asp?id={}"),
    (A + "/print.asp?id={}", A + "/show.asp?id={}"),
    (A + "/plus/view.php?aid={}&mobile=1", A + "/a/{}.html"),
    (A + "/n/{}_print.shtml", A + "/n/{}.shtml"),
    (A + "/wap/show-{}-1.html", A + "/show-{}-1.html"),
    (M + "/article/{}", A + "/n/{}.html"),
]


@pytest.mark.parametrize(("version", "page"), VERSIONS)
def test_a_version_is_learned_from_seven_equal_texts(version: str, page: str) -> None:
    learner = VersionLearner()
    show(learner, 6, version, page)
    assert learner.preferred(version.format(7777)) == version.format(7777)
    show(learner, 7, version, page)
    assert learner.preferred(version.format(7777)) == page.format(7777)
    assert learner.preferred(page.format(7777)) == page.format(7777)


@pytest.mark.parametrize("stated_by", ["version", "page"])
def test_three_are_enough_if_a_page_states_it(stated_by: str) -> None:
    learner = VersionLearner()
    version, page = A + "/x/{}.html", A + "/n/{}.html"
    for number in range(3):
        one, other = version.format(1000 + number), page.format(1000 + number)
        learner.observe(one, text(number), canonical=other if stated_by == "version" else "")
        learner.observe(other, text(number), versions=[one] if stated_by == "page" else ())
    assert learner.preferred(version.format(7777)) == page.format(7777)


def test_a_statement_without_equal_texts_is_nothing() -> None:
    learner = VersionLearner()
    for number in range(100):
        learner.observe(f"{A}/x/{number}.html", text(number), canonical=f"{A}/n/{number}.html")
        learner.observe(f"{A}/n/{number}.html", text(number + 500))
    assert not learner.learned


def test_a_statement_for_another_domain_is_nothing() -> None:
    learner = VersionLearner()
    for number in range(100):
        learner.observe(
            f"{A}/x/{number}.html", text(number), canonical=f"http://b.cn/{number}.html"
        )
        learner.observe(f"http://b.cn/{number}.html", text(number))
    assert not learner.learned


def test_the_first_page_of_articles_says_nothing_of_the_second() -> None:
    learner = VersionLearner()
    for number in range(100, 130):
        first = f"{A}/m/show.php?id={number}"
        learner.observe(first, text(number), canonical=first)
        learner.observe(f"{first}&page=1", text(number), canonical=first)
    assert learner.preferred(f"{A}/m/show.php?id=999&page=1") == f"{A}/m/show.php?id=999"
    assert learner.preferred(f"{A}/m/show.php?id=999&page=2").endswith("page=2")


def test_texts_that_differ_later_revoke_it() -> None:
    learner = VersionLearner()
    version, page = VERSIONS[0]
    show(learner, 7, version, page)
    learner.observe(page.format(5000), text(1))
    learner.observe(version.format(5000), text(2))
    assert learner.preferred(version.format(7777)) == version.format(7777)


def test_a_version_of_a_page_that_does_not_exist_is_a_difference() -> None:
    learner = VersionLearner()
    version, page = VERSIONS[0]
    show(learner, 7, version, page)
    learner.observe(page.format(5000), GONE)
    learner.observe(version.format(5000), text(2))
    assert learner.preferred(version.format(7777)) == version.format(7777)


def test_equal_texts_at_ordinary_addresses_are_no_versions() -> None:
    learner = VersionLearner()
    show(learner, 30, A + "/hr/{}.html", A + "/gj/{}.html")
    assert not learner.learned


def test_a_version_of_a_fetched_page_is_known() -> None:
    learner = VersionLearner()
    version, page = VERSIONS[0]
    show(learner, 7, version, page)
    learner.observe(page.format(5000), text(77))
    assert learner.fetched(version.format(5000)) == page.format(5000)
    assert learner.fetched(version.format(6000)) is None


def test_rules_beyond_the_bound_are_forgotten_and_new_ones_learned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(versions, "_RULES", 2)
    learner = VersionLearner()
    for site in "bcdef":
        show(learner, 1, f"http://www.{site}.cn/n/{{}}_m.html", f"http://www.{site}.cn/n/{{}}.html")
    show(learner, 20, A + "/n/{}_m.html", A + "/n/{}.html")
    assert learner.preferred(A + "/n/7777_m.html") == A + "/n/7777.html"
