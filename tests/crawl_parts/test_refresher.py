"""Revisits that are offered to the frontier, while visits are recorded at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from tests.support.store_records import opened, page
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.refreshing.marks import RevisitMark
from topiccrawl.crawl.refreshing.records import first_visit, missed_visit, next_visit
from topiccrawl.crawl.refreshing.refresher import Refresher
from topiccrawl.crawl.refreshing.visit import Found, Visited
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.contract import PageRecord, Store, VisitRecord
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url

URL = "http://a.example/1"
DAY = 86_400.0
SETTINGS: Any = SimpleNamespace(
    refresh_per_day=0,
    refresh_least_hours=1.0,
    refresh_share=0.5,
    refresh_policy="age-index",
    list_visits_per_day=24.0,
    seed=0,
)


class Crawl:
    """A crawl that knows one page, fetched ten days ago and visited once."""

    def __init__(self, per_day: int = 0) -> None:
        self.now = 1_000 * DAY
        self.frontier = MemoryFrontier()
        self.meanwhile: Callable[[], object] = lambda: None
        store: Any = SimpleNamespace(visit=self.visit, pages_at=self.pages_at)
        self.refresher = self.refresher_of(store, per_day)
        at = self.now - 10 * DAY
        first = first_visit("茶", URL, "article", Found(at, changed=False))
        self.known: VisitRecord | None = next_visit(first, Found(at + DAY, changed=True))
        self.refresher.visited(Visited(self.known, changed=False, replanned=True))

    def refresher_of(
        self, store: Store, per_day: int, feeds: Mapping[str, str] = MappingProxyType({})
    ) -> Refresher:
        """Revisits of what is in *store*."""
        writer: Any = SimpleNamespace(store=store, topic="茶")
        sites: Any = SimpleNamespace(lists={}, feeds=feeds)
        return Refresher(
            writer,
            CrawlQueue(self.frontier, lambda: self.now),
            SimpleNamespace(**{**vars(SETTINGS), "refresh_per_day": per_day}),  # type: ignore[arg-type]
            SimpleNamespace(),  # type: ignore[arg-type]
            sites,
            seeds=[],
        )

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        self.meanwhile()
        return self.known

    async def pages_at(self, topic: str, urls: Sequence[str]) -> Sequence[PageRecord]:
        return ()


@pytest.mark.parametrize("event", ["visited", "failed"])
def test_a_visit_may_be_recorded_while_the_store_is_asked_for_it(event: str) -> None:
    crawl = Crawl()
    refresher = crawl.refresher
    assert asyncio.run(refresher.offer(10)) == 1
    crawl.now += DAY

    def record() -> None:
        if event == "failed":
            refresher.failed(URL)
        else:
            assert crawl.known is not None
            visit = next_visit(crawl.known, Found(crawl.now, changed=False))
            refresher.visited(Visited(visit, changed=False))

    crawl.meanwhile = record
    assert asyncio.run(refresher.offer(10)) == 0
    assert refresher.under_way == 0


def test_a_list_that_has_rested_is_visited_although_no_article_may_be() -> None:
    crawl = Crawl(per_day=1)
    refresher = crawl.refresher
    assert asyncio.run(refresher.offer(10)) == 1
    assert refresher.allowance() == 0
    seen = first_visit("茶", f"{URL}/list", "list", Found(crawl.now - 8 * DAY, changed=False))
    silent = seen
    for days in (7, 4):
        silent = next_visit(silent, Found(crawl.now - days * DAY, changed=False))
    refresher.visited(Visited(silent, changed=False, replanned=True))
    crawl.known = silent
    assert asyncio.run(refresher.offer(10)) == 1
    assert next(link.url for link in crawl.frontier.best(2)) == f"{URL}/list"


@pytest.mark.parametrize("event", ["failed", "lost"])
def test_a_page_that_is_gone_is_looked_at_again_after_a_visit_without_an_answer(event: str) -> None:
    crawl = Crawl()
    refresher = crawl.refresher
    crawl.known = missed_visit(
        missed_visit(crawl.known, crawl.now - 30 * DAY), crawl.now - 20 * DAY
    )
    refresher.visited(Visited(crawl.known, changed=False, replanned=True))
    assert asyncio.run(refresher.offer(10)) == 1
    (link,) = crawl.frontier.best(2)
    crawl.frontier.forget([link.id])
    if event == "failed":
        refresher.failed(URL)
    crawl.now += DAY
    assert asyncio.run(refresher.offer(10)) == (event == "failed")
    crawl.now += DAY
    assert asyncio.run(refresher.offer(10)) == (event == "lost")


def test_a_day_that_a_sitemap_states_counts_once_however_often_it_is_read() -> None:
    crawl = Crawl()
    crawl.now += 20_000 * DAY
    today = f"{datetime.fromtimestamp(crawl.now, CHINA_TIME):%Y-%m-%d}"
    for _ in range(4):
        crawl.refresher.signaled(URL, today, "sitemap")
        crawl.now += 3_600
    assert asyncio.run(crawl.refresher.offer(10)) == 1
    (link,) = crawl.frontier.best(2)
    mark = RevisitMark.of(link.request["meta"])
    assert mark is not None
    assert mark.signals == ((crawl.now - 4 * 3_600, "sitemap"),)


@pytest.mark.parametrize("gone", ["none", "all", "half"])
def test_a_site_whose_revisits_must_wait_keeps_no_other_site_waiting(gone: str) -> None:
    crawl = Crawl()
    refresher = crawl.refresher
    for number in range(40):
        url = f"http://h{number % 7}.farm.example/{number}"
        at = crawl.now - 30 * DAY
        record = first_visit("茶", url, "article", Found(at, changed=False))
        for day in (1, 2):
            record = next_visit(record, Found(at + day * DAY, changed=True))
            if gone == "all" or (gone == "half" and number % 2):
                record = missed_visit(record, at + day * DAY)
        refresher.visited(Visited(record, changed=True, replanned=True))
    crawl.known = None
    for _ in range(5):
        asyncio.run(refresher.offer(4))
    hosts = [link.host for link in crawl.frontier.best(99)]
    assert "a.example" in hosts
    assert len(hosts) == 6
    assert crawl.refresher.under_way == 6


@pytest.mark.parametrize("ahead", [DAY, 365 * DAY])
def test_pages_that_were_visited_before_the_clock_was_set_back_are_visited_again(
    tmp_path: Path, ahead: float
) -> None:
    crawl = Crawl(per_day=1)

    async def offered() -> list[int]:
        async with opened(open_store(f"sqlite:///{tmp_path / 'pages.sqlite'}")) as store:
            at = crawl.now + ahead
            first = first_visit("茶", URL, "article", Found(at - DAY, changed=False))
            await store.write(
                pages=[page(topic="茶", url=URL, html=None)],
                visits=[next_visit(first, Found(at, changed=False))],
            )
            refresher = crawl.refresher_of(store, per_day=1)
            await refresher.load()
            found = [await refresher.offer(10)]
            # By the clock that is right, a day after the visit and a little later.
            for seconds in (DAY + 60.0, 7_200.0):
                crawl.now += seconds
                found.append(await refresher.offer(10))
            return found

    first, *later = asyncio.run(offered())
    assert (first, sum(later)) == (0, 1)


def test_a_feed_is_visited_at_the_address_that_its_site_states(tmp_path: Path) -> None:
    crawl, feed = Crawl(), "http://a.example/rss.php?type=rss&channel=1"

    async def offered() -> None:
        async with opened(open_store(f"sqlite:///{tmp_path / 'pages.sqlite'}")) as store:
            refresher = crawl.refresher_of(store, per_day=0, feeds={feed: "a.example"})
            await refresher.load()
            assert await refresher.offer(10) == 1

    asyncio.run(offered())
    (link,) = crawl.frontier.best(2)
    assert link.url == canonical_url(feed)
    assert link.request["url"] == feed
    assert RevisitMark.of_url(link.request["meta"], feed) is not None
