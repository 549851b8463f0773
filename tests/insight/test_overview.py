"""The columns of a topic's pages."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.headlines import START, headline
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.overview import Overview, moment_of


def _texts(overview: Overview, name: str) -> list[str]:
    names = getattr(overview.books, name).names
    return [names[code] for code in getattr(overview.columns, name)]


def test_columns_hold_what_the_headlines_state() -> None:
    pages = [
        headline(0, site="a.example", keywords=("侨批", "档案"), author="李"),
        headline(1, site="b.example", keywords=(), copy_of="http://a.example/0", story="s"),
        headline(2, site="a.example", keywords=("档案",), story="s", probability=None),
    ]
    overview = Overview.of(pages)
    assert _texts(overview, "site") == ["a.example", "b.example", "a.example"]
    assert _texts(overview, "author") == ["李", "", ""]
    assert [overview.terms(row) for row in range(3)] == [["侨批", "档案"], [], ["档案"]]
    assert overview.is_copy.tolist() == [False, True, False]
    assert overview.columns.story[1] == overview.columns.story[2] != overview.columns.story[0]
    assert np.isnan(overview.columns.probability[2])
    assert moment_of(overview.columns.published[0]) == START


def test_a_day_is_one_of_china() -> None:
    late = START.replace(hour=16)  # 24:00 in China
    overview = Overview.of(
        [headline(0, published_at=late - timedelta(seconds=1)), headline(1, published_at=late)]
    )
    assert overview.day.tolist() == [day_of_moment(START), day_of_moment(START) + 1]


def test_an_impossible_publish_time_is_replaced_by_the_first_visit() -> None:
    seen = START
    overview = Overview.of(
        [
            headline(0, published_at=START.replace(year=2099), first_seen=seen, fetched_at=seen),
            headline(1, published_at=START.replace(year=1970), first_seen=seen, fetched_at=seen),
            headline(2, published_at=None, first_seen=None, fetched_at=seen),
        ]
    )
    assert [moment_of(it) for it in overview.time] == [seen] * 3
    assert [moment_of(it) for it in overview.columns.published] == [None] * 3


def test_newest_pages_come_first() -> None:
    overview = Overview.of([headline(n, day=day) for n, day in enumerate((3, 9, 1))])
    assert overview.newest.tolist() == [1, 0, 2]


_PAGES = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.sampled_from("ab"),
        st.lists(st.sampled_from("侨批档案"), max_size=3, unique=True),
    ),
    max_size=15,
)


@given(_PAGES, _PAGES, st.sets(st.integers(0, 15)))
def test_an_updated_overview_equals_one_made_anew(
    before: list[tuple[int, str, list[str]]],
    after: list[tuple[int, str, list[str]]],
    removed: set[int],
) -> None:
    first, second = (
        [headline(n, site=site, keywords=words, day=n) for n, site, words in pages]
        for pages in (before, after)
    )
    gone = [headline(n).url for n in removed]
    updated = Overview.of(first).updated(second, gone)
    expected = {it.url: it for it in first if it.url not in gone} | {it.url: it for it in second}
    assert len(updated) == len(expected)
    for row, url in enumerate(updated.columns.url):
        page = expected[url]
        assert _texts(updated, "site")[row] == page.site
        assert updated.terms(row) == list(page.keywords)
        assert moment_of(updated.time[row]) == page.published_at
    assert updated.row_of == {url: row for row, url in enumerate(updated.columns.url)}


def test_each_overview_has_a_number_of_its_own() -> None:
    first = Overview.of([headline(1)])
    numbers = {first.number, first.updated([headline(2)]).number, Overview.of([headline(1)]).number}
    assert len(numbers) == 3
