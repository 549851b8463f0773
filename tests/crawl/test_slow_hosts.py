"""Hosts that answer slowly leave connections to the others."""

from __future__ import annotations

import asyncio
import random
from urllib.parse import urlsplit

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page
from topiccrawl.scheduling import shares

HUB = "http://www.qiao.example/"
ARTICLES = [f"{HUB}{n}.html" for n in range(20)]
SLOW = [f"http://www.slow{n}.example/" for n in range(60)]
#: Patience, first time-out and time of a slow answer: a tenth of the usual ones and of 25 s.
PATIENCE, TIMEOUT, ANSWER = 0.5, 1.0, 2.5


def text(key: str) -> str:
    """A text on the topic that no other page has."""
    draw = random.Random(key)
    return "".join(chr(draw.randrange(0x4E00, 0x6E00)) for _ in range(60)) + "。" + ON_TOPIC


class SlowWeb(SmallWeb):
    """Hosts called slow answer late, robots.txt at once."""

    async def wait(self, request: Request) -> None:
        slow = (urlsplit(request.url).hostname or "").startswith("www.slow")
        takes = ANSWER if slow and not request.url.endswith("/robots.txt") else 0.0
        await asyncio.sleep(min(takes, request.meta["download_timeout"]))
        if takes > request.meta["download_timeout"]:
            raise DownloadTimeoutError


@pytest.mark.parametrize("requests", [1, 4, 16])
def test_articles_do_not_wait_for_the_answers_of_slow_hosts(
    requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "PATIENCE_SECONDS", PATIENCE)
    monkeypatch.setattr(shares, "FIRST_TIMEOUT_SECONDS", TIMEOUT)
    links = [link(url, "侨务新闻 华侨华人") for url in SLOW] + [link(url) for url in ARTICLES]
    pages = {HUB: page("侨务", ON_TOPIC, "".join(links))}
    pages |= {url: page(f"侨务{text(url)[:6]}", text(url)) for url in (*SLOW, *ARTICLES)}
    web = SlowWeb(pages)
    crawl_small(
        web,
        [HUB],
        TOPICCRAWL_STRATEGY="breadth-first",
        TOPICCRAWL_MAX_PAGES=1 + len(ARTICLES) + requests,
        CONCURRENT_REQUESTS=requests,
    )
    assert {*ARTICLES} <= {*web.asked}
