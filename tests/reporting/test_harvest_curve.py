"""The harvest curve keeps few points, and every one of them is exact."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.reporting.aggregates.curve import CurvePoint, HarvestCurve, window_pages, windowed


def curve_of(pages: list[bool], max_points: int = 400) -> HarvestCurve:
    curve = HarvestCurve(max_points)
    for page in pages:
        curve.add(page)
    return curve


@given(st.lists(st.booleans(), max_size=300), st.integers(2, 20))
def test_every_point_counts_exactly_the_pages_up_to_it(pages: list[bool], max_points: int) -> None:
    for point in curve_of(pages, max_points).points():
        assert point.relevant == sum(pages[: point.fetched])


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.integers(2, 20))
def test_points_are_few_and_ordered_and_end_at_the_present(
    pages: list[bool], max_points: int
) -> None:
    points = curve_of(pages, max_points).points()
    fetched = [p.fetched for p in points]
    assert len(points) <= max_points
    assert fetched == sorted(set(fetched))
    assert points[-1] == CurvePoint(len(pages), sum(pages))


def test_a_long_curve_keeps_evenly_spaced_points() -> None:
    fetched = [p.fetched for p in curve_of([True] * 100_001).points()]
    assert 200 <= len(fetched) <= 401
    assert len({b - a for a, b in pairwise(fetched[:-1])}) == 1


def test_no_page_gives_no_point() -> None:
    assert HarvestCurve().points() == []


@given(st.lists(st.booleans(), max_size=200), st.integers(1, 50))
def test_windowed_rate_is_the_share_of_the_last_pages(pages: list[bool], window: int) -> None:
    points = curve_of(pages).points()  # short enough: one point for each page
    expected = [(n, sum(pages[n - window : n]) / window) for n in range(window, len(pages) + 1)]
    assert windowed(points, window) == expected


def test_windowed_rate_follows_a_change_that_the_cumulative_rate_hides() -> None:
    points = curve_of([True] * 900 + [False] * 100).points()
    assert points[-1].rate == 0.9
    assert windowed(points, 50)[-1] == (1000, 0.0)


@pytest.mark.parametrize(
    ("fetched", "window"),
    [(1, 20), (400, 20), (401, 21), (10_000, 500)],
    ids=["never below 20", "just 20", "rounded up", "5 percent"],
)
def test_window_grows_with_the_crawl(fetched: int, window: int) -> None:
    assert window_pages(fetched) == window


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="max_points must be >= 2, got 1"):
        HarvestCurve(1)
    with pytest.raises(ValueError, match="window must be >= 1, got 0"):
        windowed([], 0)
