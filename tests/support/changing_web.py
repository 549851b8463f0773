"""A small site whose pages change between two runs, and runs at a time that a test sets."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallCrawl, crawl_small, response
from tests.support.stored import from_store
from topiccrawl.frontier.factory import OpenFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.spiders.refresh import RefreshSpider
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.store.contract import OutcomeRecord, PageRecord, VersionRecord, VisitRecord

HOUR = 3600.0
DAY = 24 * HOUR
#: A Sunday in June 2025.
START = 1_750_000_000.0
SITE = "http://www.qiaolian.example/"

#: When the last run began: by its own clock, and by the real one, at whose pace its own goes on (a host that rests
#: would rest forever if time stood still).
_began = [START, time.monotonic()]

#: Sentences of which bodies are made: each article has some of its own.
_SENTENCES = (
    "市侨联昨日召开座谈会，归侨侨眷代表围绕华文教育和侨乡建设提出了许多意见。",
    "海外侨团负责人表示，将继续组织华裔青少年回乡寻根，参加夏令营。",
    "会议介绍了今年引进侨资的情况，华侨华人投资的项目已有十二个开工。",
    "侨务部门向困难归侨发放了慰问金，并了解他们的住房和医疗情况。",
    "华侨农场的老归侨讲述了当年回国的经历，年轻人听得入神。",
    "侨批档案馆新收到一批民国时期的侨批，内容涉及家用、婚嫁和办学。",
    "侨商联合会捐资修建的侨心小学本月落成，首批学生三百余人。",
    "涉侨法律顾问团为侨胞解答了房产继承和回国定居方面的问题。",
)


def open_at_set_time(
    topic: str, limits: Any, config: Any, connect: Any, *, fresh: bool
) -> OpenFrontier:
    """Open an SQLite frontier whose clock the test has set; a value of TOPICCRAWL_FRONTIER_BACKEND."""
    frontier = SQLiteFrontier(Path(config.frontier_dir) / "changing.frontier", limits)
    return OpenFrontier(frontier, clock=lambda: _began[0] + time.monotonic() - _began[1])


def sentences(number: int, count: int = 4) -> str:
    """A body on the topic: texts of different numbers differ."""
    chosen = [
        _SENTENCES[(number * 3 + i * (1 + number % 5)) % len(_SENTENCES)] for i in range(count)
    ]
    return "".join(f"第{number}组{i}号：{text}" for i, text in enumerate(chosen)) + ON_TOPIC


@dataclass
class Article:
    """An article of the site."""

    title: str
    body: str
    counter: int = 0
    status: int = 200
    location: str = ""
    raw: bytes = b""
    """What is sent instead, if not empty."""
    pager: str = ""
    """Links to the other pages of the article."""


@dataclass
class ChangingSite:
    """A front page with the newest articles, and the articles; 304 where nothing has changed.

    With *rotating*, navigation and advertisements differ at each answer.
    """

    articles: dict[str, Article] = field(default_factory=dict)
    shown: int = 6
    rotating: bool = False
    etags: bool = True
    truthful: bool = True
    asked: list[str] = field(default_factory=list)
    conditional: list[str] = field(default_factory=list)
    robots: bytes = b"User-agent: *\nAllow: /\n"
    unlisted: set[str] = field(default_factory=set)
    """Articles that the front page does not show."""
    _answers: int = 0

    def publish(self, number: int) -> str:
        """Add an article at the top of the front page; return its URL."""
        url = f"{SITE}news/{number}.html"
        self.articles[url] = Article(f"侨联动态第{number}期：归侨侨眷座谈会召开", sentences(number))
        return url

    def publish_parts(self, number: int, parts: int) -> list[str]:
        """Add an article on several pages at the top of the front page; return their URLs."""
        first = self.publish(number)
        title = self.articles[first].title
        urls = [first, *(first.replace(".html", f"_{part}.html") for part in range(2, parts + 1))]
        links = [f'<a href="{url}">{part}</a>' for part, url in enumerate(urls, start=1)]
        for part, url in enumerate(urls, start=1):
            following = f'<a href="{urls[part]}">下一页</a>' if part < parts else ""
            pager = "<div>" + " ".join([*links[: part - 1], *links[part:], following]) + "</div>"
            self.articles[url] = Article(title, sentences(10 * number + part), pager=pager)
            self.unlisted.update(urls[1:])
        return urls

    async def wait(self, request: Request) -> None:
        """Take the time of an answer: none."""
        await asyncio.sleep(0)

    def answer(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return response(request.url, self.robots, content_type="text/plain")
        self.asked.append(request.url)
        self._answers += 1
        if b"If-None-Match" in request.headers:
            self.conditional.append(request.url)
        if request.url == SITE:
            listed = [it for it in self.articles.items() if it[0] not in self.unlisted]
            newest = listed[-self.shown :][::-1]
            entries = "".join(f'<li><a href="{url}">{it.title}</a></li>' for url, it in newest)
            return response(request.url, self._page("市侨联", f"<ul>{entries}</ul>"))
        article = self.articles.get(request.url)
        if article is None:
            return response(request.url, b"<h1>404</h1>", status=404)
        if article.location:
            return response(request.url, status=302, Location=article.location)
        if article.status != 200:
            return response(request.url, b"<h1>sorry</h1>", status=article.status)
        if article.raw:
            return response(request.url, article.raw)
        stated = article.body if self.truthful else "always the same"
        etag = f'"{hashlib.md5(stated.encode()).hexdigest()}"'
        headers = {"ETag": etag} if self.etags else {}
        if self.etags and request.headers.get(b"If-None-Match") == etag.encode():
            return response(request.url, status=304, **headers)
        article.counter += 7
        main = (
            f"<h1>{article.title}</h1><p>来源：市侨联　阅读：{article.counter} 次</p>"
            f"<div class=content><p>{article.body}</p></div>{article.pager}"
        )
        return response(request.url, self._page(article.title, main), **headers)

    def _page(self, title: str, main: str) -> bytes:
        n = self._answers if self.rotating else 0
        nav = "".join(
            f'<a href="{SITE}channel/{(n + i) % 9}.html">栏目{(n + i) % 9}</a> ' for i in range(5)
        )
        today = f"今天是2025年6月{1 + n % 28}日" if self.rotating else ""
        advert = f'<div class="ad"><a href="http://ad.example/{n}">广告{n}：夏季优惠</a></div>'
        return (
            f"<html><head><meta charset=utf-8><title>{title}</title></head><body>"
            f'<div class="nav">{nav}</div><div class="date">{today}</div>{main}'
            f'{advert if self.rotating else ""}<div class="footer">版权所有 市侨联</div></body></html>'
        ).encode()


@dataclass
class Runs:
    """Runs of one topic on one site, with a store and a queue in *folder*."""

    folder: Path
    site: ChangingSite
    now: float = START
    topic: str = "侨情"
    """The topic's name, or a folder with its seeds."""

    @property
    def uri(self) -> str:
        return f"sqlite:///{self.folder}/pages.db"

    def crawl(self, probe: Callable[[Any], None] | None = None, **settings: Any) -> SmallCrawl:
        """Crawl from the front page, or from the seeds of the topic's folder."""
        return self._run(TopicSpider, probe, settings)

    def refresh(self, probe: Callable[[Any], None] | None = None, **settings: Any) -> SmallCrawl:
        """Visit what is stored again."""
        return self._run(RefreshSpider, probe, settings)

    def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    def _run(self, spider: Any, probe: Any, settings: dict[str, Any]) -> SmallCrawl:
        _began[:] = self.now, time.monotonic()
        self.site.asked.clear()
        self.site.conditional.clear()
        given = {
            "TOPICCRAWL_STORE_URI": self.uri,
            "TOPICCRAWL_FRONTIER_BACKEND": "tests.support.changing_web.open_at_set_time",
            "TOPICCRAWL_FRONTIER_DIR": str(self.folder),
            "TOPICCRAWL_STORE_SPOOL_DIR": str(self.folder / "spool"),
            "TOPICCRAWL_RESEED": False,
            "TOPICCRAWL_DUPLICATES": "off",
            "RETRY_ENABLED": False,
            **settings,
        }
        seeds = [] if "/" in self.topic else [SITE]
        return crawl_small(
            self.site,  # type: ignore[arg-type]
            seeds,
            topic=self.topic,
            spider=spider,
            probe=probe,
            **given,
        )

    def page(self, url: str) -> PageRecord | None:
        return from_store(self.uri, lambda store: store.page("侨情", url))

    def visit(self, url: str) -> VisitRecord | None:
        return from_store(self.uri, lambda store: store.visit("侨情", url))

    def versions(self, url: str) -> list[VersionRecord]:
        return list(from_store(self.uri, lambda store: store.versions("侨情", url)))

    def outcome(self, url: str) -> OutcomeRecord | None:
        return from_store(self.uri, lambda store: store.outcome("侨情", url))
