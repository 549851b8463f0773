"""A whole site is crawled to its end: by sitemaps, feeds, pagers and archives."""

from __future__ import annotations

import gzip
import logging
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import SmallCrawl, SmallWeb, crawl_small, link, page, response
from tests.support.trap_web import article
from topiccrawl.crawl.sites import whole
from topiccrawl.crawl.sites.marks import FileMark
from topiccrawl.crawl.sites.whole import MOST_ELSEWHERE
from topiccrawl.sites.site import FEED_PATHS, SITEMAP_PATHS

A = "http://www.qiao.example"
PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
}
#: What is asked for because it is usually there.
USUAL = {A + path for path in (*SITEMAP_PATHS, *FEED_PATHS)}


def story(number: int) -> bytes:
    return page(f"侨乡第{number}则", article(number))


def sitemap(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset>{entries}</urlset>'.encode()


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()


def robots(*sitemaps: str) -> bytes:
    return "\n".join(["User-agent: *", *(f"Sitemap: {url}" for url in sitemaps)]).encode()


def crawl(web: SmallWeb, *seeds: str, whole: str = "1", **settings: Any) -> SmallCrawl:
    return crawl_small(web, seeds or [f"{A}/"], whole=whole, **PLAIN, **settings)


def urls_of(done: SmallCrawl) -> set[str]:
    return {item.url for item in done.items}


STORIES = {f"{A}/n/{n}.html": story(n) for n in range(4)}
FIRST, SECOND, THIRD, FOURTH = STORIES
FRONT = {f"{A}/": page("侨网")}


def test_pages_of_a_sitemap_index_are_found_that_no_page_links_to() -> None:
    web = SmallWeb(
        {
            **FRONT,
            f"{A}/map.xml": index(f"{A}/map1.xml.gz", f"{A}/map2.xml"),
            f"{A}/map1.xml.gz": gzip.compress(sitemap(FIRST, SECOND)),
            f"{A}/map2.xml": sitemap(THIRD, FOURTH, "http://elsewhere.example/1.html"),
            **STORIES,
        },
        robots(f"{A}/map.xml"),
    )
    done = crawl(web)
    assert urls_of(done) == set(STORIES)
    assert "http://elsewhere.example/1.html" not in web.asked
    found = {it.url: it.found_by for it in done.items}
    assert found[FOURTH] == f"in the sitemap {A}/map2.xml"
    assert done.dropped[f"{A}/map.xml"] == "site-file"
    assert done.stats["topiccrawl/sites/files"] == 4
    assert done.stats["topiccrawl/sites/addresses"] == 4


def test_a_seed_without_the_mark_is_crawled_by_its_links_only() -> None:
    web = SmallWeb({**FRONT, f"{A}/sitemap.xml": sitemap(*STORIES), **STORIES})
    done = crawl(web, whole="")
    assert not urls_of(done)
    assert set(web.asked) == {f"{A}/"}


def test_files_are_looked_for_in_the_usual_places_without_a_word_of_them() -> None:
    web = SmallWeb(
        {**FRONT, f"{A}/sitemap.xml": sitemap(FIRST), f"{A}/rss.xml": feed(SECOND), **STORIES}
    )
    done = crawl(web)
    assert urls_of(done) == {FIRST, SECOND}
    assert set(web.asked) >= USUAL
    assert len(web.asked) == len(set(web.asked))


def feed(*urls: str, further: str = "") -> bytes:
    items = "".join(f"<item><title>侨乡</title><link>{url}</link></item>" for url in urls)
    return f"<rss><channel>{further}{items}</channel></rss>".encode()


def test_a_feed_that_a_page_states_is_read_with_its_further_pages() -> None:
    stated = '<link rel="alternate" type="application/rss+xml" href="/qw.rss">'
    more = f'<atom:link rel="next" href="{A}/qw2.rss"/>'
    web = SmallWeb(
        {
            f"{A}/": page("侨网", head=stated),
            f"{A}/qw.rss": feed(FIRST, SECOND, further=more),
            f"{A}/qw2.rss": feed(THIRD),
            **STORIES,
        }
    )
    done = crawl(web)
    assert urls_of(done) == {FIRST, SECOND, THIRD}
    assert {it.found_by for it in done.items if it.url == FIRST} == {f"in the feed {A}/qw.rss"}


def test_the_pages_of_a_list_are_followed_though_a_script_opens_them() -> None:
    script = '<script>createPageHTML(4, 0, "index", "html");</script>'
    names = ["", "index_1.html", "index_2.html", "index_3.html"]
    lists = {
        f"{A}/xw/{name}": page("要闻", links=link(url) + script)
        for name, url in zip(names, STORIES, strict=True)
    }
    web = SmallWeb({f"{A}/": page("侨网", links=link(f"{A}/xw/")), **lists, **STORIES})
    assert urls_of(crawl(web)) == set(STORIES)


def paper(day: str, *urls: str) -> dict[str, bytes]:
    return {f"{A}/paper/{day}/": page(f"数字报{day}", links="".join(map(link, urls)))}


@pytest.mark.parametrize("answer", ["404", "redirect", "empty"])
def test_issues_of_an_archive_are_found_over_gaps(answer: str) -> None:
    days = ["20240315", "20240308", "20240301", "20240223"]
    issues = {
        url: body
        for day, story_url in zip(days, STORIES, strict=True)
        for url, body in paper(day, story_url).items()
    }

    def otherwise(request: Request) -> Response:
        if "/paper/" not in request.url or answer == "404":
            return response(request.url, b"<h1>404</h1>", status=404)
        if answer == "redirect":
            return response(request.url, status=302, Location=f"{A}/")
        return response(request.url, page("没有这一期"))

    class Paper(SmallWeb):
        def answer(self, request: Request) -> Response:
            known = request.url in self.pages or request.url.endswith("/robots.txt")
            return super().answer(request) if known else self._otherwise(request)

        def _otherwise(self, request: Request) -> Response:
            self.asked.append(request.url)
            return otherwise(request)

    web = Paper({f"{A}/": page("侨网", links=link(f"{A}/paper/20240315/")), **issues, **STORIES})
    done = crawl(web)
    assert urls_of(done) == set(STORIES)
    # Seven dates for each issue until the week is a rule, and ten at each end.
    assert sum("/paper/" in url for url in web.asked) <= 1 + 3 * 7 + 2 * 10


def endless(request: Request) -> Response:
    number = int(request.url.rpartition("_")[2].partition(".")[0])
    further = [f"{A}/map_{2 * number + at}.xml" for at in range(2)]
    return response(request.url, index(*further), content_type="application/xml")


def test_endless_indexes_stop_with_a_reason(caplog: pytest.LogCaptureFixture) -> None:
    maps = {f"{A}/map_{n}.xml": endless for n in range(1, 200)}
    web = SmallWeb({**FRONT, **maps}, robots(f"{A}/map_1.xml"))
    with caplog.at_level(logging.WARNING):
        done = crawl(web, LOG_ENABLED=True)
    assert sum("/map_" in url for url in web.asked) == 1 + 2 + 4
    assert done.stats["topiccrawl/sites/stopped/levels"] == 4
    assert "nested too deeply" in caplog.text


def test_files_of_strangers_are_asked_for_by_few_words_of_robots_txt_only() -> None:
    victims = [f"http://v{n}.victim.example/{n}.xml" for n in range(40)]
    served = dict.fromkeys(victims, sitemap(FIRST))
    web = SmallWeb(
        {
            **FRONT,
            **served,
            f"{A}/map.xml": index(*victims[:20], "http://maps.qiao.example/more.xml"),
            "http://maps.qiao.example/more.xml": sitemap(SECOND),
            f"{A}/rss.xml": feed(THIRD, further=f'<atom:link rel="next" href="{victims[20]}"/>'),
            **STORIES,
        },
        robots(f"{A}/map.xml", *victims[21:]),
    )
    done = crawl(web)
    assert urls_of(done) == {FIRST, SECOND, THIRD}
    assert {url for url in web.asked if "victim" in url} == set(victims[21 : 21 + MOST_ELSEWHERE])


def test_files_that_list_millions_of_pages_fill_the_queue_up_to_a_limit_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole, "MOST_NEW", 3)
    maps = {f"{A}/{n}.xml": sitemap(*(f"{A}/n/{n}-{at}.html" for at in range(3))) for n in range(9)}
    web = SmallWeb(
        {
            **FRONT,
            f"{A}/map.xml": sitemap(*STORIES),
            f"{A}/map2.xml": index(*maps),
            **maps,
            **STORIES,
        },
        robots(f"{A}/map.xml", f"{A}/map2.xml"),
    )
    done = crawl(web)
    assert urls_of(done) == set(STORIES)
    assert not {url for url in web.asked if "-" in url}
    assert done.stats["topiccrawl/sites/stopped/pages"] > 0


