"""The simulated spider that users write first."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from scrapy import Request, Spider
from scrapy.dupefilters import RFPDupeFilter
from scrapy.pqueues import ScrapyPriorityQueue
from scrapy.squeues import LifoMemoryQueue
from scrapy.utils.test import get_crawler

from tests.evaluation.test_simulation import DictWeb, stored
from tests.support.volcano_web import A, html
from topiccrawl.evaluation.experiment import HOME_MADE, Experiment, Run
from topiccrawl.evaluation.simulation.home_made import HomeMadePages, crawl_home_made
from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.webs.web import StoredPage

WORDS = ["Volcano", "lava", "crater"]
PLAIN = "Nothing of the kind. "


def run(pages: dict[str, bytes], most: int = 100, words: list[str] = WORDS) -> Run:
    web = HomeMadePages(StoredPages(DictWeb(stored(pages))))
    return crawl_home_made(web, words, [f"{A}/"], Experiment("v", "near", HOME_MADE, most))


def fetched(result: Run) -> list[str]:
    return [fetch.url.removeprefix(A) for fetch in result.fetches]


def kept(result: Run) -> list[str]:
    flags = result.checkpoints[-1].judgments.kept
    return [url for url, yes in zip(fetched(result), flags, strict=True) if yes]


def test_a_keyword_in_the_anchor_counts_ten_and_one_on_the_page_one() -> None:
    pages = {
        f"{A}/": html("Home", PLAIN, [(f"{A}/x", "other"), (f"{A}/v", "a VOLCANO")]),
        f"{A}/v": html("V", "Lava. ", [(f"{A}/y", "other"), (f"{A}/l", "lava of a crater")]),
        f"{A}/x": html("X", PLAIN, []),
        f"{A}/y": html("Y", PLAIN, []),
        f"{A}/l": html("L", PLAIN, []),
    }
    # /v has priority 11 (the anchor's word is on the page, too), then /l 22, /y 2, /x 1.
    assert fetched(run(pages)) == ["/", "/v", "/l", "/y", "/x"]


def test_among_equal_links_the_last_one_is_fetched_first_as_in_scrapy() -> None:
    pages = {f"{A}/": html("Home", PLAIN, [(f"{A}/{i}", "x") for i in range(4)])}
    pages |= {f"{A}/{i}": html(str(i), PLAIN, []) for i in range(4)}
    result = run(pages)
    assert fetched(result) == ["/", "/3", "/2", "/1", "/0"]
    assert result.note == "nothing left to fetch"


def test_pages_with_three_different_keywords_are_kept_without_a_probability() -> None:
    pages = {
        f"{A}/": html("Home", "volcano lava lava. ", [(f"{A}/v", "x")]),
        f"{A}/v": html("V", "A LAVA crater of the volcano. ", []),
    }
    result = run(pages)
    assert kept(result) == ["/v"]
    assert all(math.isnan(p) for p in result.checkpoints[-1].judgments.probability)


def test_with_fewer_than_three_keywords_a_page_needs_all_of_them() -> None:
    pages = {
        f"{A}/": html("Home", "volcano. ", [(f"{A}/v", "x")]),
        f"{A}/v": html("V", "volcano and lava. ", []),
    }
    assert kept(run(pages, words=["volcano", "lava"])) == ["/v"]
    assert kept(run(pages, words=["volcano"])) == ["/", "/v"]


def test_redirects_are_followed_before_the_links_of_the_same_page() -> None:
    pages = stored(
        {
            f"{A}/": html("Home", PLAIN, [(f"{A}/new", "x"), (f"{A}/old", "x"), (f"{A}/a", "x")]),
            f"{A}/a": html("A", PLAIN, []),
            f"{A}/new": html("New", PLAIN, []),
            f"{A}/far": html("Far", PLAIN, []),
        }
    )
    pages[f"{A}/old"] = StoredPage(f"{A}/old", b"", status=301, location=f"{A}/far")
    web = HomeMadePages(StoredPages(DictWeb(pages)))
    result = crawl_home_made(web, WORDS, [f"{A}/"], Experiment("v", "near", HOME_MADE, 9))
    assert fetched(result) == ["/", "/a", "/far", "/new"]


def test_the_budget_ends_a_run_and_the_whole_web_can_be_judged() -> None:
    pages = {f"{A}/{i}": html("V", "lava crater volcano", []) for i in range(3)}
    pages[f"{A}/"] = html("Home", PLAIN, [(f"{A}/{i}", "x") for i in range(3)])
    result = run(pages, most=2)
    assert len(result.fetches) == 2
    assert result.note == ""
    judged = HomeMadePages(StoredPages(DictWeb(stored(pages)))).web(WORDS)
    assert dict(zip(judged.urls, judged.judgments.kept, strict=True)) == {
        f"{A}/": False, f"{A}/0": True, f"{A}/1": True, f"{A}/2": True,
    }  # fmt: skip


class KeywordSpider(Spider):
    """The spider as a user writes it."""

    name = "home-made"

    def __init__(self, keywords: Sequence[str]) -> None:
        super().__init__()
        self.keywords = [word.lower() for word in keywords]

    def count(self, text: str) -> int:
        return sum(word in text.lower() for word in self.keywords)

    def parse(self, response: Any) -> Iterator[Any]:
        text = " ".join(response.xpath("//body//text()").getall())
        found = self.count(text)
        if found >= 3:
            yield response.url
        for a in response.css("a[href]"):
            if a.attrib["href"].strip().lower().startswith(("javascript", "mailto", "tel", "data")):
                continue
            anchor = " ".join(a.xpath(".//text()").getall())
            yield response.follow(a, self.parse, priority=10 * self.count(anchor) + found)


def test_scrapys_own_queue_and_filter_give_the_same_order_and_the_same_pages_are_kept() -> None:
    web = open_web("demo:300")
    topic, budget = web.topics[0], 120
    stored_pages = StoredPages(web, serve=pruner(web))
    experiment = Experiment(topic.name, "far", HOME_MADE, budget)
    seeds = topic.seeds["far"]
    result = crawl_home_made(HomeMadePages(stored_pages), topic.keywords, seeds, experiment)

    crawler = get_crawler()
    queue = ScrapyPriorityQueue.from_crawler(crawler, LifoMemoryQueue, "")
    seen = RFPDupeFilter.from_crawler(crawler)
    spider = KeywordSpider(topic.keywords)
    waiting = deque(Request(url) for url in seeds)
    order: list[str] = []
    stored_urls: set[str] = set()
    while len(order) < budget:
        request = waiting.popleft() if waiting else queue.pop()
        assert request is not None
        answer = stored_pages.get(request.url)
        assert answer is not None
        order.append(answer.address)
        response = stored_pages.response(answer)
        for found in [] if response is None else spider.parse(response):
            if isinstance(found, str):
                stored_urls.add(answer.address)
            elif not seen.request_seen(found):
                queue.push(found)
    assert [fetch.url for fetch in result.fetches] == order
    flags = result.checkpoints[-1].judgments.kept
    assert {f.url for f, yes in zip(result.fetches, flags, strict=True) if yes} == stored_urls
    assert len(stored_urls) > 20
