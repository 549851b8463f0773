"""The HTML of the web of portals, in the layouts of the demonstration web."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from topiccrawl.demo.blocks import link, link_list, paragraphs, skeleton
from topiccrawl.demo.draws import Draws
from topiccrawl.demo.links import Anchor
from topiccrawl.demo.portals import TOPIC_NAMES, Domain, Place, PortalWeb, Section
from topiccrawl.demo.sites import Site
from topiccrawl.demo.text import compose, story_title

#: Share of the articles that are series of pictures with a caption each.
_PICTURES = 0.2
#: Share of the other articles that mention a topic which is not theirs.
_MENTIONS = 0.08
_LAYOUTS = ("modern", "portal", "table", "br", "minified")


class PortalPages:
    """Renders the pages of a web of portals."""

    def __init__(self, web: PortalWeb) -> None:
        self._web = web
        self._site = lru_cache(None)(self._make_site)
        self.title = lru_cache(None)(self._title)

    def html(self, url: str) -> str:
        """Return the page with the URL *url*, which must be one of the web's."""
        place = self._web.places[url]
        site = self._site(place.domain)
        anchors = [Anchor(target, self.title(target)) for target in self._web.links(url)]
        # The menu comes first: the links to the front pages of the domain's own sections.
        fronts = {section.root for section in place.domain.sections} | {place.domain.root}
        menu = [anchor for anchor in anchors if anchor.url in fronts]
        rest = [anchor for anchor in anchors if anchor.url not in fronts]
        heading = self.title(url)
        if place.kind == "article":
            main = skeleton(f"{site.layout}.article").substitute(
                heading=escape(heading, quote=False),
                time=f"20{10 + place.number % 14}-{place.number % 12 + 1:02d}-{place.number % 28 + 1:02d}",
                source=escape(site.name),
                content=self._content(url, place),
                related=link_list(site, rest[:6]),
            )
            rest = rest[6:]
        else:
            main = f"<h2>{escape(heading)}</h2>\n{link_list(site, rest)}"
            rest = []
        charset = f'<meta charset="{site.meta}">'
        return skeleton(site.layout).substitute(
            head=charset,
            title=escape(f"{heading}_{site.name}", quote=False),
            site=escape(site.name),
            host=site.host,
            root=site.root,
            nav=" | ".join(link(site, anchor) for anchor in menu),
            crumbs=f"首页 &gt; {escape(place.section.name if place.section else site.name)}",
            main=main,
            hot_title="热门推荐",
            hot=link_list(site, rest),
            footer=f"Copyright © {escape(site.name)} 演示网页，内容由程序生成，纯属虚构",
        )

    def _title(self, url: str) -> str:
        """Return the heading of a page, which is the text of the links to it (cached as ``title``)."""
        place = self._web.places.get(url)
        if place is None or place.section is None:
            return f"{place.domain.title if place else ''}首页"
        if place.kind == "article":
            return story_title(
                self._web.seed, place.section.topic, _key(place.section, place.number)
            )
        return place.section.name + (f" 第{place.number + 1}页" if place.kind == "list" else "")

    def _content(self, url: str, place: Place) -> str:
        assert place.section is not None
        topic = place.section.topic
        draws = Draws(self._web.seed, "content", url)
        story = compose(self._web.seed, topic, _key(place.section, place.number))
        texts = story.paragraphs
        site = self._site(place.domain)
        if draws.chance(_PICTURES):
            images = "\n".join(f'<img src="/p/{n}.jpg" alt="{n + 1}">' for n in range(4))
            return f"{images}\n{paragraphs(site, texts[-1:])}"
        if draws.chance(_MENTIONS):
            other = TOPIC_NAMES[draws.pick(tuple(TOPIC_NAMES))]
            texts = (*texts, f"另据本网{other}栏目消息，{other}方面的内容请见专题。")
        return paragraphs(site, texts)

    def _make_site(self, domain: Domain) -> Site:
        """Return the appearance of a domain (cached)."""
        return Site(
            key=domain.name,
            region=0,
            host=domain.root.removeprefix("http://").rstrip("/"),
            name=domain.title,
            tail="",
            charset="utf-8",
            header="utf-8",
            meta="utf-8",
            layout=Draws(self._web.seed, "layout", domain.number).pick(_LAYOUTS),
            address="content",
            hidden=False,
            traditional=False,
            channels=(),
            friends=(),
            features=frozenset(),
        )


def _key(section: Section, number: int) -> str:
    return f"{section.root}{number}"
