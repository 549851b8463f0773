"""The structure of the demonstration web: where stories are published, where tunnels lead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.listed import parse_listed
from topiccrawl.demo.sites import Site, build_sites
from topiccrawl.demo.text import Story, compose, story_title
from topiccrawl.demo.urls import Address, article_path, list_path, parse

#: Share of articles that are drawn as reprints of another site's story (转载).
REPRINT_SHARE = 0.12

#: A reprint is at most so many articles of a channel later than its origin (a choice: two days).
REPRINT_DELAYS = 3

#: Topics whose stories are never reprinted.
_NOT_REPRINTED = frozenset({"estate", "english"})

#: Tunnels to each hidden channel, and their lengths in pages.
TUNNELS_PER_CHANNEL = 2
TUNNEL_LENGTHS = (2, 3, 4)

#: Entries of each of the caches of places, titles and URLs of articles.
_CACHED = 50_000
#: Cached stories; rendering a page reads its story several times.
_CACHED_STORIES = 256


@dataclass(frozen=True, slots=True)
class Tunnel:
    """A chain of off-topic pages that leads to an on-topic channel."""

    number: int
    site: Site
    """Site of the chain's pages."""
    length: int
    target: Site
    channel: int


class Atlas:
    """Sites and their relations, all computed from (seed, size)."""

    def __init__(self, seed: int, size: int) -> None:
        if size < 100:
            raise ValueError(f"size of a demonstration web must be >= 100 pages, got {size}")
        self.seed = seed
        self.sites = build_sites(size)
        self.by_host = {site.host: site for site in self.sites}
        self.regions = 1 + max(site.region for site in self.sites)
        self._by_key = {(site.region, site.key): site for site in self.sites}
        self._channels: dict[tuple[int, str], list[tuple[Site, int]]] = {}
        for site in self.sites:
            if not site.hidden:
                for index, channel in enumerate(site.channels):
                    key = (site.region, channel.topic)
                    self._channels.setdefault(key, []).append((site, index))
        self._tunnels = [self._dig(region) for region in range(self.regions)]
        self.article_url = lru_cache(_CACHED)(self._article_url)
        self.place = lru_cache(_CACHED)(self._place)
        self.title = lru_cache(_CACHED)(self._title)
        self.story = lru_cache(_CACHED_STORIES)(self._story)

    def parse(self, url: str) -> Address | None:
        """Return the address of *url*, or ``None`` if there is no such page."""
        address = parse(url, self.by_host) or parse_listed(url, self.by_host)
        if address is not None and address.kind == "tunnel":
            tunnels = self._tunnels[address.site.region]
            if address.number >= len(tunnels):
                return None
            tunnel = tunnels[address.number]
            if tunnel.site is not address.site or address.step > tunnel.length:
                return None
        return address

    def site(self, region: int, key: str) -> Site:
        """Return the site *key* of *region*."""
        return self._by_key[region, key]

    def channels_of(self, topic: str, region: int) -> list[tuple[Site, int]]:
        """Return the channels of *topic* that may be linked from anywhere in *region*."""
        return self._channels.get((region, topic), [])

    def tunnels(self, region: int) -> tuple[Tunnel, ...]:
        """Return the tunnels of *region* in order of their numbers."""
        return self._tunnels[region]

    def list_url(self, site: Site, channel: int, number: int = 0) -> str:
        """Return the URL of a channel's list page, *number* from 0."""
        return f"http://{site.host}{list_path(site, channel, number)}"

    def origin(self, site: Site, channel: int, number: int) -> Site:
        """Return the source of an article: another site if it is a reprint, else its own."""
        return self.by_host[self.place(site, channel, number)[2]]

    def _article_url(self, site: Site, channel: int, number: int) -> str:
        """Return the canonical URL of an article (cached as ``article_url``)."""
        return f"http://{site.host}{article_path(site, channel, number)}"

    def _title(self, site: Site, channel: int, number: int) -> str:
        """Return the title of an article (cached as ``title``)."""
        topic, key = self.place(site, channel, number)[:2]
        return story_title(self.seed, topic, key)

    def _story(self, site: Site, channel: int, number: int) -> Story:
        """Compose the story of an article (cached as ``story``)."""
        topic, key = self.place(site, channel, number)[:2]
        return compose(self.seed, topic, key)

    def _place(self, site: Site, channel: int, number: int) -> tuple[str, str, str]:
        """Return (topic, story key, host of its origin) of an article (cached as ``place``)."""
        topic = site.channels[channel].topic
        host = site.host
        found = self._reprint(site, channel, number)
        if found is not None and self._reprint(*found) is None:
            origin, channel, number = found
            host = origin.host
        return topic, f"{host}/{channel}/{number}", host

    def _reprint(self, site: Site, channel: int, number: int) -> tuple[Site, int, int] | None:
        topic = site.channels[channel].topic
        if topic in _NOT_REPRINTED:
            return None
        draws = Draws(self.seed, "reprint", site.host, channel, number)
        if not draws.chance(REPRINT_SHARE):
            return None
        # The next number of any channel is older.
        older = [
            (origin, other)
            for origin, other in self.channels_of(topic, site.region)
            if origin is not site and origin.channels[other].articles > number + 1
        ]
        if not older:
            return None
        origin, other = draws.pick(older)
        later = min(REPRINT_DELAYS, origin.channels[other].articles - number - 1)
        return origin, other, number + 1 + draws.below(later)

    def _dig(self, region: int) -> tuple[Tunnel, ...]:
        sites = [site for site in self.sites if site.region == region]
        entrances = [site for site in sites if "tunnels" in site.features]
        targets = [
            (site, channel)
            for site in sites
            if site.hidden
            for channel in range(len(site.channels))
        ] * TUNNELS_PER_CHANNEL
        return tuple(
            Tunnel(
                number,
                entrances[number % len(entrances)],
                TUNNEL_LENGTHS[number % len(TUNNEL_LENGTHS)],
                *target,
            )
            for number, target in enumerate(targets)
        )
