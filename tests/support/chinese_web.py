"""A small Chinese web with GBK and UTF-16 pages, a redirect and a page with 800 links."""

from __future__ import annotations

from collections.abc import Iterable

from topiccrawl.evaluation.webs.topics_file import Topics
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic

HOME = "http://a.example/"
#: Encoded in GBK, which neither the header nor a meta element declares.
GBK = "http://gbk.example/新闻.html".replace("新闻", "%E6%96%B0%E9%97%BB")
WIDE = "http://wide.example/"
OLD = "http://a.example/old"
MANY = "http://many.example/"

ON_TOPIC = "归国华侨在家乡投资办厂，侨胞与侨眷参加座谈会，侨联工作人员介绍侨务政策。" * 6
OFF_TOPIC = "球队昨晚在主场赢得比赛，教练在赛后称赞年轻队员的表现，球迷久久不愿离去。" * 6


def html(title: str, text: str, links: Iterable[tuple[str, str]]) -> str:
    anchors = "".join(f'<li><a href="{url}">{name}</a></li>' for url, name in links)
    return f"<html><head><title>{title}</title></head><body><p>{text}</p><ul>{anchors}</ul></body></html>"


def leaf(number: int) -> str:
    return f"http://many.example/{number}.html"


def small_pages(leaves: int = 0) -> list[StoredPage]:
    """A home page, undeclared GBK, UTF-16, a redirect, and a page with 800 links, *leaves* stored."""
    home = html(
        "首页",
        OFF_TOPIC,
        [("https://GBK.example/新闻.html#top", "侨情"), ("/old", "旧闻"), ("gone.html", "无"),
         (MANY, "目录"), (WIDE, "宽")],
    )  # fmt: skip
    gbk = html("侨情新闻", ON_TOPIC, [(HOME, "首页"), ("下一页.html", "下一页")])
    many = html("目录", OFF_TOPIC, [(f"/{i}.html", f"第{i}篇") for i in range(800)])
    return [
        StoredPage(HOME, home.encode(), "text/html; charset=utf-8"),
        StoredPage(GBK, gbk.encode("gbk")),
        StoredPage(WIDE, html("宽", ON_TOPIC, [(HOME, "首页"), ("/x", "无")]).encode("utf-16")),
        StoredPage(OLD, b"moved", "text/plain", 301, GBK),
        StoredPage(MANY, many.encode(), "text/html; charset=utf-8"),
        *(StoredPage(leaf(i), html(f"第{i}篇", ON_TOPIC, []).encode()) for i in range(leaves)),
    ]


def small_topics(leaves: int = 0) -> Topics:
    relevant = frozenset({GBK, *map(leaf, range(leaves))})
    topic = WebTopic(
        "侨情",
        ("华侨", "侨胞", "侨务"),
        (GBK,),
        {"near": (GBK,), "far": (HOME,)},
        relevant,
        "侨务新闻",
    )
    return Topics("zh", (topic,))
