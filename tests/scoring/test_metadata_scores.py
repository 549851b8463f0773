from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.scoring.metadata import (
    THIRD_CHANCE_CAP,
    AmhWeights,
    HitMatcher,
    amh,
    amh_array,
    background,
    extended_relevance,
    rw,
    rw_array,
    rwb,
    rwb_array,
)

UNIT = st.floats(0, 1)
DRAW = st.floats(0, 1, exclude_max=True)


@pytest.mark.parametrize(
    ("strings", "expected"),
    [
        pytest.param(["http://www.chinaqw.com/huaqiao/1.html"], True, id="UH: a token in the path"),
        pytest.param(["", "window.open('/huaqiao/')", ""], True, id="UH: onmouseover counts"),
        pytest.param(["海外华侨回国创业"], True, id="TeH: Han words have no boundaries"),
        pytest.param(["华", "侨"], False, id="a word is not put together from two strings"),
        pytest.param(["c++"], True, id="a word with pattern characters is taken literally"),
        pytest.param(["c"], False, id="and not as a pattern"),
        pytest.param([], False, id="no strings, no hit"),
        pytest.param([""], False, id="the empty string holds no word"),
    ],
)
def test_hit_is_one_if_some_topic_word_occurs(strings: list[str], expected: bool) -> None:
    assert HitMatcher(["华侨", "huaqiao", "c++", ""]).hit(strings) is expected


def test_without_words_nothing_hits() -> None:
    assert not HitMatcher([]).hit(["华侨"])
    assert not HitMatcher([""]).hit(["华侨"])


WORDS = st.lists(st.text("侨乡ab.", min_size=1, max_size=3), max_size=4)
STRINGS = st.lists(st.text("侨乡ab.", max_size=6), max_size=4)


@given(WORDS, st.lists(STRINGS, max_size=6))
def test_hit_array_is_substring_search_link_by_link(
    words: list[str], groups: list[list[str]]
) -> None:
    expected = [any(word in s for word in words for s in group) for group in groups]
    assert HitMatcher(words).hit_array(groups).tolist() == expected


def test_amh_adds_the_weights_of_what_hits() -> None:
    weights = AmhWeights(0.3, 0.6, 0.1)
    table = {
        (False, False, False): 0.0,
        (True, False, False): 0.3,
        (False, True, False): 0.6,
        (False, False, True): 0.1,
        (True, True, True): 1.0,
    }
    for hits, expected in table.items():
        assert amh(*hits, weights) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((0.5, 0.6, 0.1), "sum to at most 1, got 1.2"),
        ((-0.1, 0.6, 0.1), r"url must be in \[0, 1\], got -0.1"),
        ((0.0, 1.1, 0.0), r"text must be in \[0, 1\], got 1.1"),
        ((0.0, 0.0, float("nan")), "title must be in"),
    ],
)
def test_amh_weights_that_leave_the_unit_interval_are_refused(
    weights: tuple[float, float, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        AmhWeights(*weights)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=30), UNIT, UNIT)
def test_amh_array_is_amh_link_by_link_and_stays_in_the_unit_interval(
    hits: list[tuple[bool, bool, bool]], first: float, second: float
) -> None:
    weights = AmhWeights(first / 3, second / 3, 1 / 3)
    table = np.array(hits, dtype=bool).reshape(-1, 3)
    whole = amh_array(table[:, 0], table[:, 1], table[:, 2], weights)
    assert whole.tolist() == [amh(*row, weights) for row in hits]
    assert whole.dtype == np.float64
    assert all(0 <= value <= 1 + 1e-12 for value in whole)


def test_relevance_of_metadata_is_the_maximum_or_the_mean() -> None:
    assert extended_relevance([0.2, 1.0, 0.6]) == 1.0
    assert extended_relevance([0.2, 1.0, 0.6], "mean") == pytest.approx(0.6)
    assert extended_relevance(iter([])) == 0.0


@given(st.lists(UNIT, max_size=30), UNIT)
def test_rw_keeps_what_reaches_the_threshold_and_nothing_else(rels: list[float], c: float) -> None:
    whole = rw_array(np.array(rels, dtype=np.float64), c)
    assert whole.tolist() == [rw(rel, c) for rel in rels]
    assert all(value == (rel if rel >= c else 0) for rel, value in zip(rels, whole, strict=True))


def test_background_is_the_mean_of_the_ten_best() -> None:
    assert background([1.0] * 4 + [0.5] * 20) == pytest.approx((4 + 6 * 0.5) / 10)


def test_one_mention_does_not_make_a_background_unless_the_maximum_is_asked_for() -> None:
    assert background([1.0]) == pytest.approx(0.1)
    assert background([1.0, 0.2], "max") == 1.0
    assert background([], "max") == background([]) == 0.0


def test_background_refuses_a_mean_of_nothing() -> None:
    with pytest.raises(ValueError, match="top must be >= 1, got 0"):
        background([1.0], top=0)


@given(st.lists(UNIT, max_size=30), UNIT)
def test_background_lies_in_the_unit_interval_and_grows_with_evidence(
    rels: list[float], more: float
) -> None:
    assert 0 <= background(rels) <= background([*rels, more]) <= 1 + 1e-12


@pytest.mark.parametrize(
    ("value", "back", "p1", "p2", "literal", "capped"),
    [
        pytest.param(0.8, 0.9, 0.0, 0.7, 0.8, 0.8, id="first chance: RW itself, whatever P1"),
        pytest.param(0.5, 0.9, 0.9, 0.7, 0.5, 0.5, id="RW at the threshold counts as RW"),
        pytest.param(0.0, 0.9, 0.5, 0.7, 0.9, 0.45, id="second chance at P1 = d"),
        pytest.param(0.0, 0.5, 0.5, 0.7, 0.5, 0.25, id="second chance at B = c"),
        pytest.param(0.0, 0.4, 0.5, 0.7, 0.7, 0.21, id="third chance: luck, capped by default"),
        pytest.param(0.0, 0.9, 0.49, 0.7, 0.0, 0.0, id="no chance under d, even with B"),
    ],
)
def test_rwb_takes_the_branch_of_its_table(
    value: float, back: float, p1: float, p2: float, literal: float, capped: float
) -> None:
    assert rwb(value, back, p1, p2, mode="thesis") == literal
    assert rwb(value, back, p1, p2) == pytest.approx(capped)


@given(st.lists(st.tuples(UNIT, DRAW, DRAW), max_size=30), UNIT, UNIT, UNIT)
def test_rwb_array_is_rwb_link_by_link(
    links: list[tuple[float, float, float]], back: float, c: float, d: float
) -> None:
    table = np.array(links, dtype=np.float64).reshape(-1, 3)
    values = rw_array(table[:, 0], c)
    for mode in ("capped", "thesis"):
        whole = rwb_array(values, back, table[:, 1], table[:, 2], c=c, d=d, mode=mode)
        single = [rwb(rw(rel, c), back, p1, p2, c=c, d=d, mode=mode) for rel, p1, p2 in links]
        assert whole.tolist() == single
        assert all(0 <= value <= 1 for value in whole)


@given(UNIT, DRAW, DRAW, UNIT)
def test_capped_chances_never_beat_a_link_with_evidence(
    back: float, p1: float, p2: float, d: float
) -> None:
    assert rwb(0.0, back, p1, p2, d=d) <= 0.5 == rwb(0.5, back, p1, p2, d=d)
    assert rwb(0.0, min(back, 0.49), p1, p2, d=d) <= THIRD_CHANCE_CAP
