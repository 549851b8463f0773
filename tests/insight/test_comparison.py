"""Two periods or topics side by side."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.headlines import headline
from topiccrawl.insight import comparison
from topiccrawl.insight.comparison import compare, previous
from topiccrawl.insight.counts import Counts, term_counts
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Mask

_PAGE = st.fixed_dictionaries(
    {
        "site": st.sampled_from(["a.example", "b.example", "c.example"]),
        "kind": st.sampled_from(["article", "list"]),
        "author": st.sampled_from(["", "李", "王"]),
        "story": st.sampled_from(["", "s", "t"]),
        "copy_of": st.sampled_from(["", "http://a.example/0"]),
    }
)


@given(st.lists(_PAGE, max_size=12), st.lists(_PAGE, max_size=12))
def test_figures_are_those_of_counting(
    one: list[dict[str, Any]], two: list[dict[str, Any]]
) -> None:
    pages = [headline(n, day=0, **it) for n, it in enumerate(one)]
    pages += [headline(100 + n, day=5, **it) for n, it in enumerate(two)]
    overview = Overview.of(pages)
    early = np.array(
        [int(url.rpartition("/")[2]) < 100 for url in overview.columns.url], dtype=bool
    )
    found = compare(overview, early, overview, ~early)

    def figures(some: list[Any]) -> list[int]:
        return [
            len(some),
            len({it.story or it.url for it in some}),
            sum(bool(it.copy_of) for it in some),
            len({it.site for it in some}),
            len({it.author for it in some} - {""}),
        ]

    halves = pages[: len(one)], pages[len(one) :]
    assert [it.first for it in found.totals] == figures(halves[0])
    assert [it.second for it in found.totals] == figures(halves[1])
    kinds = [Counter(it.kind for it in half) for half in halves]
    assert {(it.name, it.first, it.second) for it in found.kinds} == {
        (kind, kinds[0][kind], kinds[1][kind]) for kind in kinds[0] | kinds[1]
    }
    sites = [{it.site for it in half} for half in halves]
    assert set(found.new_sites) == sites[1] - sites[0]
    assert set(found.lost_sites) == sites[0] - sites[1]
    stories = [{it.story or it.url for it in half} for half in halves]
    assert found.common_stories == len(stories[0] & stories[1])


def test_two_topics_are_compared_by_the_texts_of_their_terms() -> None:
    tea = Overview.of([headline(n, keywords=("茶", "文化")) for n in range(60)])
    birds = Overview.of([headline(n, keywords=("文化", "鸟")) for n in range(60)])
    found = compare(tea, ~tea.is_copy, birds, ~birds.is_copy)
    assert [it.term for it in found.terms_of_first] == ["茶"]
    assert [it.term for it in found.terms_of_second] == ["鸟"]


def test_shares_are_compared_not_numbers() -> None:
    pages = [headline(n, day=0, site="a.example") for n in range(10)]
    pages += [headline(100 + n, day=5, site="a.example") for n in range(30)]
    overview = Overview.of(pages)
    early = overview.day == overview.day.min()
    (site,) = compare(overview, early, overview, ~early).sites
    assert (site.first, site.second, site.change) == (10, 30, 0.0)
    nothing = compare(overview, early & False, overview, ~early)
    assert math.isnan(nothing.totals[0].change)


def test_the_period_before_is_as_long_and_ends_the_day_before() -> None:
    assert previous(10, 16) == (3, 9)
    assert previous(10, 10) == (9, 9)


def test_terms_that_another_thread_adds_after_the_counting_do_no_harm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counted(overview: Overview, mask: Mask) -> Counts:
        found = term_counts(overview, mask)
        overview.books.term.add("台风")
        return found

    monkeypatch.setattr(comparison, "term_counts", counted)
    first = Overview.of([headline(n, keywords=("华侨",)) for n in range(40)])
    second = Overview.of([headline(n, keywords=("侨批",)) for n in range(40)])
    found = compare(first, np.ones(40, bool), second, np.ones(40, bool))
    assert [it.term for it in found.terms_of_first] == ["华侨"]
    assert [it.term for it in found.terms_of_second] == ["侨批"]
