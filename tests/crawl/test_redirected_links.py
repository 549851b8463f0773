"""Crawls of sites whose links redirect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.scoring.strategy import PageView
from topiccrawl.urls.identity import link_id

SITE = "http://www.example.cn"


def moved(request: Request) -> Response:
    """Two redirects to the page."""
    to = "/by/" if "/go/" in request.url else "/page/"
    target = request.url.replace("/go/", to).replace("/by/", to)
    return response(request.url, status=301, Location=target)


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
def test_a_page_behind_redirects_is_known_by_the_link_that_was_followed(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[PageView] = []
    publish = CrawlJournal.publish_page

    def publish_page(self: CrawlJournal, view: PageView, *rest: Any) -> None:
        seen.append(view)
        publish(self, view, *rest)

    monkeypatch.setattr(CrawlJournal, "publish_page", publish_page)
    links = "".join(link(f"/go/{n}.html", f"侨务{n}") for n in range(3)) + link("/page/9.html")
    web = {f"{SITE}/": page("侨情", ON_TOPIC, links), f"{SITE}/page/9.html": page("九", ON_TOPIC)}
    for n in range(3):
        web |= {f"{SITE}/{way}/{n}.html": moved for way in ("go", "by")}
        web[f"{SITE}/page/{n}.html"] = page(f"第{n}页", ON_TOPIC * (n + 1))
    crawl_small(
        SmallWeb(web),
        [f"{SITE}/"],
        TOPICCRAWL_FRONTIER_BACKEND=backend,
        TOPICCRAWL_FRONTIER_DIR=str(tmp_path),
    )
    asked = {view.id: view.asked for view in seen}
    expected = {link_id(f"{SITE}/page/{n}.html"): link_id(f"{SITE}/go/{n}.html") for n in range(3)}
    assert asked == {link_id(f"{SITE}/"): 0, link_id(f"{SITE}/page/9.html"): 0, **expected}
