"""The histogram loses no value whatever its range, and its edges are easy to read."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from topiccrawl.reporting.aggregates.histogram import SHOWN_BINS, Bin, Histogram
from topiccrawl.reporting.html.charts import histogram_chart
from topiccrawl.reporting.scale import axis_top
from topiccrawl.reporting.words.labels import Words

VALUES = st.lists(st.tuples(st.floats(0, 50), st.booleans()), min_size=1, max_size=60)


def filled(values: list[tuple[float, bool]]) -> Histogram:
    histogram = Histogram()
    for value, kept in values:
        histogram.add(value, kept)
    return histogram


@given(VALUES)
def test_no_value_is_lost_and_kept_stays_apart_from_rejected(
    values: list[tuple[float, bool]],
) -> None:
    bins = filled(values).bins()
    assert sum(b.kept for b in bins) == sum(kept for _, kept in values)
    assert sum(b.rejected for b in bins) == sum(not kept for _, kept in values)
    assert len(bins) <= SHOWN_BINS


@given(st.lists(st.tuples(st.integers(0, 4999), st.booleans()), min_size=1, max_size=80))
def test_counts_agree_with_numpy(pages: list[tuple[int, bool]]) -> None:
    values = [((n + 0.5) / 1000, kept) for n, kept in pages]  # never on an edge
    bins = filled(values).bins()
    edges = [b.low for b in bins] + [bins[-1].high]
    kept = np.histogram([v for v, kept in values if kept], edges)[0]
    rejected = np.histogram([v for v, kept in values if not kept], edges)[0]
    assert [b.kept for b in bins] == kept.tolist()
    assert [b.rejected for b in bins] == rejected.tolist()


def test_bins_touch_and_reach_the_threshold() -> None:
    bins = filled([(0.1, True)]).bins(reach=0.31)
    assert bins[0].low == 0
    assert bins[-1].high >= 0.31
    assert all(math.isclose(a.high, b.low) for a, b in pairwise(bins))


def test_edges_are_round_numbers() -> None:
    bins = filled([(0.87, True), (0.2, False)]).bins()
    assert [round(b.high, 9) for b in bins[:3]] == [0.04, 0.08, 0.12]


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf], ids=["nan", "infinity", "minus infinity"]
)
def test_a_value_that_is_no_number_is_ignored(value: float) -> None:
    histogram = Histogram()
    histogram.add(value, True)
    assert histogram.bins() == []


def test_a_cosine_of_exactly_one_does_not_stretch_the_axis() -> None:
    assert filled([(1.0, True)]).bins()[-1].high == pytest.approx(1.0)


def test_a_negative_value_counts_as_zero() -> None:
    assert filled([(-0.2, False)]).bins()[0].rejected == 1


@pytest.mark.parametrize(
    ("counts", "top"),
    [
        ([5, 3, 1], 5),
        ([189, 30, 27, 4], 30),
        ([1000, 900, 20, 3], 20),
        ([1000, 900, 800, 20], 1000),
        ([7], 7),
        ([7, 0, 0], 7),
        ([40, 10], 40),
        ([0], 0),
    ],
    ids=["even", "one", "two", "three are the data", "alone", "only empty ones", "limit", "none"],
)
def test_bars_that_would_flatten_the_others_do_not_count_for_the_axis(
    counts: list[int], top: int
) -> None:
    assert axis_top(counts) == top


def test_a_broken_bar_shows_its_number_and_stays_inside_the_drawing() -> None:
    chart = histogram_chart([Bin(0, 0.1, 0, 189), Bin(0.1, 0.2, 20, 10)], None, Words("en"))
    drawing = html.fragment_fromstring(chart)
    broken, whole = drawing.xpath(".//g[title]")
    assert broken.xpath("string(text)") == "189"
    assert broken.xpath("path[@class='break']")
    assert not whole.xpath("path | text")
    tops = [float(bar.get("y")) for bar in drawing.iter("rect")]
    assert min(tops) >= 0
