"""What a redirected address leaves behind, on small drawn webs with all parts in place."""

from __future__ import annotations

from pathlib import Path

from scrapy import Request
from scrapy.http import Response

from tests.extensions.test_outcome_recorder import last_of
from tests.extensions.test_outcome_recorder import store as store
from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from tests.support.store_fakes import FlakyStore

HOME = "http://a.example/"


def crawl(tmp_path: Path, web: SmallWeb) -> None:
    crawl_small(
        web,
        [HOME],
        TOPICCRAWL_STORE_URI="sqlite:///unused.sqlite",
        TOPICCRAWL_CONTROL=False,
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path),
    )


def home(path: str) -> bytes:
    return page("归侨座谈", ON_TOPIC * 3, link(path))


def test_a_redirect_after_a_retry_leaves_its_outcome(store: FlakyStore, tmp_path: Path) -> None:
    def busy_then_moved(request: Request) -> Response:
        if web.asked.count(request.url) == 1:
            return response(request.url, status=503)
        return response(request.url, status=302, Location="/new")

    pages = {
        HOME: home("/moved"),
        f"{HOME}moved": busy_then_moved,
        f"{HOME}new": page("侨乡博物馆展览开幕", ON_TOPIC * 2),
    }
    web = SmallWeb(pages)
    crawl(tmp_path, web)
    outcomes = last_of(store)
    assert outcomes[f"{HOME}moved"].reason == "redirected"
    assert outcomes[f"{HOME}new"].verdict == "stored"


def test_a_redirect_to_another_spelling_of_one_page_takes_no_number(
    store: FlakyStore, tmp_path: Path
) -> None:
    def move_once(request: Request) -> Response:
        if len(web.asked) == 2:
            return response(request.url, status=302, Location="/x?utm_source=b")
        return response(request.url, page("侨乡博物馆展览开幕", ON_TOPIC * 2))

    web = SmallWeb({HOME: home("/x"), f"{HOME}x": move_once, f"{HOME}x?utm_source=b": move_once})
    crawl(tmp_path, web)
    outcomes = last_of(store)
    assert outcomes[f"{HOME}x"].verdict == "stored"
    assert sorted(it.sequence for it in outcomes.values()) == [1, 2]
