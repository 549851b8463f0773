"""Links that lead to no page again and again fall behind, and come back when one of them answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import cast

import pytest
from scrapy import Request
from scrapy.exceptions import CannotResolveHostError, DownloadCancelledError
from scrapy.http import Response

from tests.support.journal_in_memory import OneJournal
from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, response
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import ANSWERS, DEAD
from topiccrawl.crawl.requests.refused import AnalysisCrash, AnalysisTimeout, PackedTooOften
from topiccrawl.documents.reader import DocumentReader
from topiccrawl.documents.text import DocumentText, Reason
from topiccrawl.urls.deadlinks import DeadLinks

HOME = "http://www.qiao.example/"
GOOD = [f"http://www.good.example/{n}.html" for n in range(15)]
STRATEGIES = ("adaptive", "ipagerank-rwb", "breadth-first")


def web_of(dead: Sequence[str], alive: Sequence[str] = (), own: Sequence[str] = GOOD) -> SmallWeb:
    """A page of good-looking links that are dead, then others."""
    texts = random.Random(5)
    looks_good = "".join(link(url, "侨务新闻 华侨") for url in dead)
    pages = {HOME: page("侨务", ON_TOPIC, looks_good + "".join(link(url) for url in own))}
    for url in (*own, *alive):
        own = "".join(chr(texts.randrange(0x4E00, 0x6E00)) for _ in range(60))
        pages[url] = page(f"侨务{own[:6]}", f"{own}。{ON_TOPIC}")
    return SmallWeb(pages)


def before_last_good(web: SmallWeb, dead: Sequence[str]) -> int:
    """Requests for dead links before the last good page."""
    last = max(web.asked.index(url) for url in GOOD)
    return sum(url in set(dead) for url in web.asked[:last])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_page_of_dead_links_of_one_host_keeps_nothing_waiting(strategy: str) -> None:
    dead = [f"http://dead.example/news/{n}.html" for n in range(400)]
    web = web_of(dead)
    crawl_small(web, [HOME], TOPICCRAWL_STRATEGY=strategy)
    assert set(GOOD) <= set(web.asked)
    assert before_last_good(web, dead) <= 25
    assert set(dead) <= set(web.asked), "they come last, and none is given up untried"


def fails(error: Callable[[], Exception]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        raise error()

    return answer


def document(request: Request) -> Response:
    return response(request.url, b"%PDF-1.7", content_type="application/pdf")


#: Answers that cost as much as many pages, by the reason of their outcome.
COSTLY: dict[str, Callable[[Request], Response]] = {
    "too-large": fails(lambda: DownloadCancelledError("5 MB")),
    "analysis-timeout": fails(lambda: AnalysisTimeout("3 s")),
    "analysis-crash": fails(lambda: AnalysisCrash("400 MB")),
    "packing": fails(lambda: PackedTooOften("1,001 parts")),
    "not-html": lambda request: response(request.url, b"\x89PNG\r\n\x1a\n" * 99),
    "document-timed-out": document,
    "document-too-large": document,
}


@pytest.mark.parametrize("reason", COSTLY)
def test_links_that_cost_much_and_lead_to_no_page_keep_nothing_waiting(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = cast("Reason", reason.removeprefix("document-"))
    monkeypatch.setattr(
        DocumentReader, "read", lambda *_: DocumentText(kind="pdf", reason=why, detail="6 s")
    )
    links = [f"http://costly.example/news/{n}.html" for n in range(100)]
    web = web_of(links)
    web.pages = {**web.pages, **dict.fromkeys(links, COSTLY[reason])}
    run = crawl_small(web, [HOME])
    assert set(GOOD) | set(links) <= set(web.asked)
    assert before_last_good(web, links) <= 25
    counts = (run.stats.get(f"topiccrawl/{it}/{reason}", 0) for it in ("failed", "dropped"))
    assert sum(counts) == len(links)


def test_other_folders_of_the_host_come_before_the_dead_one() -> None:
    dead = [f"{GOOD[0].rpartition('/')[0]}/old/{n}.html" for n in range(300)]
    web = web_of(dead)
    crawl_small(web, [HOME])
    assert set(GOOD) <= set(web.asked)
    assert before_last_good(web, dead) <= 50


def test_links_come_back_when_one_of_them_answers() -> None:
    links = [f"http://back.example/news/{n}.html" for n in range(80)]
    web = web_of(links, alive=links[30:])
    run = crawl_small(web, [HOME])
    assert set(links) <= set(web.asked)
    assert len(run.items) >= len(links[30:])
    last_good = max(web.asked.index(url) for url in GOOD)
    assert before_last_good(web, links[:30]) <= 25
    assert all(url in web.asked[last_good:] for url in links[45:])


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_single_dead_links_of_an_ordinary_site_change_nothing(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = random.Random(7)
    links = [f"http://some.example/news/{n}.html" for n in range(100)]
    alive = [url for url in links if drawn.random() > share]
    with_it = web_of(links, alive)
    crawl_small(with_it, [HOME])
    monkeypatch.setattr(DeadLinks, "dead", lambda self, url, source="": None)
    without = web_of(links, alive)
    crawl_small(without, [HOME])
    assert with_it.asked == without.asked


def hosts(count: int, seed: int) -> list[str]:
    """Front pages of hosts whose names have nothing in common."""
    draw = random.Random(seed)
    return [f"http://www.{''.join(draw.choices('bcdfghkl', k=9))}.example/" for _ in range(count)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_links_to_dead_hosts_keep_pages_of_the_host_that_has_them_waiting_no_longer(
    strategy: str,
) -> None:
    dead = hosts(300, 1)
    own = [f"{HOME}{n}.html" for n in range(15)]
    web = web_of(dead, own=own)
    crawl_small(web, [HOME], TOPICCRAWL_STRATEGY=strategy)
    last = max(web.asked.index(url) for url in own)
    assert sum(url in set(dead) for url in web.asked[:last]) <= 25
    assert set(dead) <= set(web.asked), "they come last, and none is given up untried"


def test_links_to_other_hosts_come_back_when_one_of_them_answers() -> None:
    links = hosts(80, 2)
    web = web_of(links, alive=links[30:])
    run = crawl_small(web, [HOME])
    assert set(links) <= set(web.asked)
    assert len(run.items) >= len(links[30:])


def test_a_dead_link_counts_once_however_often_it_is_tried() -> None:
    dead = hosts(10, 5)
    web = web_of(dead)

    class Unnamed(SmallWeb):
        async def wait(self, request: Request) -> None:
            if request.url.removesuffix("robots.txt") in dead:
                raise CannotResolveHostError("no such name")

    run = crawl_small(
        Unnamed(web.pages), [HOME], TOPICCRAWL_RETRY_DELAY_SECONDS=0, RETRY_ENABLED=False
    )
    assert run.stats["topiccrawl/failed/dns"] == 3 * len(dead)
    assert "topiccrawl/links/behind" not in run.stats, "20 dead links in a row are many, 10 are not"


SOURCE = "www.qiao.example"


def test_links_of_one_host_to_others_are_a_family() -> None:
    dead = DeadLinks(links=3)
    for url in hosts(3, 3):
        dead.dead(url, SOURCE)
    (other,) = hosts(1, 4)
    assert dead.expected(other, SOURCE) == 1 / 5
    assert dead.expected(other, "www.good.example") == 1
    assert dead.expected(f"http://{SOURCE}/a", SOURCE) == 1, "its own pages are none of them"
    assert dead.answered(other, SOURCE)
    assert dead.expected(other, SOURCE) == 1
    assert not dead.answered(other, SOURCE), "the row has ended before"


def test_other_workers_receive_whose_links_are_dead_and_that_one_answers() -> None:
    (other,) = hosts(1, 4)
    entries = OneJournal()
    later = DeadLinks(links=3)
    worker = CrawlJournal(entries)
    joined = CrawlJournal(entries.other_end())
    joined.subscribe(DEAD, lambda it: later.dead(*it))
    joined.subscribe(ANSWERS, later.answers)
    for url in hosts(3, 3):
        worker.publish(DEAD, (url, SOURCE))
    joined.replay()
    assert later.expected(other, SOURCE) == 1 / 5
    worker.publish(ANSWERS, SOURCE)
    joined.replay()
    assert later.expected(other, SOURCE) == 1
