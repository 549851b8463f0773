"""Links that lead to no page again and again fall behind, and come back when one of them answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page
from topiccrawl.urls.deadlinks import DeadLinks

if TYPE_CHECKING:
    from collections.abc import Sequence

HOME = "http://www.qiao.example/"
GOOD = [f"http://www.good.example/{n}.html" for n in range(15)]
STRATEGIES = ("adaptive", "ipagerank-rwb", "breadth-first")


def web_of(dead: Sequence[str], alive: Sequence[str] = ()) -> SmallWeb:
    """A page of good-looking links that are dead, then others."""
    texts = random.Random(5)
    looks_good = "".join(link(url, "侨务新闻 华侨") for url in dead)
    pages = {HOME: page("侨务", ON_TOPIC, looks_good + "".join(link(url) for url in GOOD))}
    for url in (*GOOD, *alive):
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
    monkeypatch.setattr(DeadLinks, "dead", lambda self, url: None)
    without = web_of(links, alive)
    crawl_small(without, [HOME])
    assert with_it.asked == without.asked
