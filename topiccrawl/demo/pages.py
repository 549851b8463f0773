"""The HTML of ordinary pages: home, lists, articles, tunnels, directory."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from topiccrawl.demo.blocks import clock, href, link, link_list, paragraphs, skeleton
from topiccrawl.demo.links import Anchor, Links
from topiccrawl.demo.text import compose
from topiccrawl.demo.urls import Address, published

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.demo.atlas import Atlas, Tunnel
    from topiccrawl.demo.sites import Site

#: Newest articles per channel on a home page.
NEWEST_ON_HOME = 6

#: Closing line of every article on the site with the feature ``rare-characters``: one character
#: has four bytes in GB18030, others are in GBK but not in GB2312.
RARE_LINE = "编后：村名“㙟”与店号“喆堃”均依碑文原字，镕铸年代待考。"


class Pages:
    """Renders pages as text, before encoding."""

    def __init__(self, atlas: Atlas, links: Links) -> None:
        self._atlas = atlas
        self._links = links
        self._nav = lru_cache(256)(self._make_nav)
        self._footer = lru_cache(256)(self._make_footer)

    def home(self, at: Address) -> str:
        """Render a home page: the newest of each channel, special pages, tunnels, friends."""
        site = at.site
        if "directory" in site.features:
            return self._hub(site)
        parts = []
        for index, channel in enumerate(site.channels):
            count = min(NEWEST_ON_HOME, channel.articles)
            newest = [self._links.article(site, index, number, "home") for number in range(count)]
            name = Anchor(self._atlas.list_url(site, index), channel.name)
            parts.append(f"<h2>{link(site, name)}</h2>\n{link_list(site, newest)}")
        extra = self._links.oddities(site) + self._links.tunnel_entrances(site)
        if extra:
            parts.append(f"<h3>专题与服务</h3>\n{link_list(site, extra)}")
        return self.frame(at, f"{site.name}", "\n".join(parts), crumbs=escape(site.name))

    def listing(self, at: Address) -> str:
        """Render one page of a channel's list with links to the previous and next one."""
        site, channel = at.site, at.site.channels[at.channel]
        listed = self._links.listed(site, at.channel, at.number)
        days = [f"{published(site, at.channel, number):%Y-%m-%d}" for number, _ in listed]
        main = link_list(site, [anchor for _, anchor in listed], days)
        around = {"上一页": at.number - 1, "下一页": at.number + 1}
        pager = [
            Anchor(self._atlas.list_url(site, at.channel, number), text)
            for text, number in around.items()
            if 0 <= number < channel.lists
        ]
        main += '\n<div class="page">' + " ".join(link(site, anchor) for anchor in pager) + "</div>"
        title = channel.name + (f" 第{at.number + 1}页" if at.number else "") + site.tail
        return self.frame(at, title, f"<h2>{escape(channel.name)}</h2>\n{main}")

    def article(self, at: Address) -> str:
        """Render an article in the layout of its site."""
        site = at.site
        story = self._atlas.story(site, at.channel, at.number)
        origin = self._atlas.origin(site, at.channel, at.number)
        texts = self.article_texts(at)
        main = skeleton(f"{site.layout}.article").substitute(
            heading=escape(story.title, quote=False),
            time=clock(site, published(site, at.channel, at.number)),
            source=link(site, Anchor(origin.root, origin.name)),
            content=paragraphs(site, texts),
            related=link_list(site, self._links.related(at)),
        )
        return self.frame(at, story.title + site.tail, main, self._canonical(at))

    def article_texts(self, at: Address) -> tuple[str, ...]:
        """Return the body paragraphs of an article on its site, in simplified characters."""
        texts = self._atlas.story(at.site, at.channel, at.number).paragraphs
        origin = self._atlas.origin(at.site, at.channel, at.number)
        if origin is not at.site:
            texts = (f"【{at.site.name}转载】{texts[0]}", *texts[1:])
        return (*texts, RARE_LINE) if "rare-characters" in at.site.features else texts

    def tunnel(self, at: Address, tunnel: Tunnel) -> str:
        """Render one page of a tunnel; only the links of the last one are on the topic."""
        site = at.site
        story = compose(self._atlas.seed, "local", f"tunnel/{site.host}/{at.number}/{at.step}")
        if at.step < tunnel.length:
            following = f"http://{site.host}/zt/{at.number}/{at.step + 1}.html"
            onward = [Anchor(following, "继续阅读")]
        else:
            shown = min(3, tunnel.target.channels[tunnel.channel].articles)
            onward = [
                Anchor(self._atlas.list_url(tunnel.target, tunnel.channel), tunnel.target.name),
                *(
                    self._links.article(tunnel.target, tunnel.channel, number, "tunnel")
                    for number in range(shown)
                ),
            ]
        main = (
            f"<h1>{escape(story.title)}</h1>\n{paragraphs(site, story.paragraphs)}\n"
            f"<h3>更多</h3>\n{link_list(site, onward)}"
        )
        return self.frame(at, story.title + site.tail, main)

    def directory(self, at: Address) -> str:
        """Render one category of the hub, a list of site names."""
        name, sites = list(self._links.directory(at.site))[at.number - 1]
        anchors = [Anchor(site.root, site.name) for site in sites]
        main = f"<h2>{name}</h2>\n{link_list(at.site, anchors)}"
        return self.frame(at, name + at.site.tail, main)

    def frame(self, at: Address, title: str, main: str, head: str = "", crumbs: str = "") -> str:
        """Render *main* in the site's template with navigation, popular articles and footer."""
        site = at.site
        return skeleton(site.layout).substitute(
            head=self.head(site, head),
            title=escape(title, quote=False),
            site=escape(site.name),
            host=site.host,
            root=href(site, site.root),
            nav=self._nav(site),
            crumbs=crumbs or self._crumbs(at),
            main=main,
            hot_title="热门排行" if at.number % 2 else "热点推荐",
            hot=link_list(site, self._links.hot(at)),
            footer=self._footer(site),
        )

    def head(self, site: Site, more: str = "") -> str:
        """Return the beginning of ``<head>``: declared charset, base and *more*."""
        lines = []
        if site.meta and site.layout in ("modern", "minified", "english"):
            lines.append(f'<meta charset="{site.meta}">')
        elif site.meta:
            lines.append(
                f'<meta http-equiv="Content-Type" content="text/html; charset={site.meta}" />'
            )
        if "base" in site.features:
            lines.append(f'<base href="{site.root}">')
        if more:
            lines.append(more)
        return "\n".join(lines)

    def _hub(self, site: Site) -> str:
        categories = [
            Anchor(f"{site.root}dir/{index}.html", name)
            for index, (name, _) in enumerate(self._links.directory(site), start=1)
        ]
        main = f"<h2>分类目录</h2>\n{link_list(site, categories + self._links.regions(site))}"
        return self.frame(Address(site, "home"), site.name, main, crumbs=escape(site.name))

    def _canonical(self, at: Address) -> str:
        url = self._atlas.article_url(at.site, at.channel, at.number)
        if at.site.layout in ("forum", "modern"):
            return f'<link rel="canonical" href="{escape(url)}">'
        return ""

    def _crumbs(self, at: Address) -> str:
        site = at.site
        trail = [Anchor(site.root, "Home" if site.layout == "english" else "首页")]
        if at.kind in ("article", "list"):
            name = site.channels[at.channel].name
            trail.append(Anchor(self._atlas.list_url(site, at.channel), name))
        last = "正文" if at.kind == "article" and site.layout != "english" else ""
        return " &gt; ".join([link(site, anchor) for anchor in trail] + ([last] if last else []))

    def _make_nav(self, site: Site) -> str:
        anchors = [Anchor(site.root, "Home" if site.layout == "english" else "首页")]
        anchors += [
            Anchor(self._atlas.list_url(site, index), channel.name)
            for index, channel in enumerate(site.channels)
        ]
        return _joined(site, anchors)

    def _make_footer(self, site: Site) -> str:
        friends = _joined(site, self._links.friends(site))
        if site.layout == "english":
            return (
                f"Copyright 2012-2024 {escape(site.name)}. Demonstration page, all content is "
                f"generated and fictitious. Partners: {friends}"
            )
        return (
            f"友情链接：{friends}<br>Copyright © 2008-2024 {escape(site.name)} 版权所有 "
            "演示网页，内容由程序生成，纯属虚构 | 关于我们 | 网站地图"
        )


def _joined(site: Site, anchors: Sequence[Anchor]) -> str:
    return " | ".join(link(site, anchor) for anchor in anchors)
