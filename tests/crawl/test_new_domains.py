"""A farm of domains that link to each other without end leaves half of a crawl to the other sites."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterable
from urllib.parse import urlsplit

import numpy as np
import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from topiccrawl.crawl.queue.fallen import FallenLinks
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.domains import FIRST_DOMAINS, PAGES_PER_DOMAIN
from topiccrawl.urls.identity import link_id

HOME = "http://www.qiao.example/"
OWN = [f"{HOME}{number}.html" for number in range(120)]


def text(draw: random.Random) -> str:
    """A text on the topic that no other page has."""
    return "".join(chr(draw.randrange(0x4E00, 0x6E00)) for _ in range(60)) + "。" + ON_TOPIC


class FarmWeb(SmallWeb):
    """Any other host has a page on the topic, with links to ten domains that nothing else links to."""

    def answer(self, request: Request) -> Response:
        if request.url in self.pages or request.url.endswith("/robots.txt"):
            return super().answer(request)
        self.asked.append(request.url)
        draw = random.Random(request.url)
        names = ["".join(draw.choices("bcdfghkl", k=9)) for _ in range(10)]
        links = "".join(link(f"http://www.{name}.example/", "侨务新闻 华侨华人") for name in names)
        return response(request.url, page("侨务" + text(draw)[:8], text(draw), links))


def farm_beside_a_site() -> FarmWeb:
    """A site with articles, and the entrance to the farm."""
    draw = random.Random(3)
    entrance = link("http://www.farm.example/", "侨务新闻 华侨华人")
    pages = {HOME: page("侨务", ON_TOPIC, entrance + "".join(link(url) for url in OWN))}
    for url in OWN:
        own = text(draw)
        pages[url] = page(f"侨务{own[:6]}", own)
    return FarmWeb(pages)


def own_pages(web: FarmWeb) -> int:
    """Count the requests for pages of the site."""
    return sum(urlsplit(url).hostname == "www.qiao.example" for url in web.asked)


@pytest.mark.parametrize("strategy", ["adaptive", "ipagerank-rwb", "breadth-first"])
def test_pages_of_known_sites_get_half_of_the_requests(strategy: str) -> None:
    web = farm_beside_a_site()
    crawl_small(web, [HOME], TOPICCRAWL_STRATEGY=strategy, TOPICCRAWL_MAX_PAGES=500)
    assert own_pages(web) >= 100


@pytest.mark.parametrize("requests", [4, 16])
def test_the_delay_of_a_site_does_not_leave_its_requests_to_the_farm(requests: int) -> None:
    web = farm_beside_a_site()
    crawl_small(
        web,
        [HOME],
        TOPICCRAWL_MAX_PAGES=300,
        CONCURRENT_REQUESTS=requests,
        CONCURRENT_REQUESTS_PER_DOMAIN=1,
        DOWNLOAD_DELAY=0.1,
    )
    assert own_pages(web) >= 45, "half of the pages since there are too many domains"


def test_few_links_are_looked_through_at_once_however_many_domains_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading the best links of thousands of hosts stops the event loop: 70 µs for each with SQLite."""
    looked: list[int] = []
    to_lower = FallenLinks.to_lower

    def counting(self: FallenLinks, links: Iterable[QueuedLink]) -> list[QueuedLink]:
        found = list(links)
        looked.append(len(found))
        return to_lower(self, found)

    monkeypatch.setattr(FallenLinks, "to_lower", counting)
    draw = random.Random(9)
    names = ["".join(draw.choices("bcdfghkl", k=9)) for _ in range(1_500)]
    farm = "".join(link(f"http://www.{name}.example/", "侨务新闻 华侨华人") for name in names)
    web = FarmWeb({HOME: page("侨务", ON_TOPIC, farm)})
    crawl_small(web, [HOME], TOPICCRAWL_MAX_PAGES=220)
    assert looked
    assert max(looked) <= 300


def evidence(parent: str | None = HOME) -> LinkEvidence:
    """Evidence of a link with a score of 1."""
    return LinkEvidence(1.0, parent=parent)


def test_only_links_of_pages_to_new_domains_fall_behind_and_only_while_there_are_too_many() -> None:
    fallen = FallenLinks()
    fallen.answered(HOME)
    for number in range(FIRST_DOMAINS):
        fallen.contact(f"www.site{number}.com")
        fallen.contact(f"news.site{number}.com")
    assert not fallen.crowded(pages=1), "names of a domain count once"
    fallen.contact("www.one-more.com")
    assert fallen.crowded(pages=1)
    new, known = "http://www.new.com/", "http://news.one-more.com/"
    assert fallen.lowered(new, evidence()).score < 0.1
    for url, parent in ((known, HOME), (new, None), (f"{HOME}1", HOME)):
        assert fallen.lowered(url, evidence(parent)).score == 1
    ids, scores = np.array([link_id(new), link_id(known)]), np.ones(2)
    assert fallen.held_down(ids, scores).tolist() == [pytest.approx(0.01), 1]
    fallen.begin_round(pages=PAGES_PER_DOMAIN)
    assert fallen.held_down(ids, scores).tolist() == [1, 1]
    assert fallen.lowered(new, evidence()).score == 1


def test_a_link_is_returned_once_when_it_falls_behind() -> None:
    fallen = FallenLinks()
    for number in range(FIRST_DOMAINS + 1):
        fallen.contact(f"www.site{number}.com")
    assert fallen.crowded(pages=1)
    links = [QueuedLink(f"http://www.new{n}.com/", f"www.new{n}.com", evidence()) for n in "ab"]
    assert fallen.to_lower(links) == links
    assert fallen.to_lower(links) == []
    assert fallen.is_behind(links[0].url)


def test_a_piece_of_the_queue_is_scored_without_a_copy_of_all_links_that_have_fallen() -> None:
    fallen = FallenLinks()
    for number in range(FIRST_DOMAINS + 1):
        fallen.contact(f"www.site{number}.com")
    assert fallen.crowded(pages=1)
    urls = [f"http://www.new{n}.com/" for n in range(20_000)]
    for url in urls:
        fallen.lowered(url, evidence())
    ids = np.array([link_id(url) for url in urls[:50]])
    tracemalloc.start()
    try:
        scores = fallen.held_down(ids, np.ones(50))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert scores.tolist() == [pytest.approx(0.01)] * 50
    assert peak < 8 * len(urls), "not even an array of their ids"
