"""One site: which addresses belong to it, and where it usually keeps its sitemaps and feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from topiccrawl.urls.hosts import host_of

#: Where sitemaps are if robots.txt names none: sitemaps.org's own example, and what WordPress, Yoast and the
#: Chinese systems (帝国, 织梦, Z-Blog) write (their documentation, 2026-11).
SITEMAP_PATHS: Final = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
    "/wp-sitemap.xml",
)
#: Where feeds are when no page links to one (a guess: WordPress, Z-Blog, Hexo, Jekyll and Hugo).
FEED_PATHS: Final = ("/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml")


@dataclass(frozen=True, slots=True)
class Site:
    """The site of a seed: its host, with and without ``www.``."""

    host: str
    """Without ``www.``."""
    root: str
    """``http://host:port/`` as the seed writes it."""

    @classmethod
    def of_seed(cls, url: str) -> Site:
        """Return the site of an absolute http(s) URL.

        >>> Site.of_seed("https://www.Example.cn/a/b.html")
        Site(host='example.cn', root='https://www.example.cn/')
        """
        parts = urlsplit(url)
        netloc = parts.netloc.rpartition("@")[2].lower()
        return cls(site_host(url), f"{parts.scheme.lower()}://{netloc}/")

    @property
    def robots(self) -> str:
        """URL of its robots.txt."""
        return f"{self.root}robots.txt"

    @property
    def sitemaps(self) -> list[str]:
        """URLs where its sitemaps usually are."""
        return [self.root + path[1:] for path in SITEMAP_PATHS]

    @property
    def feeds(self) -> list[str]:
        """URLs where its feeds usually are."""
        return [self.root + path[1:] for path in FEED_PATHS]


def site_host(url: str) -> str:
    """Return the host of *url* without ``www.``."""
    return host_of(url).removeprefix("www.")
