"""How much places say about the topic, beside a slow computation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.scoring.classifier.places import PRIOR_PAGES, area, left_out_score, place_worth

Pages = list[tuple[list[int], bool]]

#: Places of pages, and which are positives; every place has two pages.
webs = st.lists(
    st.tuples(st.lists(st.integers(0, 6), max_size=3, unique=True), st.booleans()), min_size=1
).map(lambda web: [*web, ([*range(7)], True), ([*range(7)], False)])


def arrays(web: Pages) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    row = np.array([i for i, (places, _) in enumerate(web) for _ in places], dtype=np.int64)
    places = np.array([place for places, _ in web for place in places], dtype=np.int64)
    return row, places, np.array([positive for _, positive in web])


def slow_score(web: Pages, page: int) -> float:
    positives = sum(positive for _, positive in web)
    share = positives / len(web)
    others = [it for i, it in enumerate(web) if i != page]
    score = 0.0
    for place in web[page][0]:
        there = [positive for places, positive in others if place in places]
        on_topic = sum(there) * (1 if web[page][1] else 1 - 1 / positives)
        rate = (on_topic + PRIOR_PAGES * share) / (len(there) + PRIOR_PAGES)
        score += math.log(rate / share)
    return score


@given(webs)
def test_the_score_leaves_out_the_page_itself_or_a_positive_on_average(web: Pages) -> None:
    found = left_out_score(*arrays(web))
    assert found.tolist() == pytest.approx([slow_score(web, i) for i in range(len(web))])


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1))
def test_the_area_counts_pairs_in_the_right_order(pages: list[tuple[int, bool]]) -> None:
    on, off = ([value for value, positive in pages if positive is it] for it in (True, False))
    won = [1.0 if a > b else 0.5 if a == b else 0.0 for a in on for b in off]
    values, positive = np.array([v for v, _ in pages], float), np.array([p for _, p in pages])
    assert area(values, positive) == pytest.approx(sum(won) / len(won) if won else 0.5)


def test_folders_that_are_topics_count_fully_beside_others_that_are_not() -> None:
    web = [([1 if n < 30 else 2 + n % 4, 10 + n % 7], n < 20) for n in range(120)]
    assert place_worth(*arrays(web)) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_folders_that_are_first_letters_hardly_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = place_worth(np.arange(800), rng.integers(0, 26, 800), rng.random(800) < 0.1)
    assert found < 0.5


@pytest.mark.parametrize("places", [[0] * 500, list(range(500))], ids=["one folder", "no folder"])
def test_a_crawl_that_shows_nothing_of_folders_trusts_them(places: list[int]) -> None:
    positive = np.arange(500) % 9 == 0
    assert place_worth(np.arange(500), np.array(places), positive) == 1.0


def test_pages_without_places_are_no_reason_to_doubt_them() -> None:
    none = np.empty(0, dtype=np.int64)
    assert place_worth(none, none, np.array([True, False])) == 1.0
