"""A whole site is crawled to its end: by sitemaps, feeds, pagers and archives."""

from __future__ import annotations

import gzip
from typing import Any

from tests.support.small_web import SmallCrawl, SmallWeb, crawl_small, link, page, response
from tests.support.trap_web import article

A = "http://www.qiao.example"
PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
}


def story(number: int) -> bytes:
    return page(f"侨乡第{number}则", article(number))


def sitemap(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset>{entries}</urlset>'.encode()


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()


def crawl(web: SmallWeb, *, whole: str = "1", **settings: Any) -> SmallCrawl:
    return crawl_small(web, [f"{A}/"], whole=whole, **PLAIN, **settings)


def test_pages_of_a_sitemap_index_are_found_that_no_page_links_to() -> None:
    pages = {f"{A}/n/{n}.html": story(n) for n in range(4)}
    web = SmallWeb(
        {
            f"{A}/": page("侨网", "", ""),
            f"{A}/map.xml": index(f"{A}/map1.xml.gz", f"{A}/map2.xml"),
            f"{A}/map1.xml.gz": gzip.compress(sitemap(*list(pages)[:2])),
            f"{A}/map2.xml": sitemap(*list(pages)[2:], "http://elsewhere.example/1.html"),
            **pages,
        },
        robots=f"User-agent: *\nSitemap: {A}/map.xml\n".encode(),
    )
    done = crawl(web)
    assert {it.url for it in done.items} == set(pages)
    assert "http://elsewhere.example/1.html" not in web.asked
    found = {it.url: it.found_by for it in done.items}
    assert found[f"{A}/n/3.html"] == f"in the sitemap {A}/map2.xml"
    assert done.dropped[f"{A}/map.xml"] == "site-file"
