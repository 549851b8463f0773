"""What trends show of a short period: measured against the history before it."""

from __future__ import annotations

import pytest

from tests.support.headlines import START, headline
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection
from topiccrawl.insight.trends import trends

FIRST = day_of_moment(START)


@pytest.fixture(scope="module")
def overview() -> Overview:
    """Four pages a day for 100 days, and 40 more about 台风 on days 95 and 96."""
    pages = [headline(n, day=n // 4, keywords=("侨务",)) for n in range(400)]
    pages += [headline(1_000 + n, day=95 + n % 2, keywords=("侨务", "台风")) for n in range(40)]
    return Overview.of(pages)


def test_a_burst_in_a_short_period_is_found_from_the_history_before_it(overview: Overview) -> None:
    short = trends(overview, Selection(first_day=FIRST + 94))
    assert (short.selection.first_day, short.selection.last_day) == (FIRST + 94, FIRST + 99)
    assert short.pages.counts.tolist() == [4, 24, 24, 4, 4, 4]
    assert short.expected.tolist() == pytest.approx([4.0] * 6, rel=0.1)
    (burst,) = short.bursts
    assert (burst.first_day, burst.last_day) == (FIRST + 95, FIRST + 96)
    assert burst.terms[0].term == "台风"
    long = trends(overview, Selection(first_day=FIRST))
    assert short.bursts == long.bursts
    (term,) = short.term_bursts
    assert (term.term, term.first_day, term.last_day) == ("台风", FIRST + 95, FIRST + 96)
    assert [term] == list(long.term_bursts)


def test_a_burst_before_the_period_is_not_shown(overview: Overview) -> None:
    found = trends(overview, Selection(first_day=FIRST + 97))
    assert (found.bursts, found.term_bursts) == ((), ())


def test_nothing_is_ordinary_before_the_first_page(overview: Overview) -> None:
    found = trends(overview, Selection(first_day=FIRST - 3, last_day=FIRST + 89))
    assert found.expected[:3].tolist() == [0.0] * 3
    assert found.expected[3:].tolist() == pytest.approx([4.0] * 90, rel=0.1)


def test_more_pages_at_each_end_of_a_month_are_no_bursts() -> None:
    ends = [29, 59, 90, 120]
    days = [day for day in range(130) for _ in range(24 if day in ends else 6)]
    found = trends(
        Overview.of(headline(n, day=day) for n, day in enumerate(days)), Selection(first_day=FIRST)
    )
    assert found.bursts == ()
    assert found.expected[ends].tolist() == pytest.approx([24.0] * 4, rel=0.1)
