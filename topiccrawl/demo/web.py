"""The demonstration web: pages by URL, generated from a seed on request.

The same (seed, size) gives the same bytes in every process.  Only bounded caches are kept, so a web
of a million pages needs no more memory than one of a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache

from topiccrawl.demo.atlas import Atlas
from topiccrawl.demo.draws import Draws
from topiccrawl.demo.links import Links
from topiccrawl.demo.listed import notices, story_of
from topiccrawl.demo.oddities import TRAPS, Oddities
from topiccrawl.demo.pages import Pages
from topiccrawl.demo.truth import Truth
from topiccrawl.demo.urls import Address, published
from topiccrawl.webserver.answers import Answer

#: Cached responses: about 10 MB at 10 KB each.
CACHED_ANSWERS = 1024

#: On sites with the feature ``flaky``, about every n-th article fails at the first attempt.
FLAKY_EVERY = 9

#: Kinds of ordinary pages, the default of ``DemoWeb.pages``.
ORDINARY = ("home", "list", "article", "directory", "tunnel")

_NOT_FOUND = Answer(
    404, "text/html; charset=utf-8", "<html><title>404</title><h1>页面不存在</h1></html>".encode()
)


class DemoWeb:
    """A web of several hosts, mixed topics, Chinese charsets, tunnels, reprints and traps.

    :param seed: determines all texts and links.
    :param size: approximate number of ordinary pages (>= 100); the number of hosts grows with its
        square root.
    :param hazards: False removes dead links, links to traps and broken pages, and failures at the
        first attempt: a clean web for benchmarks.
    :param slow_seconds: delay of the slow page.
    :param huge_bytes: length of ``huge_url``, which no page links to.
    """

    def __init__(
        self,
        seed: int = 7,
        size: int = 800,
        *,
        hazards: bool = True,
        slow_seconds: float = 2.0,
        huge_bytes: int = 50_000_000,
    ) -> None:
        self.seed = seed
        self.size = size
        self.hazards = hazards
        self.atlas = Atlas(seed, size)
        self._links = Links(self.atlas, hazards)
        self._pages = Pages(self.atlas, self._links)
        self._odd = Oddities(
            self.atlas, self._links, self._pages, slow_seconds=slow_seconds, huge_bytes=huge_bytes
        )
        self._rendered = lru_cache(CACHED_ANSWERS)(self._render)

    @property
    def seeds(self) -> tuple[str, ...]:
        """Seed URLs: a directory, a portal and a newspaper, mostly off topic."""
        return tuple(self.atlas.site(0, key).root for key in ("hub", "haibin", "zonghe"))

    @property
    def hosts(self) -> tuple[str, ...]:
        """All host names."""
        return tuple(site.host for site in self.atlas.sites)

    @property
    def huge_url(self) -> str:
        """A page of ``huge_bytes``, streamed; nothing links to it."""
        return f"{self.atlas.site(0, 'haibin').root}huge.html"

    def answer(self, url: str, attempt: int = 1) -> Answer | None:
        """Return the response to *url*, or ``None`` if the web has no such host.

        *attempt* counts the requests for this URL from 1; some pages fail at the first attempt only.
        """
        address = self.atlas.parse(url)
        if address is None:
            return _NOT_FOUND if self._host_known(url) else None
        if attempt == 1 and self._flaky(address):
            status = 503 if address.number % 2 else 500
            return Answer(status, "text/html; charset=utf-8", "<h1>服务暂时不可用</h1>".encode())
        return self._rendered(address)

    def html(self, url: str) -> str | None:
        """Return the page as text, before encoding; ``None`` if it has no HTML layout."""
        address = self.atlas.parse(url)
        return None if address is None else self._text(address)

    def canonical(self, url: str) -> str | None:
        """Return the canonical URL of a page; ``None`` if there is no such page."""
        address = self.atlas.parse(url)
        if address is None:
            return None
        match address.kind:
            case "article":
                return self.atlas.article_url(address.site, address.channel, address.number)
            case "home":
                return address.site.root
            case _:
                return url.strip()

    def kind_of(self, url: str) -> str | None:
        """Return the kind of a page, ``None`` if there is no such page."""
        address = self.atlas.parse(url)
        return None if address is None else address.kind

    def topics_of(self, url: str) -> frozenset[str]:
        """Return the topic families of a page; empty for mixed, special and missing pages."""
        address = self.atlas.parse(url)
        return frozenset() if address is None else _topics(address)

    def story_of(self, url: str) -> str | None:
        """Return the key of an article's story; reprints share it."""
        address = self.atlas.parse(url)
        return None if address is None else self._story_key(address)

    def truth(self, url: str) -> Truth | None:
        """Return the ground truth about a page; ``None`` if there is no such page."""
        address = self.atlas.parse(url)
        canonical = self.canonical(url)
        if address is None or canonical is None:
            return None
        site = address.site
        if address.kind == "notice":
            notice = story_of(self.seed, address)
            return Truth(
                canonical,
                "notice",
                frozenset({notice.topic}),
                site.charset,
                title=notice.title,
                paragraphs=notice.paragraphs,
            )
        if address.kind != "article":
            return Truth(canonical, address.kind, _topics(address), site.charset)
        convert = _to_traditional() if site.traditional else str
        return Truth(
            canonical,
            address.kind,
            _topics(address),
            site.charset,
            title=convert(self.atlas.title(site, address.channel, address.number)),
            paragraphs=tuple(convert(text) for text in self._pages.article_texts(address)),
            published=published(site, address.channel, address.number),
            story=self._story_key(address),
        )

    def pages(self, kinds: Collection[str] = ORDINARY) -> Iterator[str]:
        """Yield the canonical URLs of all ordinary pages of *kinds*, site by site."""
        return (url for kind, url in self._ordinary() if kind in kinds)

    def _ordinary(self) -> Iterator[tuple[str, str]]:
        """Yield kind and URL of the ordinary pages."""
        for site in self.atlas.sites:
            yield "home", site.root
            if "directory" in site.features:
                for index, _ in enumerate(self._links.directory(site), start=1):
                    yield "directory", f"{site.root}dir/{index}.html"
            for tunnel in self.atlas.tunnels(site.region):
                if tunnel.site is site:
                    for step in range(1, tunnel.length + 1):
                        yield "tunnel", f"{site.root}zt/{tunnel.number}/{step}.html"
            for index, channel in enumerate(site.channels):
                for number in range(channel.lists):
                    yield "list", self.atlas.list_url(site, index, number)
                for number in range(channel.articles):
                    yield "article", self.atlas.article_url(site, index, number)

    def listed(self, group: str) -> list[str]:
        """Return the URLs of the pages that one way only leads to.

        *group* is "map" (sitemaps), "flash" (a feed), "bulletin" (a pager) or "paper" (an archive).
        """
        return [url for site in self.atlas.sites for url in notices(site, group)]

    def relevant(self, topic: str = "qiaoqing", kinds: Collection[str] = ("article",)) -> list[str]:
        """Return the canonical URLs of pages of *kinds* on *topic*, reprints included."""
        return [url for url in self.pages(kinds) if topic in self.topics_of(url)]

    def stories(self, topic: str = "qiaoqing") -> frozenset[str]:
        """Return the keys of all stories on *topic*, which a crawl without reprints can collect."""
        found = (self.story_of(url) for url in self.relevant(topic))
        return frozenset(story for story in found if story is not None)

    def robots_disallowed(self, url: str) -> bool:
        """Return whether the host's robots.txt disallows *url*."""
        address = self.atlas.parse(url)
        return address is not None and address.kind in ("member", "search")

    def is_trap(self, url: str) -> bool:
        """Return whether *url* belongs to an endless series: calendar, growing path, redirects."""
        address = self.atlas.parse(url)
        return address is not None and address.kind in TRAPS

    def _host_known(self, url: str) -> bool:
        host = url.partition("://")[2].partition("/")[0].partition(":")[0].lower()
        return host in self.atlas.by_host

    def _flaky(self, at: Address) -> bool:
        return (
            self.hazards
            and at.kind == "article"
            and "flaky" in at.site.features
            and Draws(self.seed, "flaky", at.site.host, at.channel, at.number).below(FLAKY_EVERY)
            == 0
        )

    def _story_key(self, at: Address) -> str | None:
        if at.kind != "article":
            return None
        return self.atlas.place(at.site, at.channel, at.number)[1]

    def _render(self, at: Address) -> Answer:
        plain = self._odd.plain(at)
        if plain is not None:
            return plain
        text = self._text(at)
        if text is None:
            return _NOT_FOUND
        site = at.site
        declared = f"text/html; charset={site.header}" if site.header else "text/html"
        body = text.encode(site.charset, "xmlcharrefreplace")
        return Answer(200, declared, body, delay_seconds=self._odd.delay_seconds(at))

    def _text(self, at: Address) -> str | None:
        match at.kind:
            case "home":
                text: str | None = self._pages.home(at)
            case "list":
                text = self._pages.listing(at)
            case "article":
                text = self._pages.article(at)
            case "directory":
                known = sum(1 for _ in self._links.directory(at.site))
                text = self._pages.directory(at) if at.number <= known else None
            case "tunnel":
                tunnel = self.atlas.tunnels(at.site.region)[at.number]
                text = self._pages.tunnel(at, tunnel)
            case _:
                text = self._odd.html(at)
        return _to_traditional()(text) if text and at.site.traditional else text


def _topics(at: Address) -> frozenset[str]:
    match at.kind:
        case "article" | "list":
            return frozenset({at.site.channels[at.channel].topic})
        case "tunnel":
            return frozenset({"local"})
        case "home":
            topics = frozenset(channel.topic for channel in at.site.channels)
            return topics if len(topics) == 1 else frozenset()
        case _:
            return frozenset()


@cache
def _to_traditional() -> Callable[[str], str]:
    # Imported on demand: slow to load, and needed by one site in eighteen only.
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("s2t").convert
    return convert
