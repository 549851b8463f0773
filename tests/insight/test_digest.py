"""A topic at a glance."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.headlines import START, headline
from topiccrawl.insight.digest import digest
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.stories.listing import story_list

NOW = START + timedelta(days=40)


def seen(number: int, days_ago: int, **fields: Any) -> Any:
    return headline(number, first_seen=NOW - timedelta(days=days_ago), **fields)


def test_new_pages_are_counted_by_day_and_week() -> None:
    pages = [seen(n, ago) for n, ago in enumerate((0, 0, 1, 6, 7, 13, 14, 29, 30))]
    found = digest(Overview.of(pages), NOW)
    assert (found.today, found.week, found.week_before) == (2, 4, 2)
    assert found.days.total == 8
    assert found.pages == 9


def test_copies_count_for_stories_only() -> None:
    pages = [
        seen(0, 3, story="s"),
        *(seen(n, 0, story="s", copy_of="http://a.example/0") for n in (1, 2)),
    ]
    found = digest(Overview.of(pages), NOW)
    assert (found.pages, found.copies, found.today) == (1, 2, 0)
    assert [(it.story, it.row, it.size, it.recent) for it in found.stories] == [("s", 0, 3, 3)]


def test_stories_without_anything_new_make_room_for_recent_ones() -> None:
    old = [seen(n, 35, story="old", copy_of="x" if n else "") for n in range(5)]
    new = [seen(n, 1, story="new", copy_of="y" if n > 10 else "") for n in (10, 11)]
    assert [it.story for it in digest(Overview.of(old + new), NOW).stories] == ["new"]
    found = digest(Overview.of(old), NOW)
    assert ([it.story for it in found.stories], found.is_recent) == (["old"], False)


def test_of_stories_of_one_size_the_newest_comes_first_as_in_their_list() -> None:
    published = {"old": 9, "new": 2, "between": 5}
    pages = [
        seen(
            2 * n + copy, 1, fetched_at=NOW, published_at=NOW - timedelta(ago),
            story=story, copy_of="x" * copy,
        )
        for n, (story, ago) in enumerate(published.items())
        for copy in (0, 1)
    ]  # fmt: skip
    overview = Overview.of(pages)
    found = [it.story for it in digest(overview, NOW).stories]
    assert found == ["new", "between", "old"]
    listed = story_list(overview).story
    assert [overview.books.story.names[code] for code in listed] == found


def test_pages_that_claim_to_be_of_the_future_are_not_the_newest() -> None:
    early = {"first_seen": NOW, "fetched_at": NOW}
    pages = [
        headline(0, published_at=NOW - timedelta(days=1), **early),
        headline(1, published_at=NOW + timedelta(hours=20), **early),
    ]
    assert digest(Overview.of(pages), NOW).newest == [0]


def test_an_empty_topic_has_a_digest() -> None:
    found = digest(Overview.of([]), NOW)
    assert (found.pages, found.stories, found.newest, found.terms) == (0, [], [], [])


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans(), st.sampled_from("abc")), max_size=30))
def test_figures_agree_with_counting_one_by_one(rows: list[tuple[int, bool, str]]) -> None:
    pages = [
        seen(n, ago, copy_of="x" if copy else "", keywords=(word,), story=word)
        for n, (ago, copy, word) in enumerate(rows)
    ]
    found = digest(Overview.of(pages), NOW)
    own = [(ago, word) for ago, copy, word in rows if not copy]
    assert found.pages == len(own)
    assert found.week == sum(ago < 7 for ago, _ in own)
    words = Counter(word for ago, word in own if ago < 7) or Counter(word for _, word in own)
    assert dict(found.terms) == dict(words)
    sizes = Counter(word for _, _, word in rows)
    assert all(it.size == sizes[it.story] for it in found.stories)