def test_a_sitemap_bomb_stops_with_a_reason_and_the_crawl_goes_on() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 60_000_000)
    entities = b'<!DOCTYPE x [<!ENTITY a "bb">]><urlset><url><loc>http://&a;/</loc></url></urlset>'
    web = SmallWeb(
        {
            **FRONT,
            f"{A}/a.xml.gz": bomb,
            f"{A}/b.xml": entities,
            f"{A}/c.xml": sitemap(FIRST),
            **STORIES,
        },
        robots(f"{A}/a.xml.gz", f"{A}/b.xml", f"{A}/c.xml"),
    )
    done = crawl(web)
    assert urls_of(done) == {FIRST}
    assert done.stats["topiccrawl/sites/stopped/bytes"] == 1
    assert done.stats["topiccrawl/sites/stopped/entities"] == 1


def test_traps_hold_on_whole_sites() -> None:
    trap = f"{A}/a/a/a/a/1.html"
    web = SmallWeb({**FRONT, f"{A}/sitemap.xml": sitemap(trap, FIRST), **STORIES, trap: story(9)})
    assert urls_of(crawl(web)) == {FIRST}
    assert trap not in web.asked


def test_the_budget_of_a_whole_site_is_its_own() -> None:
    web = SmallWeb({**FRONT, f"{A}/sitemap.xml": sitemap(*STORIES), **STORIES})
    few = {"TOPICCRAWL_HOST_BUDGET_PAGES": 5, "TOPICCRAWL_HOST_BUDGET_GROWTH": 0}
    assert urls_of(crawl(web, TOPICCRAWL_SITE_PAGES=100, **few)) == set(STORIES)
    assert len(crawl(web, TOPICCRAWL_SITE_PAGES=0, **few).items) < len(STORIES)


def test_a_run_that_goes_on_reads_no_file_again_and_remembers_lists(tmp_path: Any) -> None:
    entries = "".join(f"<li>{link(url, '侨务部门走访归侨侨眷')}</li>" for url in STORIES)
    more = f"<li>{link(f'{A}/n/9.html', '侨务部门走访归侨侨眷九')}</li>"
    web = SmallWeb(
        {
            f"{A}/": page("侨网", links=f"<ul>{entries}{more}</ul>"),
            f"{A}/sitemap.xml": sitemap(*STORIES),
        }
        | STORIES
    )
    kept = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
        "TOPICCRAWL_MAX_PAGES": 3,
    }
    first = crawl(web, **kept)
    asked = list(web.asked)
    second = crawl(web, **kept)
    files = [url for url in web.asked[len(asked) :] if url in USUAL]
    assert not files
    assert len(urls_of(first) | urls_of(second)) == len(STORIES)
    assert list(second.run.sites.lists) == [f"{A}/"]


def test_a_damaged_mark_in_the_queue_is_that_of_a_page() -> None:
    assert FileMark.of({"topic_site_file": {"host": 1}}) is None
    assert FileMark.of({"topic_site_file": "x"}) is None
