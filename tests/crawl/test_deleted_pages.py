"""Pages that the user deleted are not fetched again: not from links, redirects or a fresh queue."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from scrapy import Request
from scrapy.http import Response

from tests.crawl.test_article_parts import part_url
from tests.crawl.test_article_parts import web as parts_web
from tests.support.mirror_web import ARTICLES, MirrorWeb, number_of
from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from tests.support.store_records import listed
from tests.support.stored import in_store
from topiccrawl.store.contract import Store
from topiccrawl.store.deletion.marks import allow_again, delete_marked
from topiccrawl.store.records import RunRecord

HOME = "http://www.qiao.example/"
GONE = f"{HOME}news/1"


def moved(request: Request) -> Response:
    return response(request.url, status=302, Location=GONE)


def site() -> SmallWeb:
    links = (
        link(GONE, "归侨陈某某的电话")
        + link(f"{HOME}news/2", "侨务新闻")
        + link(f"{HOME}go", "侨务")
    )
    return SmallWeb(
        {
            HOME: page("侨务首页", ON_TOPIC, links),
            GONE: page("侨联座谈会", ON_TOPIC * 2),
            f"{HOME}news/2": page("侨乡新貌", ON_TOPIC * 3),
            f"{HOME}go": moved,
        }
    )


def urls(uri: str) -> set[str]:
    return {it.url for it in in_store(uri, lambda store: listed(store.pages("侨情")))}


def test_a_deleted_page_is_not_fetched_again_until_that_is_allowed(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"

    def crawled() -> tuple[set[str], list[str]]:
        web = site()
        crawl_small(web, [HOME], TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path))
        return urls(uri), web.asked

    stored, asked = crawled()
    assert GONE in stored
    now = datetime.now(UTC)
    assert in_store(uri, lambda store: delete_marked(store, "侨情", [GONE], "request", now)) == 1
    stored, asked = crawled()
    assert GONE not in stored
    assert GONE not in asked
    assert f"{HOME}news/2" in stored
    outcome = in_store(uri, lambda store: store.outcome("侨情", GONE))
    assert (outcome.verdict, outcome.reason) == ("dropped", "deleted")
    assert "陈某某" not in outcome.link.anchor
    assert in_store(uri, lambda store: allow_again(store, "侨情", [GONE])) == 1
    stored, asked = crawled()
    assert GONE in stored


def test_a_deleted_seed_is_fetched_for_its_links_and_not_stored(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    in_store(uri, lambda store: delete_marked(store, "侨情", [HOME], "request", datetime.now(UTC)))
    crawl_small(site(), [HOME], TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path))
    assert HOME not in urls(uri)
    assert f"{HOME}news/2" in urls(uri)
    outcome = in_store(uri, lambda store: store.outcome("侨情", HOME))
    assert (outcome.reason, outcome.title) == ("deleted", "")


def test_pages_that_are_too_old_leave_the_store_when_a_crawl_starts(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    options = {"TOPICCRAWL_STORE_URI": uri, "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path)}
    crawl_small(site(), [HOME], **options)

    async def aged(store: Store) -> None:
        found = await store.page("侨情", GONE)
        assert found is not None
        now = datetime.now(UTC)
        found.first_seen = found.fetched_at = now - timedelta(days=400)
        months = [now - timedelta(days=days) for days in range(10, 400, 30)]
        runs = [RunRecord(topic="侨情", id=f"{at}", started_at=at) for at in months]
        await store.write([found], runs=runs)

    in_store(uri, aged)
    web = site()
    crawl_small(web, [HOME], TOPICCRAWL_RETENTION_DAYS=365, **options)
    stored = urls(uri)
    assert GONE not in stored
    assert GONE not in web.asked
    assert f"{HOME}news/2" in stored


def test_a_deleted_page_is_not_fetched_from_a_mirror_instead(tmp_path: Path) -> None:
    settings = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
        "TOPICCRAWL_STORE_URI": (uri := f"sqlite:///{tmp_path / 'pages.sqlite'}"),
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path),
        "TOPICCRAWL_STRATEGY": "breadth-first",
        "TOPICCRAWL_PAGE_CLASSIFIER": False,
        "TOPICCRAWL_PATTERN_BUDGET_PAGES": 0,
    }
    origins = ["http://www.qiao.example", "http://qiao.example"]
    web = MirrorWeb(origins=origins)
    crawl_small(web, [f"{origins[0]}/"], TOPICCRAWL_MAX_PAGES=30, **settings)
    fetched = {number_of(url) for url in web.articles()}
    left = set(range(ARTICLES)) - fetched
    deleted = [f"{origins[0]}/hr/{20260100 + n}.html" for n in left]
    now = datetime.now(UTC)
    in_store(uri, lambda store: delete_marked(store, "侨情", deleted, "request", now))
    second = MirrorWeb(origins=origins)
    crawl_small(second, [f"{origins[0]}/"], **settings)
    audited = [url for url in second.articles() if number_of(url) in left]
    assert len(audited) < 0.1 * len(left), "but for the links that check whether they are mirrors"


def test_a_later_part_of_a_deleted_article_does_not_bring_it_back(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    in_store(
        uri, lambda store: delete_marked(store, "侨情", [part_url(1)], "request", datetime.now(UTC))
    )
    site = parts_web()
    crawl_small(
        site, [part_url(2)], TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path)
    )
    assert part_url(2) in site.asked
    assert part_url(1) not in site.asked
    assert not urls(uri)
    outcome = in_store(uri, lambda store: store.outcome("侨情", part_url(2)))
    assert (outcome.verdict, outcome.reason) == ("dropped", "deleted")


def test_a_deleted_part_is_not_fetched_for_its_article(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    in_store(
        uri, lambda store: delete_marked(store, "侨情", [part_url(3)], "request", datetime.now(UTC))
    )
    site = parts_web()
    crawl_small(
        site, [part_url(1)], TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path)
    )
    assert part_url(3) not in site.asked
    assert urls(uri) == {part_url(1)}
