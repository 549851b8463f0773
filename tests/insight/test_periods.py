"""The period of trends, and what its length may cost."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.headlines import START, headline
from topiccrawl.insight.bursts import terms as term_bursts
from topiccrawl.insight.bursts.terms import share_bursts
from topiccrawl.insight.counts import MOST_DAYS
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection
from topiccrawl.insight.trends import period_of, trends

FIRST = day_of_moment(START)
#: 0001-01-01 and 9999-12-31.
BEGIN, END = -719_162, 2_932_896


@pytest.fixture
def overview() -> Overview:
    return Overview.of([headline(n, day=n // 4) for n in range(400)])


@pytest.mark.parametrize(
    ("first", "last", "period"),
    [
        (None, None, (FIRST + 10, FIRST + 99)),
        (FIRST + 20, None, (FIRST + 20, FIRST + 99)),
        (None, FIRST + 5, (FIRST, FIRST + 5)),
        (FIRST + 5, FIRST, (FIRST, FIRST)),
        (FIRST + 200, None, (FIRST + 200, FIRST + 200)),
        (BEGIN, None, (FIRST + 99 - MOST_DAYS + 1, FIRST + 99)),
        (BEGIN, END, (FIRST + 99 - MOST_DAYS + 1, FIRST + 99)),
        (FIRST, END, (FIRST, FIRST + 99)),
    ],
)
def test_a_period_that_is_too_long_ends_with_the_newest_page(
    overview: Overview, first: int | None, last: int | None, period: tuple[int, int]
) -> None:
    assert period_of(overview, Selection(first_day=first, last_day=last)) == period


def test_trends_since_the_first_year_have_all_pages(overview: Overview) -> None:
    found = trends(overview, Selection(first_day=BEGIN))
    assert found.pages.total == len(overview)
    assert len(found.expected) == len(found.pages.counts) == MOST_DAYS


def test_a_period_after_the_newest_page_has_no_pages(overview: Overview) -> None:
    assert trends(overview, Selection(first_day=FIRST + 200)).pages.counts.tolist() == [0]


def test_terms_that_are_computed_in_blocks_have_the_same_bursts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = np.random.default_rng(3)
    counts = drawn.poisson(1.0, (7, 60))
    counts[:, 30:33] += 12
    totals = counts.sum(axis=0) + 20
    whole = share_bursts(counts, totals)
    assert all(whole)
    monkeypatch.setattr(term_bursts, "_MOST_CELLS", 2 * 60 * len(term_bursts.RATIOS))
    assert share_bursts(counts, totals) == whole
