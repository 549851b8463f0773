"""The sites of the demonstration web and the number of articles in each channel."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, sqrt
from typing import Any

#: Pages per region at the smallest sizes.  The number of regions grows as the square root of the
#: size: 800 pages have 18 hosts, 100,000 pages have 180 hosts of some 550 pages each.
PAGES_PER_REGION = 1000

#: Share of *size* that are articles; the rest are lists, home pages, tunnels and oddities.
#: Counted for sizes 300, 800, 3,000, 20,000 and 100,000: 349, 772, 2,814, 18,255, 89,940 pages.
ARTICLE_SHARE = 0.85

#: Articles on one page of a channel's list.
LIST_LENGTH = 20

#: Syllables of the names of further regions: pinyin for host names, characters for titles.
_SYLLABLES = (
    ("lin", "临"), ("an", "安"), ("xi", "西"), ("ping", "平"), ("he", "河"), ("qing", "清"),
    ("long", "龙"), ("shan", "山"), ("chang", "长"), ("feng", "丰"), ("nan", "南"), ("bai", "白"),
    ("yun", "云"), ("hai", "海"), ("jin", "金"), ("shui", "水"), ("tai", "泰"), ("lan", "兰"),
    ("wu", "武"), ("ning", "宁"), ("gao", "高"), ("yang", "阳"), ("dong", "东"), ("zhou", "洲"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Channel:
    """A section of a site, all of one topic family."""

    slug: str
    name: str
    topic: str
    articles: int

    @property
    def lists(self) -> int:
        """Number of list pages."""
        return max(1, ceil(self.articles / LIST_LENGTH))


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """One host with its layout, charset and special features."""

    key: str
    """Name within the region."""
    region: int
    host: str
    name: str
    tail: str
    """Suffix of the site's page titles."""
    charset: str
    """Codec of the bytes."""
    header: str
    """Charset in the Content-Type header; empty for none."""
    meta: str
    """Charset in the page's meta element; empty for none."""
    layout: str
    address: str
    """Format of article URLs."""
    hidden: bool
    """Whether the site can be reached through tunnels only."""
    traditional: bool
    channels: tuple[Channel, ...]
    friends: tuple[str, ...]
    """Keys of the sites in the footer's link list."""
    features: frozenset[str]

    @property
    def root(self) -> str:
        """URL of the home page."""
        return f"http://{self.host}/"

    @property
    def disallow(self) -> tuple[str, ...]:
        """Path prefixes that robots.txt forbids."""
        return ("/member/", "/search") if "members" in self.features else ()


def region_count(size: int) -> int:
    """Return the number of regions of a web of about *size* pages."""
    return ceil(sqrt(size / PAGES_PER_REGION))


def build_sites(size: int) -> tuple[Site, ...]:
    """Return all sites of a web of about *size* pages (>= 100), region by region."""
    regions = region_count(size)
    per_region = size * ARTICLE_SHARE / regions
    return tuple(
        _site(table, region, per_region) for region in range(regions) for table in _tables()
    )


@cache
def _tables() -> tuple[dict[str, Any], ...]:
    resource = files("topiccrawl.demo") / "data" / "sites.toml"
    return tuple(tomllib.loads(resource.read_text(encoding="utf-8"))["site"])


def _site(table: dict[str, Any], region: int, articles: float) -> Site:
    total = sum(entry["weight"] for entry in _tables())
    own = articles * table["weight"] / total
    parts = sum(weight for *_, weight in table["channels"])
    pinyin, characters = _region_name(region)
    english = table["layout"] == "english"
    return Site(
        key=table["key"],
        region=region,
        host=table["host"].removesuffix("example") + pinyin + "example",
        name=(table["name"] + (f" {pinyin[:-1].title()}" if english else characters)).rstrip(),
        tail=table["tail"],
        charset=table.get("charset", "utf-8"),
        header=table.get("header", "utf-8"),
        meta=table.get("meta", "utf-8"),
        layout=table["layout"],
        address=table.get("address", "content"),
        hidden=table.get("hidden", False),
        traditional=table.get("traditional", False),
        channels=tuple(
            Channel(slug, name, topic, max(1, round(own * weight / parts)))
            for slug, name, topic, weight in table["channels"]
        ),
        friends=tuple(table["friends"]),
        features=frozenset(table["features"]),
    )


def _region_name(region: int) -> tuple[str, str]:
    """Return the unique (host label with its dot, name in characters); empty for region 0."""
    if region == 0:
        return "", ""
    base = len(_SYLLABLES)
    digits: list[int] = []
    rest = region - 1 + base  # at least two syllables
    while rest:
        rest, digit = divmod(rest, base)
        digits.append(digit)
    chosen = [_SYLLABLES[digit] for digit in reversed(digits)]
    return "".join(latin for latin, _ in chosen) + ".", "".join(han for _, han in chosen)
