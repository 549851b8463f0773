"""Charts of the console."""

from __future__ import annotations

import re

import pytest

from topiccrawl.console.charts import volume_chart
from topiccrawl.console.crawls.harvest import harvest_chart


@pytest.mark.parametrize(("days", "bars"), [(1, 1), (900, 900), (901, 451), (11_000, 847)])
def test_a_chart_of_many_days_has_few_bars(days: int, bars: int) -> None:
    drawn = volume_chart(0, [7] * days, [5.0] * days, [(0, days - 1)], "pages")
    path = re.search(r'<path d="([^"]*)"', drawn)
    line = re.search(r'<polyline points="([^"]*)"', drawn)
    assert path is not None
    assert line is not None
    assert path[1].count("M") == bars
    assert len(line[1].split()) == bars
    assert len(drawn) < 80_000


def test_a_bar_of_several_days_is_their_mean() -> None:
    few = volume_chart(0, [2, 4, 6] * 300, [0.0] * 900, [], "pages")
    many = volume_chart(0, [2, 4, 6] * 900, [0.0] * 2_700, [], "pages")
    heights = re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)", many)
    assert len(set(re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)", few))) == 3
    assert len(set(heights)) == 1


def test_the_axes_of_a_long_crawl_have_whole_numbers() -> None:
    drawn = harvest_chart([(20_000, 9_000, 1.0), (40_000, 12_000, 2.0)])
    assert {"10,000", "20,000", "40,000"} <= set(re.findall(r">([^<]+)</text>", drawn))
    assert "e+" not in drawn
