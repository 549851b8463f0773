"""Special pages: traps, redirects, errors, frames and files that are not HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from topiccrawl.demo.blocks import link_list
from topiccrawl.demo.draws import Draws
from topiccrawl.demo.links import Anchor, Links
from topiccrawl.demo.listed import file_answer, page_html
from topiccrawl.demo.text import compose
from topiccrawl.demo.urls import CHANNEL_STRIDE, Address
from topiccrawl.webserver.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from topiccrawl.demo.atlas import Atlas
    from topiccrawl.demo.pages import Pages

#: Kinds of pages that form an endless series.
TRAPS = frozenset({"calendar", "repeat", "loop"})

#: Nesting depth of ``/deep.html``: far above the recursion limit of recursive parsers.
DEEP_LEVELS = 4000

#: Piece of the huge page: about 16 KiB of Chinese text in UTF-8.
_HUGE_PIECE = ("<p>" + "仓库存货清单逐条列出，供核对使用。" * 300 + "</p>\n").encode()


class Oddities:
    """Responses for everything that is not an ordinary page."""

    def __init__(
        self, atlas: Atlas, links: Links, pages: Pages, *, slow_seconds: float, huge_bytes: int
    ) -> None:
        self._atlas = atlas
        self._links = links
        self._pages = pages
        self._slow_seconds = slow_seconds
        self._huge_bytes = huge_bytes

    def plain(self, at: Address) -> Answer | None:
        """Return the response for kinds without the site's HTML layout, ``None`` for other kinds."""
        if (listed := file_answer(at)) is not None:
            return listed
        match at.kind:
            case "robots":
                return Answer(200, "text/plain", self._robots(at))
            case "sitemap":
                return Answer(200, "application/xml", self._sitemap(at))
            case "loop":
                return Answer(302, location=f"{at.site.root}goto/loop?n={at.number + 1}")
            case "old":
                return Answer(301, location=f"{at.site.root}moved/{at.number}.html")
            case "moved":
                target = self._article(at)
                return Answer(302, location=target) if target else None
            case "binary":
                return Answer(200, "text/html", _binary(self._atlas.seed))
            case "blank":
                return Answer(200, "text/html; charset=utf-8", b"")
            case "error":
                return Answer(500, "text/html; charset=utf-8", "<h1>服务器内部错误</h1>".encode())
            case "huge":
                return self._huge()
            case _:
                return None

    def html(self, at: Address) -> str | None:
        """Return the page for special kinds with the site's HTML layout, ``None`` for other kinds."""
        site, head = at.site, ""
        if (listed := page_html(self._atlas.seed, self._pages, at)) is not None:
            return listed
        match at.kind:
            case "go":
                target = self._article(at)
                if target is None:
                    return None
                head = f'<meta http-equiv="refresh" content="0; url={escape(target)}">'
                title, main = "正在跳转", "<p>正在跳转……</p>"
            case "frames":
                return (
                    f"<html><head>{self._pages.head(site)}<title>{escape(site.name)}</title></head>"
                    '<frameset cols="180,*"><frame src="nav.html" name="nav">'
                    '<frame src="main.html" name="main"></frameset></html>'
                )
            case "frame-nav":
                lists = [
                    Anchor(self._atlas.list_url(site, index), channel.name)
                    for index, channel in enumerate(site.channels)
                ]
                title, main = "导航", link_list(site, lists)
            case "frame-main":
                trips = self._links.topical("qiaoqing", site.region, 4, "frames")
                title, main = "线路推荐", link_list(site, trips)
            case "map":
                title, main = "城市地图", self._map(at)
            case "calendar":
                title, main = "财经日历", _calendar(at)
            case "repeat":
                title, main = "图片频道", '<p>图片加载中</p><a href="photo/">下一组图片</a>'
            case "slow":
                story = compose(self._atlas.seed, "local", f"slow/{site.host}")
                title, main = "全县名录", f"<p>{story.text}</p>"
            case "deep":
                title = "旧版导航"
                main = "<div>" * DEEP_LEVELS + title + "</div>" * DEEP_LEVELS
            case "member" | "search":
                title, main = "会员资料", "<p>请登录后查看</p>"
            case _:
                return None
        return self._pages.frame(at, title + site.tail, main, head)

    def delay_seconds(self, at: Address) -> float:
        """Return the delay in seconds before the server answers."""
        return self._slow_seconds if at.kind == "slow" else 0.0

    def _article(self, at: Address) -> str | None:
        channel, number = divmod(at.number, CHANNEL_STRIDE)
        channels = at.site.channels
        if not 0 < channel <= len(channels) or number >= channels[channel - 1].articles:
            return None
        return self._atlas.article_url(at.site, channel - 1, number)

    def _robots(self, at: Address) -> bytes:
        lines = ["User-agent: *"]
        lines += [f"Disallow: {prefix}" for prefix in at.site.disallow] or ["Disallow:"]
        if "crawl-delay" in at.site.features:
            lines.append("Crawl-delay: 1")
        if "sitemap" in at.site.features:
            lines.append(f"Sitemap: {at.site.root}sitemap.xml")
        if "listed" in at.site.features:
            lines.append(f"Sitemap: {at.site.root}maps/index.xml")
        return ("\n".join(lines) + "\n").encode()

    def _sitemap(self, at: Address) -> bytes:
        site = at.site
        urls = [self._atlas.list_url(site, index) for index in range(len(site.channels))]
        for index, channel in enumerate(site.channels):
            newest = min(50, channel.articles)
            urls += [self._atlas.article_url(site, index, number) for number in range(newest)]
        entries = "".join(f"<url><loc>{escape(url)}</loc></url>\n" for url in urls)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            f"{entries}</urlset>\n"
        ).encode()

    def _map(self, at: Address) -> str:
        region = at.site.region
        areas = []
        for index, key in enumerate(("qiaowang", "yuanfang", "meishi")):
            other = self._atlas.site(region, key)
            box = f"{index * 100},0,{index * 100 + 90},80"
            areas.append(
                f'<area shape="rect" coords="{box}" href="{other.root}" alt="{escape(other.name)}">'
            )
        return (
            '<img src="/images/map.gif" usemap="#city" alt="城市地图"><map name="city">'
            + "".join(areas)
            + "</map>"
        )

    def _huge(self) -> Answer:
        head = b'<html><head><meta charset="utf-8"><title>huge</title></head><body>\n'
        size = self._huge_bytes

        def pieces() -> Iterator[bytes]:
            yield head[:size]
            left = size - len(head)
            while left > 0:
                yield _HUGE_PIECE[:left]
                left -= len(_HUGE_PIECE)

        make: Callable[[], Iterator[bytes]] = pieces
        return Answer(200, "text/html; charset=utf-8", stream=make, streamed_bytes=size)


def _calendar(at: Address) -> str:
    year, month = divmod(at.number, 12)
    days = "".join(f"<td>{day}</td>" for day in range(1, 29))
    links = []
    for text, number in (("上个月", at.number - 1), ("下个月", at.number + 1)):
        if number >= 0:
            links.append(f'<a href="/calendar?y={number // 12}&amp;m={number % 12 + 1}">{text}</a>')
    return f"<h2>{year}年{month + 1}月</h2><table><tr>{days}</tr></table>{' '.join(links)}"


def _binary(seed: int) -> bytes:
    draws = Draws(seed, "binary")
    return b"PK\x03\x04" + bytes(draws.below(256) for _ in range(20_000))
