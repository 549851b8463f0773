"""Counts by day, site and term."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.headlines import START, headline
from topiccrawl.insight.counts import (
    Series,
    daily,
    daily_by,
    grouped,
    largest,
    story_days,
    term_counts,
    term_days,
)
from topiccrawl.insight.days import day_of, day_of_moment, number_of
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection, has_term, select, span


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=40),
    st.sets(st.integers(0, 6)),
)
def test_counts_by_day_and_code_are_those_of_counting(
    pairs: list[tuple[int, int]], wanted: set[int]
) -> None:
    days = np.array([day for day, _ in pairs], dtype=np.int32)
    codes = np.array([code for _, code in pairs], dtype=np.int32)
    rows = np.array(sorted(wanted), dtype=np.int64)
    found = daily_by(days, codes, rows, 2, 7)
    expected = Counter(pairs)
    assert found.tolist() == [
        [expected[day, code] for day in range(2, 8)] for code in rows.tolist()
    ]
    assert daily(days, 2, 7).counts.tolist() == [
        sum(day == it for it, _ in pairs) for day in range(2, 8)
    ]


def test_steps_are_calendar_weeks_and_months() -> None:
    first = number_of(date(2026, 2, 25))  # a Wednesday
    series = Series(first, np.ones(10, dtype=np.int64))
    assert [(day_of(day), n) for day, n in grouped(series, "week")] == [
        (date(2026, 2, 23), 5),
        (date(2026, 3, 2), 5),
    ]
    assert [(day_of(day), n) for day, n in grouped(series, "month")] == [
        (date(2026, 2, 1), 4),
        (date(2026, 3, 1), 6),
    ]
    assert len(grouped(series, "day")) == 10


def test_terms_are_counted_in_the_selected_pages() -> None:
    overview = Overview.of(
        [
            headline(0, day=0, keywords=("侨批", "档案")),
            headline(1, day=1, keywords=("侨批",), site="b.example"),
            headline(2, day=2, keywords=()),
        ]
    )
    names = overview.books.term.names
    counts = term_counts(overview, select(overview, Selection()))
    assert dict(zip(names, counts.tolist(), strict=True)) == {"侨批": 2, "档案": 1}
    assert [names[code] for code in largest(counts, 1, names)] == ["侨批"]
    days, codes = term_days(overview, select(overview, Selection(site="b.example")))
    assert days.tolist() == [day_of_moment(START) + 1]
    assert [names[code] for code in codes] == ["侨批"]
    assert has_term(overview, "侨批").tolist() == [True, True, False]
    assert not has_term(overview, "茶").any()
    assert not select(overview, Selection(site="nowhere.example")).any()


def test_of_equal_counts_those_with_the_first_names_are_largest() -> None:
    names = ["丁", "乙", "甲", "丙", "丑"]
    assert largest(np.array([2, 2, 5, 2, 0]), 3, names).tolist() == [2, 0, 3]
    assert largest(np.array([0, 0, 0, 0, 0]), 3, names).tolist() == []


def test_a_story_belongs_to_the_day_of_its_first_page() -> None:
    overview = Overview.of(
        [headline(0, day=5, story="s"), headline(1, day=3, story="s"), headline(2, day=9)]
    )
    start = day_of_moment(START)
    assert sorted(story_days(overview, select(overview, Selection())) - start) == [3, 9]
    assert span(overview) == (start + 3, start + 9)
    assert span(Overview.of([])) is None
