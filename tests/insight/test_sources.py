"""From how many domains a trend comes: what one of them can make, and what it cannot bury."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.support.headlines import START, headline
from topiccrawl.insight.days import day_of_moment
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection
from topiccrawl.insight.trends import Trends, trends
from topiccrawl.store.headlines import PageHeadline

FIRST = day_of_moment(START)
#: Days with pages.
DAYS = 100


def honest(sites: int) -> list[PageHeadline]:
    """Return ten pages a day of *sites* domains in turn."""
    return [
        headline(n, day=n // 10, site=f"www.s{n % sites}.example", keywords=("侨务",))
        for n in range(10 * DAYS)
    ]


def event(sites: int, pages: int = 15) -> list[PageHeadline]:
    """Return pages about a typhoon on two days, of *sites* domains in turn."""
    return [
        headline(5_000 + n, day=90 + n % 2, site=f"s{n % sites}.example", keywords=("台风",))
        for n in range(pages)
    ]


def flood(pages: int, **fields: Any) -> list[PageHeadline]:
    """Return pages of many hosts of one domain on the days of the event, about 40 things of their own."""
    return [
        headline(
            9_000 + n,
            day=90 + n % 2,
            site=f"h{n}.flood.example",
            **{"keywords": [f"广告{(n + i) % 40:02d}" for i in range(10)], **fields},
        )
        for n in range(pages)
    ]


def of_last_days(pages: Sequence[PageHeadline]) -> Trends:
    return trends(Overview.of(pages), Selection(first_day=FIRST + 80, last_day=FIRST + DAYS - 1))


@pytest.mark.parametrize("pages", [6, 12, 60])
def test_a_burst_of_one_domain_is_marked_however_many_hosts_it_has(pages: int) -> None:
    found = of_last_days(honest(20) + flood(pages, keywords=["广告"]))
    (burst,) = [it for it in found.term_bursts if it.term == "广告"]
    sources = burst.sources
    assert (sources.domains, sources.largest, sources.share) == (1, "flood.example", 1.0)
    assert sources.one_sided


@pytest.mark.parametrize("sites", [4, 15])
def test_a_burst_of_several_domains_is_not_marked(sites: int) -> None:
    found = of_last_days(honest(20) + event(sites))
    (burst,) = [it for it in found.term_bursts if it.term == "台风"]
    assert burst.sources.domains == sites
    assert not burst.sources.one_sided


def test_bursts_of_a_collection_of_one_domain_are_shown_without_a_mark() -> None:
    found = of_last_days(honest(1) + event(1, 60))
    assert [it.term for it in found.term_bursts] == ["台风"]
    assert [it.term for it in found.contrast] == ["台风"]
    assert len(found.bursts) == 1
    sources = [found.term_bursts[0].sources, found.contrast[0].sources, found.bursts[0].sources]
    assert [it and (it.domains, it.one_sided) for it in sources] == [(1, False)] * 3


def test_one_site_that_has_nearly_all_pages_is_not_marked_for_a_few() -> None:
    pages = honest(1) + [headline(8_000 + n, day=n, site="b.example") for n in range(0, DAYS, 5)]
    (burst,) = of_last_days(pages + event(1)).term_bursts
    assert (burst.sources.share, burst.sources.one_sided) == (1.0, False)


def test_a_burst_of_the_volume_is_marked_when_one_domain_adds_its_pages() -> None:
    # There are half as many pages as others have on these days: a bare majority would not do.
    ordinary = [replace(it, url=f"{it.url}/{n}") for it in honest(20) for n in range(5)]
    (alone,) = of_last_days(ordinary + flood(140)).bursts
    assert alone.sources.one_sided
    (together,) = of_last_days(ordinary + event(20, 140)).bursts
    assert not together.sources.one_sided


def test_bursts_of_one_domain_do_not_bury_those_of_others() -> None:
    found = of_last_days(honest(20) + event(20) + flood(100))
    assert len(found.term_bursts) == 30
    assert found.term_bursts[0].term == "台风"
    assert all(it.sources.one_sided for it in found.term_bursts[1:])


def test_new_terms_of_one_domain_do_not_bury_those_of_others() -> None:
    found = of_last_days(honest(20) + event(20, 60) + flood(400))
    assert len(found.contrast) == 30
    assert found.contrast[0].term == "台风"
    assert all(it.sources and it.sources.one_sided for it in found.contrast[1:])
