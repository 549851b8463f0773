"""A web of portals: hundreds of hosts in clusters, drawn from a seed.

Domains stand on a ring, and pages link mostly to domains nearby, so that two places of one topic may lie
far apart.  A domain is a portal with channels (subdomains and directories), a dead end (one site, rich in
links to itself), or a small site whose home page links to other home pages.  Addresses with and without
``www.`` are twins with the same content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from topiccrawl.demo.draws import Draws

#: Names of the topics' channels; half of all channels have one of :data:`VAGUE_NAMES` instead.
TOPIC_NAMES = {
    "qiaoqing": "侨务",
    "sport": "体育",
    "finance": "财经",
    "food": "美食",
    "technology": "科技",
    "estate": "房产",
}
#: Topics of all other channels, the first one most often.
FILLERS = ("local", "local", "local", "local", "local", "english")
VAGUE_NAMES = ("要闻", "看点", "焦点", "在线", "广场", "专题", "热点", "频道", "天地", "周刊")

#: Articles on one list page.
LIST_LENGTH = 20
#: Shares of the pages that portals and dead ends have; small sites have the rest.
_PORTAL_SHARE, _DEAD_SHARE = 0.5, 0.22
#: Pages of a portal and of a dead end, on average.
_PORTAL_PAGES, _DEAD_PAGES = 500, 180
#: Shares of the links between domains that lead to any portal, and to any domain; the others lead to a
#: near one.
_TO_PORTALS, _LONG_LINKS = 0.12, 0.08
#: Steps on the ring of all others, at most.
_NEAR = 8
SYLLABLES = (
    "an", "bai", "chang", "dong", "feng", "gao", "hai", "jin", "lan", "long", "ming", "nan",
    "ning", "ping", "qing", "shan", "tai", "wu", "xi", "xin", "yang", "yun", "zhong", "zhou",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A channel of a portal, or all of a smaller site: pages of one topic."""

    domain: int
    root: str
    """URL of its home page."""
    name: str
    topic: str
    articles: int

    @property
    def lists(self) -> int:
        """Number of list pages."""
        return ceil(self.articles / LIST_LENGTH)


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A registered domain; its number is its place on the ring."""

    number: int
    kind: str
    """"portal", "dead" or "small"."""
    name: str
    sections: tuple[Section, ...]
    title: str
    """Name of the site, as links show it."""

    @property
    def root(self) -> str:
        """URL of the home page."""
        return f"http://www.{self.name}.example/"


class Place(NamedTuple):
    """One page: "home" of a domain, or "front", "list" or "article" of a section."""

    kind: str
    domain: Domain
    section: Section | None = None
    number: int = 0


class PortalWeb:
    """Domains, pages and links of a web of about *size* pages, all computed from (*seed*, *size*)."""

    def __init__(self, size: int, seed: int) -> None:
        if size < 500:
            raise ValueError(f"size of a web of portals must be >= 500 pages, got {size}")
        self.seed = seed
        self.domains = tuple(self._domain(i, *plan) for i, plan in enumerate(self._plans(size)))
        self._portals = tuple(domain for domain in self.domains if domain.kind == "portal")
        self.places = dict(self._pages())
        self.links = lru_cache(None)(self._links)

    # -- domains -------------------------------------------------------------------------------

    def _plans(self, size: int) -> list[tuple[str, list[str], int]]:
        """Return (kind, topics of the sections, pages) of each domain, in the order of the ring."""
        draws = Draws(self.seed, "plans", size)
        portals = max(3, round(size * _PORTAL_SHARE / _PORTAL_PAGES))
        sections = [["" for _ in range(9 + draws.below(7))] for _ in range(portals)]
        for topic in TOPIC_NAMES:
            for portal in draws.sample(2 + draws.below(max(2, portals // 3)), portals):
                free = [i for i, taken in enumerate(sections[portal]) if not taken]
                sections[portal][draws.pick(free or [0])] = topic
        plans = [
            ("portal", [topic or draws.pick(FILLERS) for topic in topics], _PORTAL_PAGES)
            for topics in sections
        ]
        plans.extend(
            ("dead", [draws.pick(FILLERS)], _DEAD_PAGES * 2 // 3 + draws.below(120))
            for _ in range(max(2, round(size * _DEAD_SHARE / _DEAD_PAGES)))
        )
        left = size * (1 - _PORTAL_SHARE - _DEAD_SHARE)
        while left > 0:
            pages = 1 + draws.below(3) + (draws.below(20) if draws.chance(0.15) else 0)
            topic = draws.pick(tuple(TOPIC_NAMES)) if draws.chance(0.1) else draws.pick(FILLERS)
            plans.append(("small", [topic], pages))
            left -= pages + 1
        order = sorted(range(len(plans)), key=lambda i: Draws(self.seed, "ring", i).below(1 << 30))
        return [plans[i] for i in order]

    def _domain(self, number: int, kind: str, topics: Sequence[str], pages: int) -> Domain:
        draws = Draws(self.seed, "domain", number)
        name = self._name(number, topics, draws)
        weights = [1 + draws.below(4) + (topic in TOPIC_NAMES) for topic in topics]
        sections = []
        for index, (topic, weight) in enumerate(zip(topics, weights, strict=True)):
            articles = round(pages * weight / sum(weights) * 0.9)
            if kind != "portal":
                root, slug = f"http://www.{name}.example/", draws.pick(("news", "view", "t"))
                root += f"{slug}/"
            else:
                plain = topic in TOPIC_NAMES and draws.chance(0.5)
                slug = topic if plain else f"{draws.pick(SYLLABLES)}{index}"
                directory = draws.chance(0.4)
                root = (
                    f"http://www.{name}.example/{slug}/"
                    if directory
                    else f"http://{slug}.{name}.example/"
                )
            sections.append(Section(number, root, self._label(topic, draws), topic, articles))
        return Domain(number, kind, name, tuple(sections), self._site_title(name, topics))

    def _name(self, number: int, topics: Sequence[str], draws: Draws) -> str:
        """Return the registered name of a domain, without its suffix."""
        return "".join(draws.pick(SYLLABLES) for _ in range(2)) + str(number)

    def _label(self, topic: str, draws: Draws) -> str:
        """Return the name of a section."""
        named = topic in TOPIC_NAMES and draws.chance(0.5)
        return TOPIC_NAMES[topic] if named else draws.pick(VAGUE_NAMES)

    def _site_title(self, name: str, topics: Sequence[str]) -> str:
        return f"{name}网"

    # -- pages ---------------------------------------------------------------------------------

    def _pages(self) -> Iterator[tuple[str, Place]]:
        for domain in self.domains:
            home = Place("home", domain)
            yield domain.root, home
            if domain.kind == "portal":
                yield domain.root.replace("www.", ""), home
            for section in domain.sections:
                if domain.kind == "portal":
                    yield section.root, Place("front", domain, section)
                for number in range(section.lists if domain.kind != "small" else 0):
                    yield self.list_url(section, number), Place("list", domain, section, number)
                for number in range(section.articles):
                    place = Place("article", domain, section, number)
                    yield self.article_url(section, number), place

    def list_url(self, section: Section, number: int) -> str:
        """Return the URL of a list page, *number* from 0."""
        return f"{section.root}list_{number + 1}.html"

    def article_url(self, section: Section, number: int) -> str:
        """Return the URL of an article, *number* from 0."""
        return f"{section.root}{2018 + number % 6}/{number % 12 + 1:02d}/{number + 100}.html"

    # -- links ---------------------------------------------------------------------------------

    def _links(self, url: str) -> tuple[str, ...]:
        """Return the URLs that a page links to, each once (cached as ``links``)."""
        place = self.places[url]
        draws = Draws(self.seed, "links", url.replace("//www.", "//"))
        found = {target: None for target in self._targets(place, draws) if target != url}
        return tuple(found)

    def _targets(self, place: Place, draws: Draws) -> Iterator[str]:
        domain, section = place.domain, place.section
        twin = domain.kind == "portal" and draws.chance(0.2)
        yield domain.root.replace("www.", "", 1) if twin else domain.root
        if section is None:
            yield from self._home(place, draws)
            return
        if domain.kind == "portal":
            yield section.root
            others = Draws(self.seed, "menu", section.root).sample(5, len(domain.sections))
            yield from (domain.sections[i].root for i in others)
        if place.kind == "article":
            yield from self._article(place, section, draws)
        elif place.kind == "list":
            first = place.number * LIST_LENGTH
            for number in range(first, min(first + LIST_LENGTH, section.articles)):
                yield self.article_url(section, number)
            for number in (place.number - 1, place.number + 1):
                if 0 <= number < section.lists:
                    yield self.list_url(section, number)
        else:
            yield from (self.list_url(section, n) for n in range(min(4, section.lists)))
            yield from (self.article_url(section, n) for n in range(min(12, section.articles)))
            yield from self._elsewhere(place, draws, 1 + draws.below(3))

    def _home(self, place: Place, draws: Draws) -> Iterator[str]:
        domain = place.domain
        for section in domain.sections:
            if domain.kind == "portal":
                yield section.root
                newest = 2
            else:
                newest = 10
                lists = min(2, section.lists) if domain.kind == "dead" else 0
                yield from (self.list_url(section, n) for n in range(lists))
            yield from (self.article_url(section, n) for n in range(min(newest, section.articles)))
        friends = {"portal": 10, "dead": 3}.get(domain.kind, 4 + draws.below(9))
        yield from self._elsewhere(place, draws, friends)

    def _article(self, place: Place, section: Section, draws: Draws) -> Iterator[str]:
        domain = place.domain
        for number in (place.number - 1, place.number + 1):
            if 0 <= number < section.articles:
                yield self.article_url(section, number)
        related = 40 if domain.kind == "dead" else 4
        for number in draws.sample(related, section.articles):
            yield self.article_url(section, number)
        if domain.kind == "dead":
            yield self.list_url(section, draws.below(section.lists))
        if domain.kind == "portal":
            for _ in range(3):
                other = draws.pick(domain.sections)
                if other.articles:
                    yield self.article_url(other, draws.below(other.articles))
        if domain.kind != "dead" and draws.chance(0.1):
            yield from self._elsewhere(place, draws, 1)

    def _elsewhere(self, place: Place, draws: Draws, count: int) -> Iterator[str]:
        """Yield home pages of domains, most of them near that of *place* on the ring."""
        domain = place.domain
        size = len(self.domains)
        for _ in range(count):
            if draws.chance(_TO_PORTALS):
                # Three draws out of four are among the better known half.
                known = self._portals[: len(self._portals) // 2 or 1]
                yield draws.pick(known if draws.chance(0.75) else self._portals).root
                continue
            step = 1 + draws.below(_NEAR)
            if draws.chance(_LONG_LINKS):
                step = 1 + draws.below(size - 1)
            yield self.domains[(domain.number + draws.pick((-1, 1)) * step) % size].root
