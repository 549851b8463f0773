"""URLs of the demonstration web: parse a URL into an address, and build URLs of pages.

Nothing is stored: an article's URL contains its channel and number, which determine its date.  A URL
is valid only if it is exactly what its site would generate, apart from session and tracking
parameters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.demo.sites import Site

#: An article id is (channel + 1) * this + number: room for a million articles per channel.
CHANNEL_STRIDE = 1_000_000

#: Publish time of the newest articles; the web does not depend on the clock.
NEWEST = datetime(2024, 6, 28, 18, 30)

#: Minutes between two consecutive articles of a channel.
_MINUTES_APART = 997

#: Single pages by path: the site feature that they need, and the kind of page.
FIXED_PATHS = {
    "/map.html": ("map", "map"),
    "/slow.html": ("slow", "slow"),
    "/files/report.html": ("binary", "binary"),
    "/blank.html": ("blank", "blank"),
    "/deep.html": ("deep", "deep"),
    "/huge.html": ("maze", "huge"),
    "/error.html": ("maze", "error"),
    "/special/": ("frames", "frames"),
    "/special/nav.html": ("frames", "frame-nav"),
    "/special/main.html": ("frames", "frame-main"),
}

_PATTERNS = {
    "dated": re.compile(r"/([a-z]+)/(\d{4})/(\d\d)-(\d\d)/(\d{7,})\.shtml"),
    "content": re.compile(r"/content/(\d{7,})\.htm"),
    "day": re.compile(r"/a/(\d{8})/(\d{7,})\.html"),
    "query": re.compile(r"/article\.php\?id=(\d{7,})"),
    "thread": re.compile(r"/thread\.php\?tid=(\d{7,})"),
}
_LIST = re.compile(r"/([a-z]+)/(?:index_([1-9]\d*)\.html)?")
_NUMBERED = re.compile(r"/(old|moved|go|member|dir)/([1-9]\d{0,8})\.html")
_TUNNEL = re.compile(r"/zt/(\d{1,6})/([1-9])\.html")
_REPEAT = re.compile(r"/photo(?:/photo)*/")
_NEEDS = {"old": "chains", "moved": "chains", "go": "refresh", "member": "members"}


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a page, which need not exist."""

    site: Site
    kind: str
    """``home``, ``list``, ``article``, ``tunnel``, ``robots``, ``sitemap`` or an oddity's name."""
    channel: int = 0
    number: int = 0
    """Article: 0 is the newest.  List: page from 0.  Tunnel: its number.  Traps: depth."""
    step: int = 0
    """Tunnel: page within the tunnel, from 1."""


def article_id(channel: int, number: int) -> int:
    """Return the id of an article in its URL."""
    return (channel + 1) * CHANNEL_STRIDE + number


def published(site: Site, channel: int, number: int) -> datetime:
    """Return the publish time of an article (China Standard Time, naive)."""
    offset = (channel * 211 + len(site.host) * 37) % _MINUTES_APART
    return NEWEST - timedelta(minutes=number * _MINUTES_APART + offset)


def article_path(site: Site, channel: int, number: int) -> str:
    """Return path and query of an article in the URL format of its site."""
    ident = article_id(channel, number)
    match site.address:
        case "dated":
            day = published(site, channel, number)
            return f"/{site.channels[channel].slug}/{day:%Y/%m-%d}/{ident}.shtml"
        case "day":
            return f"/a/{published(site, channel, number):%Y%m%d}/{ident}.html"
        case "query":
            return f"/article.php?id={ident}"
        case "thread":
            return f"/thread.php?tid={ident}"
        case _:
            return f"/content/{ident}.htm"


def list_path(site: Site, channel: int, number: int) -> str:
    """Return the path of a channel's list page, *number* from 0."""
    page = f"index_{number}.html" if number else ""
    return f"/{site.channels[channel].slug}/{page}"


def parse(url: str, by_host: Mapping[str, Site]) -> Address | None:
    """Return the address of *url*; ``None`` for an unknown host or an invalid URL."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    site = by_host.get(parts.hostname or "")
    if site is None or parts.scheme.lower() != "http" or port not in (None, 80):
        return None
    path = parts.path or "/"
    return (
        _whole_site(site, path)
        or _article(site, path, parts.query)
        or _odd(site, path, parts.query)
    )


def _whole_site(site: Site, path: str) -> Address | None:
    if path in ("/", "/index.html"):
        return Address(site, "home")
    if path == "/robots.txt":
        return Address(site, "robots")
    if path == "/sitemap.xml":
        return Address(site, "sitemap") if "sitemap" in site.features else None
    if found := _LIST.fullmatch(path):
        for channel, entry in enumerate(site.channels):
            if entry.slug == found[1]:
                number = int(found[2] or 0)
                return Address(site, "list", channel, number) if number < entry.lists else None
    return None


def _article(site: Site, path: str, query: str) -> Address | None:
    if site.address in ("query", "thread"):
        name = "id" if site.address == "query" else "tid"
        values = parse_qs(query).get(name)
        path = f"{path}?{name}={values[0]}" if values else path
    found = _PATTERNS[site.address].fullmatch(path)
    if found is None:
        return None
    channel, number = divmod(int(found[found.lastindex or 1]), CHANNEL_STRIDE)
    channel -= 1
    if not 0 <= channel < len(site.channels) or number >= site.channels[channel].articles:
        return None
    if article_path(site, channel, number) != path:
        return None
    return Address(site, "article", channel, number)


def _odd(site: Site, path: str, query: str) -> Address | None:
    values = parse_qs(query)
    if path in FIXED_PATHS:
        feature, kind = FIXED_PATHS[path]
        return Address(site, kind) if feature in site.features else None
    if found := _NUMBERED.fullmatch(path):
        kind, number = found[1], int(found[2])
        if kind == "dir":
            return (
                Address(site, "directory", number=number) if "directory" in site.features else None
            )
        return Address(site, kind, number=number) if _NEEDS[kind] in site.features else None
    if "tunnels" in site.features and (found := _TUNNEL.fullmatch(path)):
        return Address(site, "tunnel", number=int(found[1]), step=int(found[2]))
    if "repeat" in site.features and _REPEAT.fullmatch(path):
        return Address(site, "repeat", number=path.count("photo"))
    if "loop" in site.features and path == "/goto/loop":
        return Address(site, "loop", number=_integer(values.get("n"), 0))
    if "calendar" in site.features and path == "/calendar":
        year, month = _integer(values.get("y"), 2024), _integer(values.get("m"), 1)
        return Address(site, "calendar", number=year * 12 + month - 1) if 1 <= month <= 12 else None
    if "members" in site.features and path == "/search":
        return Address(site, "search")
    return None


def _integer(values: list[str] | None, default: int) -> int:
    text = values[0] if values else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default
