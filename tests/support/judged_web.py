"""A generated web for the page classifier: pages that name the topic, pages near it, and others."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Final

from benchmarks.known_web import QIAOQING, page_html
from topiccrawl.urls.hosts import host_of
from topiccrawl.webserver.answers import Answer

#: Sentences on 侨情, sentences of the same world without its words, and sentences on something else.
NAMED: Final = QIAOQING[:4]
NEAR: Final = (
    "祠堂里保存着从南洋寄回的银信，族谱记下了每一支的去向。",
    "骑楼老街修缮一新，旅居海外的乡亲捐建了图书馆。",
    "番客带回的洋楼图纸与银信一同展出，乡亲前来观看。",
    "宗亲会馆整理族谱，南洋的后人来信询问祖屋。",
)
OTHER: Final = (
    "主队在下半场连进三球，门将多次扑出险球。",
    "教练赛后说球员的体能令他满意，下一轮客场作战。",
    "球迷在雨中看完比赛，联赛积分榜没有变化。",
    "前锋因伤缺阵，俱乐部宣布租借两名年轻球员。",
)
_FOLDERS: Final = ("qiaoxiang", "laojie", "tiyu")
_TITLES: Final = ("乡土见闻", "老街旧事", "球场快讯")
_TEXTS: Final = (NAMED, NEAR, OTHER)


class JudgedWeb:
    """*pages* pages on three hosts for ``WebServer``, all reachable from the first one, no two alike.

    A sixth of the pages is about the topic in its own words, a sixth is near it, the others are not on
    topic.  Pages link to their kind more often than to others.  After :meth:`pause_after`, all requests
    wait for :meth:`go_on`.
    """

    def __init__(self, pages: int = 150, seed: int = 1) -> None:
        draw = random.Random(seed)
        self.hosts: tuple[str, ...] = tuple(f"www.judged{i}.example" for i in range(3))
        self.kinds = [0 if k == 0 else draw.choice((0, 1, 2, 2, 2, 2)) for k in range(pages)]
        self.urls = tuple(
            f"http://{draw.choice(self.hosts)}/{_FOLDERS[kind]}/{k}.html"
            for k, kind in enumerate(self.kinds)
        )
        self._number = {url: k for k, url in enumerate(self.urls)}
        alike = [[k for k, other in enumerate(self.kinds) if other == kind] for kind in range(3)]
        self._links = [
            [c for c in (2 * k + 1, 2 * k + 2) if c < pages]
            + [draw.choice(alike[kind]) for _ in range(4)]
            + [draw.randrange(pages)]
            for k, kind in enumerate(self.kinds)
        ]
        self.fetched: list[str] = []
        self.waiting, self._going_on = threading.Event(), threading.Event()
        self._pause_after = pages + 1

    @property
    def seeds(self) -> Sequence[str]:
        """The page from which all others can be reached."""
        return self.urls[:1]

    def pause_after(self, pages: int) -> None:
        """Answer nothing after *pages* answers; ``waiting`` is set when the next request waits."""
        self._pause_after = pages
        self.waiting.clear()
        self._going_on.clear()

    def go_on(self) -> None:
        """Answer all requests again."""
        self._pause_after = len(self.urls) + 1
        self._going_on.set()

    def answer(self, target: str, attempt: int = 1) -> Answer | None:
        """Answer a request; return ``None`` for an unknown host."""
        if host_of(target) not in self.hosts:
            return None
        if target.endswith("/robots.txt"):
            return Answer(200, "text/plain; charset=utf-8", b"User-agent: *\nDisallow:\n")
        if len(self.fetched) >= self._pause_after:
            self.waiting.set()
            self._going_on.wait(60)
        number = self._number.get(target)
        if number is None:
            return Answer(404, "text/html; charset=utf-8", b"<h1>404</h1>")
        self.fetched.append(target)
        return Answer(200, "text/html; charset=utf-8", self._html(number).encode())

    @staticmethod
    def _sentences(draw: random.Random, kind: int, named: float) -> list[str]:
        return [draw.choice(NAMED if draw.random() < named else _TEXTS[kind]) for _ in range(3)]

    def _html(self, number: int) -> str:
        draw = random.Random(number)
        kind = self.kinds[number]
        title = f"{_TITLES[kind]}第{number}篇"
        # From all in words of the topic to none, so that there are doubtful pages.
        named = draw.random() * (1.0, 0.6, 0.2)[kind]
        paragraphs = [
            f"{''.join(self._sentences(draw, kind, named))}本文编号{number}之{part}。"
            for part in range(4)
        ]
        links = [(self.urls[k], f"{_TITLES[self.kinds[k]]}第{k}篇") for k in self._links[number]]
        return page_html(title, paragraphs, links)
