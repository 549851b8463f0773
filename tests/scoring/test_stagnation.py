"""A crawl stagnates when chance no longer explains that it finds nothing."""

from __future__ import annotations

import math

import pytest

from topiccrawl.scoring.stagnation import (
    CHANCE,
    LEAST_DRY,
    MOST_DRY,
    StagnationWatch,
    patience,
    stagnates,
)


def test_a_poorer_crawl_is_borne_longer() -> None:
    waits = [patience(10_000, relevant) for relevant in (5_000, 300, 100, 50, 30)]
    assert waits == sorted(waits)
    assert waits[0] == LEAST_DRY
    assert waits[1] < waits[-1] <= MOST_DRY


def test_the_chance_of_a_stretch_that_is_borne_to_its_end_is_one_per_cent() -> None:
    dry = patience(1_000, 20)
    assert (1 - 0.02) ** dry <= CHANCE < (1 - 0.02) ** (dry - 1)


@pytest.mark.parametrize(
    ("pages", "relevant", "last", "dry"),
    [
        (0, 0, 0, False),
        (MOST_DRY, 0, 0, False),
        (MOST_DRY + 1, 0, 0, True),
        (500, 500, 500, False),
        (601, 500, 500, True),
        (600, 500, 500, False),
        (1_000 + math.ceil(math.log(0.01) / math.log(0.99)), 10, 1_000, False),
        (1_001 + math.ceil(math.log(0.01) / math.log(0.99)), 10, 1_000, True),
    ],
)
def test_a_crawl_stagnates_past_its_patience(
    pages: int, relevant: int, last: int, dry: bool
) -> None:
    assert stagnates(pages, relevant, last) is dry


@pytest.mark.parametrize(
    ("pages", "relevant", "last"), [(10, 11, 10), (10, 2, 0), (10, 0, 3), (10, 5, 11), (10, 5, 4)]
)
def test_numbers_that_cannot_be_are_refused(pages: int, relevant: int, last: int) -> None:
    with pytest.raises(ValueError, match="need "):
        stagnates(pages, relevant, last)


def answers(watch: StagnationWatch, pages: int) -> list[tuple[int, str]]:
    """What *watch* says of so many pages off the topic, with the place of each answer."""
    said = ((watch.observe(False), watch.pages) for _ in range(pages))
    return [(place, answer) for answer, place in said if answer is not None]


def test_a_stretch_begins_once_and_then_lasts_a_patience_at_a_time() -> None:
    watch = StagnationWatch()
    for _ in range(10):
        assert watch.observe(True) is None
    assert answers(watch, 3 * LEAST_DRY + 3) == [
        (10 + LEAST_DRY + 1, "begins"),
        (10 + 2 * LEAST_DRY + 2, "lasts"),
        (10 + 3 * LEAST_DRY + 3, "lasts"),
    ]
    assert (watch.pages, watch.relevant, watch.last) == (13 + 3 * LEAST_DRY, 10, 10)
    assert watch.dry == 3 * LEAST_DRY + 3


def test_a_find_ends_a_stretch_and_the_next_one_begins_anew() -> None:
    watch = StagnationWatch()
    watch.observe(True)
    assert [answer for _, answer in answers(watch, LEAST_DRY + 1)] == ["begins"]
    for _ in range(LEAST_DRY):
        watch.observe(True)
    assert [answer for _, answer in answers(watch, 2 * LEAST_DRY)] == ["begins"]


def test_what_was_done_meanwhile_gets_a_patience_of_time() -> None:
    watch = StagnationWatch()
    watch.observe(True)
    assert answers(watch, LEAST_DRY - 10) == []
    watch.acted()
    assert answers(watch, LEAST_DRY) == []
    assert [answer for _, answer in answers(watch, 1)] == ["begins"]


def test_a_crawl_that_never_found_anything_stagnates_too() -> None:
    assert answers(StagnationWatch(), MOST_DRY + 1) == [(MOST_DRY + 1, "begins")]
