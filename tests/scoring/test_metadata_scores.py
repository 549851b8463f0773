from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.scoring.metadata import (
    BLOCK_PROBABILITY,
    THIRD_CHANCE_CAP,
    THRESHOLD,
    AmhWeights,
    RwbMode,
    amh_array,
    background,
    rw_array,
    rwb_array,
)

UNIT = st.floats(0, 1)
DRAW = st.floats(0, 1, exclude_max=True)


def amh(url_hit: bool, text_hit: bool, title_hit: bool, weights: AmhWeights) -> float:
    """Formula 4.4 for one link."""
    return weights.url * url_hit + weights.text * text_hit + weights.title * title_hit


def rw(relevance: float, c: float = THRESHOLD) -> float:
    """Formula 4.5 for one link."""
    return relevance if relevance >= c else 0.0


def rwb(
    rw_value: float,
    background_value: float,
    p1: float,
    p2: float,
    *,
    c: float = THRESHOLD,
    d: float = BLOCK_PROBABILITY,
    mode: RwbMode = "capped",
) -> float:
    """Formula 4.6 for one link, branch by branch."""
    if rw_value >= c or p1 < d:
        return rw_value
    if background_value >= c:
        return background_value if mode == "thesis" else c * background_value
    return p2 if mode == "thesis" else THIRD_CHANCE_CAP * p2


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
        url, text, title = (np.array([hit]) for hit in hits)
        whole = amh_array(url, text, title, weights)
        assert whole.tolist() == pytest.approx([expected], abs=1e-15)


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


@given(st.lists(UNIT, max_size=30), UNIT)
def test_rw_keeps_what_reaches_the_threshold_and_nothing_else(rels: list[float], c: float) -> None:
    whole = rw_array(np.array(rels, dtype=np.float64), c)
    assert whole.tolist() == [rw(rel, c) for rel in rels]
    assert all(value == (rel if rel >= c else 0) for rel, value in zip(rels, whole, strict=True))


def test_background_is_the_mean_of_the_ten_best() -> None:
    assert background([1.0] * 4 + [0.5] * 20) == pytest.approx((4 + 6 * 0.5) / 10)


def test_one_mention_does_not_make_a_background() -> None:
    assert background([1.0]) == pytest.approx(0.1)
    assert background([]) == 0.0


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
    link = np.array([value]), back, np.array([p1]), np.array([p2])
    assert rwb_array(*link, mode="thesis").tolist() == [literal]
    assert rwb_array(*link).tolist() == pytest.approx([capped])


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
    values, p1s, p2s = np.array([0.0, 0.5]), np.full(2, p1), np.full(2, p2)
    without, reaching = rwb_array(values, back, p1s, p2s, d=d).tolist()
    assert without <= 0.5 == reaching
    assert rwb_array(values, min(back, 0.49), p1s, p2s, d=d)[0] <= THIRD_CHANCE_CAP
