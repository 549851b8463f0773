"""Revisits survive kills, are shared by workers and take their share of a running crawl."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path
from threading import Thread

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.changing_web import DAY, HOUR, SITE, ChangingSite, Runs, sentences
from tests.support.stored import in_store
from topiccrawl.crawl.refreshing.marks import RevisitMark
from topiccrawl.crawl.refreshing.records import history_of, next_visit
from topiccrawl.crawl.refreshing.visit import Found
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import Store
from topiccrawl.urls.hosts import host_of


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """A site with six articles, of which a crawl has stored all."""
    site = ChangingSite()
    for number in range(1, 7):
        site.publish(number)
    runs = Runs(tmp_path, site)
    runs.crawl()
    runs.later(2 * DAY)
    return runs


def push_again(runs: Runs, *urls: str, pop: bool = False, offered: float = math.inf) -> None:
    """Offer revisits as a worker does that is killed afterwards; with *pop*, while it fetches them."""
    frontier = SQLiteFrontier(runs.folder / "changing.frontier", worker="killed")
    links = [
        QueuedLink(
            url,
            host_of(url),
            LinkEvidence(1000.0),
            {"errback": "failed", "meta": RevisitMark(url, offered=offered).meta()},
        )
        for url in urls
    ]
    frontier.push(links, again=True)
    if pop:
        while frontier.pop((), runs.now) is not None:
            pass
    frontier.close()


def test_a_visit_that_a_killed_worker_had_recorded_is_not_made_again(runs: Runs) -> None:
    url = f"{SITE}news/3.html"
    push_again(runs, url, pop=True, offered=runs.now)
    visit_elsewhere(runs, [url])
    runs.later(HOUR)
    stats = runs.crawl().stats
    assert url not in runs.site.asked
    assert len(history_of(runs.visit(url)).visits) == 1
    assert stats["topiccrawl/refresh/made_before"] == 1
    assert "topiccrawl/refresh/failed" not in stats
    assert open_links(runs) == 0


def open_links(runs: Runs) -> int:
    """Return how many links are not done."""
    frontier = SQLiteFrontier(runs.folder / "changing.frontier")
    size = frontier.size()
    frontier.close()
    return size.queued + size.delayed + size.leased


def test_a_revisit_that_a_killed_worker_left_is_made_by_an_ordinary_crawl(runs: Runs) -> None:
    url = f"{SITE}news/3.html"
    runs.site.articles[url].body = sentences(3, 2) + "更正：会议改在下月举行，地点不变。"
    push_again(runs, url, pop=True)
    runs.later(HOUR)
    runs.crawl()
    assert "更正" in runs.page(url).body
    assert len(runs.versions(url)) == 1
    assert runs.visit(url).changed_at is not None


def test_pushing_a_revisit_twice_visits_the_page_once(runs: Runs) -> None:
    url = f"{SITE}news/3.html"
    push_again(runs, url)
    push_again(runs, url)
    runs.crawl()
    assert runs.site.asked.count(url) == 1


def test_pages_that_another_worker_has_visited_meanwhile_are_not_offered(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.extensions.refreshing._WINDOW", 2)
    articles = sorted(runs.site.articles)
    answer, visited = runs.site.answer, []

    def answer_and_visit(request: Request) -> Response:
        if not visited and request.url in articles:
            # The first two are in the queue by now: another worker visits all others.
            visited.extend(it for it in articles if it not in runs.site.asked)
            thread = Thread(target=visit_elsewhere, args=(runs, visited))
            thread.start()
            thread.join()
        return answer(request)

    monkeypatch.setattr(runs.site, "answer", answer_and_visit)
    runs.refresh()
    assert len([it for it in runs.site.asked if it in articles]) <= 2
    assert [len(history_of(runs.visit(url)).visits) for url in articles].count(1) >= 5


def visit_elsewhere(runs: Runs, urls: list[str]) -> None:
    """Record visits of *urls*, as another worker does."""

    async def write(store: Store) -> None:
        known = [await store.visit("侨情", url) for url in urls]
        found = Found(runs.now + 60, changed=False)
        await store.write(visits=[next_visit(it, found) for it in known if it is not None])

    in_store(runs.uri, write)


def test_a_visit_between_two_writes_of_the_same_page_keeps_its_first_version(runs: Runs) -> None:
    url = f"{SITE}news/3.html"
    for text in ("第一次更正：会议改在下月举行。", "第二次更正：会议取消，不再举行。"):
        runs.site.articles[url].body = sentences(3, 2) + text
        runs.refresh()
        runs.later(2 * DAY)
    versions = runs.versions(url)
    assert len(versions) == 2
    assert versions[0].at < versions[1].at
    assert "第二次" in runs.page(url).body


def test_a_running_crawl_gives_revisits_their_share(tmp_path: Path) -> None:
    site = ChangingSite(shown=40)
    for number in range(1, 11):
        site.publish(number)
    runs = Runs(tmp_path, site)
    runs.crawl()
    runs.later(2 * DAY)
    old = set(site.articles)
    for number in range(11, 41):
        site.publish(number)
    runs.crawl(TOPICCRAWL_REFRESH_SHARE=0.25)
    again = [url for url in site.asked if url in old]
    assert 5 <= len(again) <= 10
    assert len(again) == len(set(again))
    assert set(site.articles) <= set(site.asked) | old


def test_a_page_of_an_older_store_is_visited_with_its_time_of_fetching(runs: Runs) -> None:
    with sqlite3.connect(runs.folder / "pages.db") as file:
        file.execute("DELETE FROM visits")
    stats = runs.refresh().stats
    assert stats["topiccrawl/refresh/unchanged"] == 6
    assert "topiccrawl/refresh/changed" not in stats
    assert runs.visit(f"{SITE}news/1.html").body_digest
