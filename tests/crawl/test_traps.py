"""Endless sites cost a bounded number of fetches, and the good site beside them is fetched whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import crawl_small, page, response
from tests.support.trap_web import GOOD, GOOD_PAGES, HUB, TRAPS, TrapWeb, article

#: Pages in a row without anything new after which a family of URLs is left.
PATIENCE = 6
#: Fetches that one kind of trap may cost: twice that, for patterns that are different each time, and what
#: was new at first (up to 30 articles).  Without the rule each goes on to any limit.
MOST = 2 * PATIENCE + 40
BUDGET = 30
#: Traps whose first page is no content: its links are not followed.
NOT_CONTENT = frozenset({"login", "echo"})


#: Without what takes most of the time and decides nothing here.
PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
}


@pytest.fixture(scope="module")
def web() -> TrapWeb:
    web = TrapWeb(list(TRAPS))
    settings = {"TOPICCRAWL_PATTERN_BUDGET_PAGES": PATIENCE, **PLAIN}
    crawl = crawl_small(web, [HUB], TOPICCRAWL_MAX_PAGES=900, **settings)
    assert crawl.stats["finish_reason"] == "finished"
    assert sum(item.url.startswith(GOOD) for item in crawl.items) >= GOOD_PAGES
    return web


@pytest.mark.parametrize("name", list(TRAPS))
def test_a_trap_of_any_kind_is_left(web: TrapWeb, name: str) -> None:
    if name in NOT_CONTENT:
        assert 1 <= web.fetched(name) <= 5
    else:
        assert 5 < web.fetched(name) <= MOST


def test_duplicates_on_the_topic_earn_their_host_nothing() -> None:
    """Five texts under endless addresses, all of them relevant."""
    web = TrapWeb(["duplicates"])
    settings = {"TOPICCRAWL_HOST_BUDGET_PAGES": BUDGET, "TOPICCRAWL_HOST_BUDGET_GROWTH": 2}
    crawl = crawl_small(web, [HUB], TOPICCRAWL_PATTERN_BUDGET_PAGES=0, **settings, **PLAIN)
    assert crawl.stats["finish_reason"] == "finished"
    assert web.fetched("duplicates") <= BUDGET + 5 * 2
    assert web.fetched("qiao") > GOOD_PAGES, "new pages earn their host more"


class WildcardWeb(TrapWeb):
    """A trap that answers under any name, with a new page on the topic and links to new names."""

    def answer(self, request: Request) -> Response:
        host = urlsplit(request.url).hostname or ""
        if not host.endswith("wildcard.example") or request.url.endswith("/robots.txt"):
            return super().answer(request)
        self.asked.append(request.url)
        number = len(self.asked)
        links = "".join(
            f'<a href="http://w{number}-{i}.wildcard.example/">侨务</a>' for i in range(10)
        )
        return response(request.url, page(article(number)[60:75], article(number) + links))


def test_a_domain_that_answers_under_any_name_is_left() -> None:
    names = 15
    web = WildcardWeb(["wildcard"])
    crawl = crawl_small(
        web, [HUB], TOPICCRAWL_DOMAIN_BUDGET_HOSTS=names, TOPICCRAWL_MAX_PAGES=400, **PLAIN
    )
    assert crawl.stats["finish_reason"] == "finished"
    asked = {urlsplit(url).hostname or "" for url in web.asked}
    assert names <= sum(name.endswith("wildcard.example") for name in asked) <= 2 * names
    assert sum(item.url.startswith(GOOD) for item in crawl.items) >= GOOD_PAGES


def _in_pieces(web: TrapWeb, seed: str, folder: Path, pages: int, **settings: Any) -> int:
    """Crawl *web* from *seed* in runs of *pages* pages until nothing is left; return the number of runs."""
    for number in range(1, 5):
        crawl = crawl_small(
            web,
            [seed],
            TOPICCRAWL_FRONTIER_BACKEND="sqlite",
            TOPICCRAWL_FRONTIER_DIR=str(folder),
            TOPICCRAWL_MAX_PAGES=pages,
            **settings,
            **PLAIN,
        )
        if crawl.stats["finish_reason"] == "finished":
            return number
    raise AssertionError("the crawl never ends")


def test_a_trap_gets_no_new_allowance_from_each_run_that_continues_the_crawl(
    tmp_path: Path,
) -> None:
    """Runs so short that none sees enough of the trap by itself."""
    budget = {"TOPICCRAWL_PATTERN_BUDGET_PAGES": PATIENCE}
    web = TrapWeb(["duplicates"])
    runs = _in_pieces(web, "http://www.duplicates.example/", tmp_path, 8, **budget)
    assert runs > 1
    assert 5 + PATIENCE <= web.fetched("duplicates") <= 5 + 2 * PATIENCE


def test_host_names_that_earlier_runs_have_contacted_count(tmp_path: Path) -> None:
    web = WildcardWeb(["wildcard"])
    seed, budget = "http://www.wildcard.example/", {"TOPICCRAWL_DOMAIN_BUDGET_HOSTS": 6}
    assert _in_pieces(web, seed, tmp_path, 5, **budget) > 1
    assert 6 <= len({urlsplit(url).hostname for url in web.asked}) <= 2 * 6 + 1
