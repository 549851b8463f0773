"""Pages of the demonstration web that no ordinary link leads to: sitemaps, a feed, a pager and an archive do.

Sites with the feature ``listed`` have notices of four groups, each found in one way only.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from html import escape
from typing import TYPE_CHECKING, Final

from topiccrawl.demo.text import Story, compose
from topiccrawl.demo.urls import NEWEST, Address
from topiccrawl.webserver.answers import Answer

if TYPE_CHECKING:
    from topiccrawl.demo.pages import Pages
    from topiccrawl.demo.sites import Site

#: Notices of each group.
NOTICES: Final = {"map": 12, "flash": 6, "bulletin": 30, "paper": 30}
#: Notices on one page of the list ``/bulletin/``, and in one issue of ``/paper/``.
_PER_LIST, _PER_ISSUE = 6, 3
_LISTS: Final = NOTICES["bulletin"] // _PER_LIST

_NOTICE: Final = re.compile(r"/notice/(map|flash|bulletin|paper)/(0|[1-9]\d?)\.html")
_BULLETIN: Final = re.compile(r"/bulletin/(?:index_([1-9])\.html)?")
_PAPER: Final = re.compile(r"/paper/(\d{4}-\d\d)/(\d\d)/node_1\.htm")
_FILES: Final = {
    "/feed.xml": "feed",
    "/maps/index.xml": "map-index",
    "/maps/1.xml.gz": "map-packed",
    "/maps/2.xml": "map-plain",
}
_GROUPS: Final = tuple(NOTICES)


def parse_listed(url: str, by_host: Mapping[str, Site]) -> Address | None:
    """Return the address of such a page, or of a file that lists them."""
    host, _, rest = url.strip().removeprefix("http://").partition("/")
    site, path = by_host.get(host.lower()), f"/{rest}"
    if site is None or "listed" not in site.features:
        return None
    if path in _FILES:
        return Address(site, _FILES[path])
    if found := _NOTICE.fullmatch(path):
        number = int(found[2])
        group = _GROUPS.index(found[1])
        return Address(site, "notice", group, number) if number < NOTICES[found[1]] else None
    if found := _BULLETIN.fullmatch(path):
        number = int(found[1] or 0)
        return Address(site, "bulletin", number=number) if number < _LISTS else None
    if _PAPER.fullmatch(path):
        known = issues()
        return Address(site, "paper", number=known.index(path)) if path in known else None
    return None


def issues() -> list[str]:
    """Return the paths of the issues, the newest first: one for each working day."""
    days = (NEWEST - timedelta(days=back) for back in range(30))
    paths = [f"/paper/{day:%Y-%m}/{day:%d}/node_1.htm" for day in days if day.weekday() < 5]
    return paths[: NOTICES["paper"] // _PER_ISSUE]


def notices(site: Site, group: str) -> list[str]:
    """Return the URLs of the notices of a group, empty on a site without them."""
    if "listed" not in site.features:
        return []
    return [f"{site.root}notice/{group}/{number}.html" for number in range(NOTICES[group])]


def story_of(seed: int, at: Address) -> Story:
    """Return the text of a notice; two of three are on the topic 侨情."""
    topic = "local" if at.number % 3 == 2 else "qiaoqing"
    return compose(seed, topic, f"notice/{at.site.host}/{_GROUPS[at.channel]}/{at.number}")


def file_answer(at: Address) -> Answer | None:
    """Return the feed, a sitemap or the index of sitemaps; ``None`` for pages."""
    site = at.site
    half = NOTICES["map"] // 2
    maps = notices(site, "map")
    match at.kind:
        case "map-index":
            files = "".join(
                f"<sitemap><loc>{site.root}maps/{name}</loc></sitemap>"
                for name in ("1.xml.gz", "2.xml")
            )
            return Answer(200, "application/xml", f"<sitemapindex>{files}</sitemapindex>".encode())
        case "map-packed":
            entries = [*maps[:half], f"{site.root}bulletin/"]
            return Answer(200, "application/gzip", gzip.compress(_urlset(entries), mtime=0))
        case "map-plain":
            return Answer(
                200, "application/xml", _urlset([*maps[half:], site.root + issues()[0][1:]])
            )
        case "feed":
            items = "".join(
                f"<item><title>快讯</title><link>{url}</link></item>"
                for url in notices(site, "flash")
            )
            feed = f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'
            return Answer(200, "application/rss+xml", feed.encode())
        case _:
            return None


def page_html(seed: int, pages: Pages, at: Address) -> str | None:
    """Return a notice, a page of the bulletin or an issue; ``None`` for other kinds."""
    site = at.site
    if at.kind == "notice":
        story = story_of(seed, at)
        main = "".join(f"<p>{escape(text)}</p>" for text in story.paragraphs)
        return pages.frame(
            at, story.title + site.tail, f"<h1>{escape(story.title)}</h1><div>{main}</div>"
        )
    if at.kind == "bulletin":
        first = at.number * _PER_LIST
        urls = notices(site, "bulletin")[first : first + _PER_LIST]
        script = f'<script>createPageHTML({_LISTS}, {at.number}, "index", "html");</script>'
        return pages.frame(at, "公告" + site.tail, "".join(_entries(urls)) + script)
    if at.kind == "paper":
        first = at.number * _PER_ISSUE
        urls = notices(site, "paper")[first : first + _PER_ISSUE]
        return pages.frame(at, "数字报" + site.tail, "".join(_entries(urls)))
    return None


def _entries(urls: list[str]) -> Iterator[str]:
    for number, url in enumerate(urls, start=1):
        yield f'<li><a href="{escape(url)}">本期公告第{number}条</a></li>'


def _urlset(urls: list[str]) -> bytes:
    entries = "".join(f"<url><loc>{escape(url)}</loc></url>\n" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset>\n{entries}</urlset>\n'.encode()
