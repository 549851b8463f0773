"""Crawls of hosts that block, and of pages that are not content: nothing of it is stored or lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

import topiccrawl.extensions.blocks
from tests.support.small_web import (
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)
from topiccrawl.urls.identity import link_id

HOST = "http://www.qiao.example"
OTHER = "http://www.kuan.example"
PAGES = 12
CAPTCHA = "<title>安全验证</title><p>您的访问过于频繁，请拖动滑块完成验证后继续访问</p>".encode()
QUICK: dict[str, Any] = {
    "TOPICCRAWL_BLOCKED_REST_SECONDS": 0.02,
    "TOPICCRAWL_BLOCKED_DELAY_SECONDS": 0,
    "TOPICCRAWL_RETRY_DELAY_SECONDS": 0,
}


def article(number: int) -> bytes:
    title = f"侨乡新闻第{number}号"
    return page(title, f"{title}。{ON_TOPIC}" * 3)


def site(**special: bytes) -> dict[str, Any]:
    urls = {f"{HOST}/news/{n}.html": article(n) for n in range(PAGES)}
    more = {f"{HOST}/{name}.html": body for name, body in special.items()}
    links = "".join(link(url, f"侨乡报道{n}") for n, url in enumerate([*urls, *more]))
    return {f"{HOST}/": page("侨乡", ON_TOPIC, links), **urls, **more}


def blocking(
    pages: dict[str, Any], answer: Callable[[str], Response], after: int, times: int
) -> SmallWeb:
    """Answer *times* requests with *answer* after each *after* pages."""
    count = {"good": 0, "blocked": 0}
    web = SmallWeb({})

    def serve(url: str, body: bytes) -> Callable[[Request], Response]:
        def serve_one(request: Request) -> Response:
            if count["good"] and count["good"] % after == 0 and count["blocked"] < times:
                count["blocked"] += 1
                return answer(url)
            count["good"] += 1
            count["blocked"] = 0
            return response(url, body)

        return serve_one

    web.pages = {url: serve(url, body) for url, body in pages.items()}
    return web


def stored(crawl: SmallCrawl) -> set[str]:
    return {item.url for item in crawl.items}


ANSWERS: dict[str, Callable[[str], Response]] = {
    "captcha": lambda url: response(url, CAPTCHA),
    "403": lambda url: response(url, b"<h1>403 Forbidden</h1>", status=403),
    "403 without a page": lambda url: response(url, b"", status=403),
    "429": lambda url: response(url, b"Too Many Requests", status=429),
    "503 with a page": lambda url: response(
        url, "<title>访问被拦截</title><p>您的访问过于频繁，已被拦截</p>".encode(), status=503
    ),
}


@pytest.mark.parametrize("times", [1, 2, 4])
@pytest.mark.parametrize("name", ANSWERS)
def test_a_host_that_blocks_for_a_while_gives_all_its_pages_in_the_end(
    name: str, times: int
) -> None:
    web = blocking(site(), ANSWERS[name], after=5, times=times)
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK)
    assert stored(crawl) >= {f"{HOST}/news/{n}.html" for n in range(PAGES)}
    assert all("验证" not in item.title for item in crawl.items)


def test_forbidden_pages_of_a_host_that_gives_others_are_given_up_without_a_rest() -> None:
    pages = site(**{f"secret{n}": b"" for n in range(30)})
    for n in range(30):
        url = f"{HOST}/secret{n}.html"
        pages[url] = response(url, b"<h1>403 Forbidden</h1>", status=403)
    web = SmallWeb(pages)
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK | {"TOPICCRAWL_BLOCKED_REST_SECONDS": 3600})
    assert stored(crawl) >= {f"{HOST}/news/{n}.html" for n in range(PAGES)}
    assert "topiccrawl/blocked/rests" not in crawl.stats
    assert len(web.asked) < PAGES + 30 + 12


SOFT = "抱歉，您访问的页面不存在或已被删除，5秒后返回首页"
NO_CONTENT = {
    "gone": page("提示信息", SOFT),
    "login": page("提示", "请登录后查看"),
    "app": b"<html><head><title>app</title></head><body><div id=app></div><script src=a.js></script>",
}


def test_pages_that_are_not_content_are_dropped_with_their_kind_and_teach_nothing() -> None:
    crawl = crawl_small(SmallWeb(site(**NO_CONTENT)), [f"{HOST}/"], **QUICK)
    kinds = {"gone": "soft-404", "login": "login", "app": "shell"}
    for name, kind in kinds.items():
        assert crawl.dropped[f"{HOST}/{name}.html"] == kind
        assert crawl.run.judging.classifier.judgment(link_id(f"{HOST}/{name}.html")) is None
    assert stored(crawl) >= {f"{HOST}/news/{n}.html" for n in range(PAGES)}
    assert crawl.run.control.blocked == ""


def test_links_of_an_error_page_are_not_followed_those_of_a_frameset_are() -> None:
    pages = site(
        gone=page("404", "您访问的页面不存在" + link(f"{HOST}/never.html", "热门文章")),
        frames=f"<frameset><frame src='{HOST}/framed.html'></frameset>".encode(),
    )
    pages[f"{HOST}/framed.html"] = article(99)
    web = SmallWeb(pages)
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK)
    assert f"{HOST}/never.html" not in web.asked
    assert f"{HOST}/framed.html" in stored(crawl)


def test_frames_come_before_links_of_the_score_of_their_page() -> None:
    urls = [f"{HOST}/frames.html", *(f"{HOST}/news/{n}.html" for n in range(3))]
    pages = {url: article(n) for n, url in enumerate(urls)} | {
        f"{HOST}/": page("侨乡", ON_TOPIC, "".join(link(url, "侨乡报道") for url in urls)),
        urls[0]: f"<frameset><frame src='{HOST}/framed.html'></frameset>".encode(),
        f"{HOST}/framed.html": article(99),
    }
    web = SmallWeb(pages)
    crawl_small(web, [f"{HOST}/"], TOPICCRAWL_STRATEGY="breadth-first", **QUICK)
    assert web.asked == [f"{HOST}/", urls[0], f"{HOST}/framed.html", *urls[1:]]


def test_a_text_that_answers_for_every_address_of_a_host_is_a_soft_404() -> None:
    pages = site()
    same = page("侨乡网", ON_TOPIC * 3)
    names = "甲乙丙丁戊己庚辛"
    links = "".join(
        link(f"{HOST}/old/{n}.html", f"旧闻{name}的报道") for n, name in enumerate(names)
    )
    pages[f"{HOST}/"] = page("侨乡", ON_TOPIC, links)
    pages |= {f"{HOST}/old/{n}.html": same for n in range(len(names))}
    crawl = crawl_small(SmallWeb(pages), [f"{HOST}/"], **QUICK)
    assert list(crawl.dropped.values()).count("soft-404") == len(names) - 2


def test_a_crawl_whose_host_blocks_to_the_end_reports_it_and_keeps_its_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(topiccrawl.extensions.blocks, "LOOK_SECONDS", 0.02)
    web = blocking(site(), ANSWERS["captcha"], after=4, times=10_000)
    waits = {"TOPICCRAWL_BLOCKED_WAIT_SECONDS": 0, "TOPICCRAWL_BLOCKED_REST_SECONDS": 3600}
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK | waits)
    assert "1 of 1 hosts" in crawl.run.control.blocked
    assert crawl.stats["topiccrawl/blocked/rests"] == 1
    assert len(crawl.items) == 4
    assert all("验证" not in item.title for item in crawl.items)
    assert crawl.stats["topiccrawl/blocked/waiting"] == PAGES + 1 - 4


def test_the_links_of_a_blocking_host_wait_while_others_are_crawled() -> None:
    pages = blocking(site(), ANSWERS["captcha"], after=3, times=3).pages
    others = {f"{OTHER}/{n}.html": article(50 + n) for n in range(6)}
    home = page("侨眷", ON_TOPIC, "".join(link(url, "侨眷消息") for url in others))
    web = SmallWeb({**pages, **others, f"{OTHER}/": home})
    crawl = crawl_small(web, [f"{HOST}/", f"{OTHER}/"], **QUICK)
    assert stored(crawl) >= others.keys() | {f"{HOST}/news/{n}.html" for n in range(PAGES)}
    assert crawl.run.control.blocked == ""


FARM = "http://www.farm.example"
WORDS = (
    "华侨 华人 侨务 侨联 归侨 侨眷 侨乡 侨胞 侨商 侨领 侨团 华文 侨批 寻根 论坛 政策 服务 会议 座谈 活动 文化 "
    "经济 合作 发展 交流 代表 联谊 捐赠 家乡 世界 中国 海外"
)


def soup(number: int) -> bytes:
    rng = Random(number)
    words = re.findall(r"\S+", WORDS)
    text = "".join(
        f"{''.join(rng.choices(words, k=8))}，{''.join(rng.choices(words, k=6))}。"
        for _ in range(20)
    )
    links = "".join(
        link(f"{FARM}/{rng.randrange(10_000)}.html", "华侨华人侨务侨联") for _ in range(5)
    )
    return page("_".join(rng.sample(words, 5)), text, links)


def farm(soups: int) -> dict[str, Any]:
    """Good pages behind plain anchors, and soups behind anchors that are full of keywords."""
    pages = {f"{HOST}/news/{n}.html": article(n) for n in range(PAGES)}
    made = {f"{FARM}/{n}.html": soup(n) for n in range(soups)}
    links = "".join(link(url, "华侨华人侨务侨联归侨侨眷") for url in made)
    links += "".join(link(url, f"第{n}号") for n, url in enumerate(pages))
    return {f"{HOST}/": page("侨乡", ON_TOPIC, links), **pages, **made}


def test_pages_stuffed_with_keywords_are_dropped_teach_nothing_and_lead_nowhere() -> None:
    web = SmallWeb(farm(8))
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK)
    soups = {f"{FARM}/{n}.html" for n in range(8)}
    assert {crawl.dropped.get(url) for url in soups} == {"stuffing"}
    assert all(crawl.run.judging.classifier.judgment(link_id(url)) is None for url in soups)
    assert stored(crawl) >= {f"{HOST}/news/{n}.html" for n in range(PAGES)}
    assert {url for url in web.asked if url.startswith(FARM)} == soups
    assert crawl.stats["topiccrawl/not_content/stuffing"] == 8


def test_links_to_a_farm_of_stuffed_pages_fall_behind() -> None:
    web = SmallWeb(farm(80))
    crawl = crawl_small(web, [f"{HOST}/"], **QUICK | {"TOPICCRAWL_STRATEGY": "shark-search"})
    last = max(web.asked.index(f"{HOST}/news/{n}.html") for n in range(PAGES))
    behind = [url for url in web.asked[last:] if url.startswith(FARM)]
    assert len(behind) > 20
    assert stored(crawl) >= {f"{HOST}/news/{n}.html" for n in range(PAGES)}
