"""TOPICCRAWL_MAX_PAGES ends a run with exactly so many pages, whatever else was fetched."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from tests.support.trap_web import article
from topiccrawl.crawl.queue.page_budget import PageBudget
from topiccrawl.endings import stop_sentence

HOME = "http://www.qiao.example/"
PAGES = 60


def missing(request: Request) -> Response:
    return response(request.url, b"<h1>gone</h1>", status=404)


def picture(request: Request) -> Response:
    return response(request.url, b"GIF89a", content_type="image/gif")


def moved(request: Request) -> Response:
    return response(request.url, status=301, Location=request.url.replace("/moved/", "/page/"))


def web() -> SmallWeb:
    """Pages on five hosts among redirects to them, errors, pictures and what robots.txt forbids."""
    pages: dict[str, Any] = {}
    for i in range(PAGES):
        site = f"http://www.qiao{i % 5}.example/"
        pages[f"{site}page/{i}"] = page(f"侨务第{i}期", article(i))
        pages[f"{site}moved/{i}"] = moved
        pages[f"{site}gone/{i}"] = missing
        pages[f"{site}picture/{i}"] = picture
        pages[f"{site}private/{i}"] = page("不许", "不许")
    pages[HOME] = page("侨务目录", ON_TOPIC, "".join(link(url, "侨务") for url in pages))
    return SmallWeb(pages)


@pytest.mark.parametrize("concurrency", [1, 16])
@pytest.mark.parametrize("most", [1, 2, 17, 40])
def test_a_run_ends_with_exactly_its_pages(most: int, concurrency: int) -> None:
    crawl = crawl_small(web(), [HOME], TOPICCRAWL_MAX_PAGES=most, CONCURRENT_REQUESTS=concurrency)
    assert crawl.stats["topiccrawl/pages/analyzed"] == most
    assert crawl.stats["finish_reason"] == "max_pages"


@pytest.mark.parametrize("concurrency", [1, 16])
def test_a_run_with_a_larger_budget_fetches_all_and_finishes(concurrency: int) -> None:
    crawl = crawl_small(web(), [HOME], TOPICCRAWL_MAX_PAGES=500, CONCURRENT_REQUESTS=concurrency)
    assert crawl.stats["topiccrawl/pages/analyzed"] == PAGES + 1
    assert crawl.stats["finish_reason"] == "finished"


def test_the_stop_reason_says_where_the_budget_comes_from() -> None:
    assert "page budget" in stop_sentence("max_pages", 10)


def test_requests_in_flight_are_counted_until_they_end_or_disappear() -> None:
    budget = PageBudget(3)
    first, second, lost = Request(HOME), Request(f"{HOME}2"), Request(f"{HOME}3")
    for lease, request in enumerate((first, second, lost)):
        budget.handed_out(lease, request)
    assert budget.full
    budget.ended(1)
    assert not budget.full
    budget.handed_out(1, second)
    budget.page_fetched(0)
    assert budget.full, "one page and two requests"
    del request, lost
    assert not budget.full, "a request without any outcome does not hold the crawl for ever"
    budget.page_fetched(1)
    budget.page_fetched(None)
    assert budget.reached


def test_without_a_budget_nothing_is_held_back() -> None:
    budget = PageBudget(0)
    budget.handed_out(1, Request(HOME))
    budget.page_fetched(1)
    assert not budget.full
    assert not budget.reached
