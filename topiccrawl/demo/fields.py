"""The web of portals with topical neighborhoods: sites link to sites of their own field.

What a web of portals lacks between its sites, as hypertext research describes it:

- Pages link to pages on their own topic far more often than chance would have it (Davison, "Topical
  locality in the Web", SIGIR 2000; Chakrabarti et al., "The structure of broad topics on the Web", WWW
  2002; Menczer, "Lexical and semantic clustering by Web links", JASIST 55, 2004).
- Siblings, the targets of one page, are alike (Davison): pages of one field exchange links (友情链接), and
  directories list the sites of each field on a page.
- Anchors name the subject of what they lead to (Davison), and some host names do.

The papers give the direction; the shares below are guesses, except where a measurement is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.portals import FILLERS, TOPIC_NAMES, Domain, Place, PortalWeb, Section

#: Share of the links between sites that lead to the field of the page they stand on.
_OWN_FIELD = 0.5
#: Share of these that lead to any place of the field; the others lead to one of the next places of the
#: field on the ring, at most so many steps away.
_ANYWHERE, _NEXT = 0.2, 4
#: Share of the links between sites that lead to a directory.
_TO_DIRECTORIES = 0.04
#: Pages of the web for each directory, at least one; share of a field's places that it lists, at most so
#: many.
_DIRECTORY_PAGES, _LISTED, _MOST_LISTED = 3_000, 0.3, 30
#: Share of the small sites on one of the topics, six together.
_SMALL_ON_TOPIC = 0.24
#: Links to other sites on the front page of a channel, at least, and how many more at most: the
#: 友情链接 at its foot.
_FRIENDS, _MORE_FRIENDS = 4, 8
#: Shares of the channels on a topic, and of the small sites, whose names tell their field.  Of the links
#: to home pages of other sites on 61 real Chinese pages, .21 do; names of channels nearly always do.
_CHANNELS_NAMED, _SITES_NAMED = 0.8, 0.25
#: Share of the small sites whose host names tell their field, in Pinyin or English.
_HOSTS_NAMED = 0.2
#: Names of each field in anchors and in host names.
_NAMES = {
    "qiaoqing": (("侨务", "侨界", "华人"), ("qiao", "huaren")),
    "sport": (("体育", "球迷", "足球"), ("tiyu", "sports")),
    "finance": (("财经", "金融", "股票"), ("caijing", "finance")),
    "food": (("美食", "餐饮", "小吃"), ("meishi", "food")),
    "technology": (("科技", "数码", "软件"), ("keji", "tech")),
    "estate": (("房产", "楼市", "家居"), ("fang", "house")),
}


class FieldWeb(PortalWeb):
    """Domains, pages and links of a web of about *size* pages, all computed from (*seed*, *size*).

    The field of a page is the topic of its section, or that of its site if that is a small one.
    """

    def _plans(self, size: int) -> list[tuple[str, list[str], int]]:
        plans = super()._plans(size)
        draws = Draws(self.seed, "fields", size)
        for kind, topics, _pages in plans:
            if kind == "small":
                on_topic = draws.chance(_SMALL_ON_TOPIC)
                topics[0] = draws.pick(tuple(TOPIC_NAMES)) if on_topic else draws.pick(FILLERS)
        fields = [*TOPIC_NAMES, *dict.fromkeys(FILLERS)]
        for _ in range(max(1, round(size / _DIRECTORY_PAGES))):
            plans.insert(draws.below(len(plans)), ("directory", fields, 0))
        return plans

    def _domain(self, number: int, kind: str, topics: Sequence[str], pages: int) -> Domain:
        domain = super()._domain(number, kind, topics, pages)
        if kind != "directory":
            return domain
        sections = tuple(
            replace(
                section, root=f"{domain.root}{i}/", name=f"{TOPIC_NAMES.get(topic, '其他')}网站"
            )
            for i, (section, topic) in enumerate(zip(domain.sections, topics, strict=True))
        )
        return replace(domain, sections=sections)

    def _name(self, number: int, topics: Sequence[str], draws: Draws) -> str:
        name = super()._name(number, topics, draws)
        own = Draws(self.seed, "host", number)
        if len(topics) == 1 and topics[0] in _NAMES and own.chance(_HOSTS_NAMED):
            return own.pick(_NAMES[topics[0]][1]) + name
        return name

    def _label(self, topic: str, draws: Draws) -> str:
        label = super()._label(topic, draws)
        named = topic in _NAMES and draws.chance(_CHANNELS_NAMED)
        return draws.pick(_NAMES[topic][0]) if named else label

    def _site_title(self, name: str, topics: Sequence[str]) -> str:
        own = Draws(self.seed, "title", name)
        if len(topics) == 1 and topics[0] in _NAMES and own.chance(_SITES_NAMED):
            return f"{name}{own.pick(_NAMES[topics[0]][0])}网"
        return super()._site_title(name, topics)

    # -- pages and links -----------------------------------------------------------------------

    def _pages(self) -> Iterator[tuple[str, Place]]:
        yield from super()._pages()
        for domain in self.domains:
            if domain.kind == "directory":
                for section in domain.sections:
                    yield section.root, Place("category", domain, section)

    @cached_property
    def _of_field(self) -> dict[str, list[tuple[int, str]]]:
        """The places of each field on the ring: small sites, and the front pages of channels."""
        found: dict[str, list[tuple[int, str]]] = {}
        for domain in self.domains:
            for section in domain.sections:
                if domain.kind in ("small", "portal"):
                    root = domain.root if domain.kind == "small" else section.root
                    found.setdefault(section.topic, []).append((domain.number, root))
        return found

    @cached_property
    def _directories(self) -> list[str]:
        return [domain.root for domain in self.domains if domain.kind == "directory"]

    def _targets(self, place: Place, draws: Draws) -> Iterator[str]:
        if place.kind == "category":
            assert place.section is not None
            yield place.domain.root
            yield from self._listed(place.section, draws)
            return
        yield from super()._targets(place, draws)
        if place.kind == "home" and place.domain.kind == "directory":
            yield from (section.root for section in place.domain.sections)
        elif place.kind == "front":
            yield from self._elsewhere(place, draws, _FRIENDS + draws.below(_MORE_FRIENDS + 1))

    def _listed(self, section: Section, draws: Draws) -> Iterator[str]:
        """Yield the places of a field that a directory lists."""
        places = self._of_field.get(section.topic, [])
        count = min(_MOST_LISTED, round(_LISTED * len(places)))
        yield from (places[i][1] for i in draws.sample(count, len(places)))

    def _elsewhere(self, place: Place, draws: Draws, count: int) -> Iterator[str]:
        section = place.section
        if section is None and place.domain.kind == "small":
            section = place.domain.sections[0]
        for _ in range(count):
            if draws.chance(_TO_DIRECTORIES):
                yield draws.pick(self._directories)
            elif section is not None and draws.chance(_OWN_FIELD):
                yield self._in_field(section, draws)
            else:
                yield from super()._elsewhere(place, draws, 1)

    def _in_field(self, section: Section, draws: Draws) -> str:
        """Return the root of another place of the field, most often a near one on the ring."""
        places = [each for each in self._of_field[section.topic] if each[0] != section.domain]
        if not places:
            return self.domains[section.domain].root
        if draws.chance(_ANYWHERE):
            return draws.pick(places)[1]
        before = sum(number < section.domain for number, _ in places)
        step = draws.below(2 * _NEXT) - _NEXT
        return places[(before + step) % len(places)][1]
