"""Hosts and their productivity."""

from __future__ import annotations

from tests.support.headlines import START, headline
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.hosts import host_rows
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection, select


def _pages() -> Overview:
    first = headline(0, site="a.example", relevance=0.2)
    return Overview.of(
        [
            first,
            headline(1, site="a.example", day=9, relevance=0.4, gone_at=START),
            headline(2, site="b.example", day=3, copy_of=first.url),
            headline(3, site="a.example", day=4, copy_of=first.url),
            headline(4, site="c.example", day=8, copy_of="http://nowhere.example/"),
        ]
    )


def test_a_host_is_described_by_its_pages() -> None:
    overview = _pages()
    rows = {row.host: row for row in host_rows(overview, ~(overview.is_copy & False))}
    a, b = rows["a.example"], rows["b.example"]
    day = day_of_moment(START)
    assert (a.pages, a.originals, a.reposted, a.gone) == (3, 2, 1, 1)
    assert (a.first_day, a.last_day) == (day, day + 9)
    assert (b.pages, b.originals, b.reposted) == (1, 0, 0)
    assert (a.is_new, b.is_new, rows["c.example"].is_new) == (False, True, True)
    assert all(sum(row.steps) == row.pages for row in rows.values())


def test_copies_on_other_hosts_of_its_domain_are_no_reposts() -> None:
    first = headline(0, site="www.a.example")
    own = [headline(n, site=f"h{n}.a.example", copy_of=first.url) for n in range(1, 6)]
    overview = Overview.of([first, *own, headline(6, site="b.example", copy_of=first.url)])
    rows = {row.host: row for row in host_rows(overview, select(overview, Selection()))}
    assert rows["www.a.example"].reposted == 1


def test_a_host_with_pages_before_the_period_is_not_new() -> None:
    overview = _pages()
    late = select(overview, Selection(first_day=day_of_moment(START) + 4))
    assert {row.host: row.is_new for row in host_rows(overview, late)} == {
        "a.example": False,
        "c.example": True,
    }


def test_hosts_are_ordered_as_asked() -> None:
    overview = _pages()
    everything = select(overview, Selection())
    for order, first in (
        ("pages", "a.example"),
        ("relevance", "b.example"),
        ("newest", "a.example"),
        ("host", "a.example"),
    ):
        rows = host_rows(overview, everything, order=order)  # type: ignore[arg-type]
        assert rows[0].host == first
    assert host_rows(Overview.of([]), select(Overview.of([]), Selection())) == []
