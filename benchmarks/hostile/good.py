"""A good site: pages on the topic, each with a title and a text that no other page has."""

from __future__ import annotations

import random
from typing import Final

from benchmarks.hostile.behavior import Asked
from benchmarks.known_web import QIAOQING, page_html

#: Places of the texts; no page of a behavior has them.
PLACES: Final = (
    "厦门", "泉州", "梅州", "江门", "汕头", "福清", "青田", "文昌", "台山", "开平", "晋江", "潮州",
    "温州", "海口", "南宁", "昆明", "顺德", "中山", "惠安", "永春",
)  # fmt: skip
#: Events of the texts.
EVENTS: Final = (
    "归侨口述史首发", "侨批档案展开幕", "华文教师培训班结业", "侨商投资恳谈会", "寻根夏令营开营",
    "侨捐学校落成", "侨联换届大会", "侨法宣传月启动", "海外侨团来访", "侨乡古厝修缮",
)  # fmt: skip


class GoodSite:
    """*pages* pages on *hosts* hosts, each on an address of its own."""

    def __init__(self, pages: int = 200, hosts: int = 10) -> None:
        self.pages = pages
        self.hosts = [f"www.good{number}.example" for number in range(hosts)]
        self.addresses = [f"127.67.0.{number + 1}" for number in range(hosts)]

    def urls(self, port: int) -> list[str]:
        """Return the URLs of all pages."""
        return [self._url(number, port) for number in range(self.pages)]

    def page(self, asked: Asked) -> bytes:
        """Return the HTML of a page; nothing if there is none."""
        name = asked.path.removeprefix("/news/").removesuffix(".html")
        if not name.isdigit() or not 0 <= int(name) < self.pages:
            return b""
        return self._html(int(name), asked.port).encode()

    def _url(self, number: int, port: int) -> str:
        return f"http://{self.hosts[number % len(self.hosts)]}:{port}/news/{number}.html"

    def _html(self, number: int, port: int) -> str:
        draw = random.Random(number)
        # Drawn characters: similar titles would be duplicates, which a crawl may drop.
        title = "".join(chr(draw.randrange(0x4E00, 0x9FA5)) for _ in range(8))
        place, event = draw.choice(PLACES), draw.choice(EVENTS)
        people = [
            "".join(draw.sample("王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗", 3)) for _ in range(8)
        ]
        paragraphs = [
            f"{place}{event}，{person}出席并讲话。{''.join(draw.sample(QIAOQING, 2))}{person}说，"
            f"{place}的{draw.choice(EVENTS)}已经准备了{draw.randrange(2, 99)}个月。"
            for person in people
        ]
        links = [(self._url(draw.randrange(self.pages), port), "侨务新闻") for _ in range(8)]
        return page_html(f"侨务{title}", paragraphs, links)
