"""A site that answers under several names, for printing and for phones, beside hosts that look like mirrors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import SmallWeb, page, response
from tests.support.trap_web import article

WWW = "https://www.qiao.example"
#: Origins of one site: all pages of WWW, those for phones with another menu.
MIRRORS = (WWW, "http://www.qiao.example", "http://qiao.example", "http://m.qiao.example")
ARTICLES = 60
#: Articles on a list, and numbers of the first.
_LISTED = 20
_FIRST = 20260100


def number_of(url: str) -> int | None:
    """The number of an article's address, ``None`` for others."""
    found = re.search(r"/(?:hr|print|wap)/(\d+)", url)
    return None if found is None else int(found[1]) - _FIRST


@dataclass
class MirrorWeb(SmallWeb):
    """Answers of *origins*; each page links to the same pages of *linked* origins in turn.

    *text* is the text of an article on an origin, ``None`` where there is none.
    """

    pages: dict[str, bytes] = field(default_factory=dict)
    origins: Sequence[str] = MIRRORS
    text: Callable[[str, int], str | None] = lambda origin, number: article(number)
    variants: Sequence[str] = ()
    """Further addresses of each article: ``/print/{}.html``."""

    def answer(self, request: Request) -> Response:
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.origins or parts.path == "/robots.txt":
            return super().answer(request)
        self.asked.append(request.url)
        body = self._body(origin, parts.path, number_of(request.url))
        return response(request.url, body, status=200 if body else 404)

    def _body(self, origin: str, path: str, number: int | None) -> bytes:
        phone = "<p>手机版 客户端下载</p>" if "//m." in origin else "<p>首页 新闻 电脑版</p>"
        if number is not None:
            text = self.text(origin, number) if 0 <= number < ARTICLES else None
            head = f"第{number}号侨务新闻"
            menu = "" if path.startswith(("/print", "/wap")) else phone + self._links(number)
            return page(head, "</p><p>".join((head, text)), menu) if text else b""
        start = int(re.sub(r"\D", "", path) or 0) * _LISTED
        lists = "".join(
            f'<a href="{o}/list{i}.html">第{i}页</a>' for o in self.origins for i in range(3)
        )
        items = "".join(self._links(n) for n in range(start, min(start + _LISTED, ARTICLES)))
        return page("侨务新闻列表", "", f"{phone}<ul>{items}</ul>{lists}")

    def _links(self, number: int) -> str:
        paths = (f"/hr/{_FIRST + number}.html", *(v.format(_FIRST + number) for v in self.variants))
        return "".join(
            f'<li><a href="{origin}{path}">侨务新闻第{number}号</a></li>'
            for origin in self.origins
            for path in paths
        )

    def articles(self) -> list[str]:
        """The requested articles."""
        return [url for url in self.asked if number_of(url) is not None]
