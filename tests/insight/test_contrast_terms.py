"""Terms that set one set of pages apart from another."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.headlines import headline
from topiccrawl.insight.contrast_terms import contrast, contrast_terms, term_log_odds
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection, select


@given(st.integers(0, 30), st.integers(0, 30), st.integers(40, 200), st.integers(40, 200))
def test_log_odds_follow_the_formula(y: int, other: int, n: int, m: int) -> None:
    a = 50 * max(y + other, 0.5) / (n + m)
    odds = (y + a) / (n + 50 - y - a)
    other_odds = (other + a) / (m + 50 - other - a)
    expected = math.log(odds) - math.log(other_odds)
    delta, z = term_log_odds(np.array([y]), n, np.array([other]), m)
    assert delta[0] == pytest.approx(expected)
    assert z[0] == pytest.approx(expected / math.sqrt(1 / (y + a) + 1 / (other + a)))


def test_terms_that_differ_are_listed_and_frequent_ones_are_not() -> None:
    drawn = random.Random(1)
    pages = []
    for number in range(600):
        words = {"侨务", drawn.choice(["会议", "学校", "报纸"])}
        if number >= 500 and number % 3 == 0:
            words.add("台风")
        pages.append(headline(number, day=number // 10, keywords=tuple(sorted(words))))
    overview = Overview.of(pages)
    last_day = int(overview.day.max())
    late = select(overview, Selection(first_day=last_day - 9))
    (found,) = contrast_terms(overview, late, ~late)
    assert (found.term, found.inside, found.outside) == ("台风", int(late.sum()) // 3, 0)
    assert math.isinf(found.ratio)


def test_a_part_of_a_listed_term_is_left_out_when_it_is_in_the_same_pages() -> None:
    names = ["侨批档案", "侨批", "档案", "档"]
    inside, outside = np.array([40, 42, 90, 41]), np.array([0, 0, 5, 400])
    found = contrast(names, inside, 100, outside, 1000)
    assert {it.term for it in found} == {"侨批", "档案"}


def test_the_ratio_is_that_of_the_shares() -> None:
    (found,) = contrast(["台风"], np.array([60]), 100, np.array([50]), 1000)
    assert found.ratio == pytest.approx(0.6 / 0.05)


def test_equal_sets_differ_in_nothing() -> None:
    counts = np.array([5, 50, 500])
    assert contrast(["a", "b", "c"], counts, 1000, counts, 1000) == []
    assert contrast(["a", "b", "c"], counts, 1000, counts * 0, 0) == []


def test_terms_added_between_two_counts_do_no_harm() -> None:
    found = contrast(["a", "b"], np.array([90]), 100, np.array([1, 0]), 100)
    assert [it.term for it in found] == ["a"]
