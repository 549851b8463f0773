"""Relevance of the strings of a link to a topic: its name, its surroundings and its address.

Sites repeat all three, but not together: an article has the same address and name on every page, among
different neighbors.  So each of the three has a cache of its own, and all new strings of a page are
segmented in one call, which takes a tenth of the time of single calls.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from topiccrawl.analysis.features import (
    ANCHOR_WORDS,
    URL_WORDS,
    WIDTH,
    host_feature_ids,
    word_feature_ids,
)
from topiccrawl.analysis.recent import Recent
from topiccrawl.scoring.vsm import cosine

if TYPE_CHECKING:
    from topiccrawl.analysis.semantic import WordSimilarity
    from topiccrawl.topics.topic import Topic

#: Entries in each of the three caches (a choice).  An entry takes 0.6 kB with its
#: strings, so all three some 15 MB (measured on 38,000 links of synthetic and English pages, 2026-11).
KEPT = 8_192

#: Characters of the links in a cache: ordinary links have 250 (a choice; those of a hostile page have 3,000).
KEPT_CHARACTERS = 4_000_000

_URL_PUNCTUATION = re.compile(r"[/_.?&=+\-:;,()'\"]+")


# Named tuples: one is created for each new string, and a frozen dataclass takes five times as long.
class Name(NamedTuple):
    """Relevance of the anchor and title of a link."""

    anchor_value: float
    """Highest rel(t) in the anchor, 0 for none."""
    title_value: float
    """The same in the title."""
    similarity: float
    """Cosine of anchor and title with the topic."""
    semantic: float
    """M_k of both; nan if no strategy wants it."""
    feature_ids: tuple[int, ...]


class Surroundings(NamedTuple):
    """Relevance of the text around a link."""

    value: float
    """Highest rel(t), 0 for none."""
    similarity: float
    feature_ids: tuple[int, ...]


class Address(NamedTuple):
    """Relevance of the URL and the onmouseover text of a link."""

    value: float
    """Of the best token or term in it, 0 for none."""
    semantic: float
    """M_k of its terms; nan if no strategy wants it."""
    feature_ids: tuple[int, ...]
    """Of its words."""
    host: str
    """With the port, if the URL has one."""
    host_feature_ids: tuple[int, ...]
    """Features of host and directory."""


class LinkText:
    """Computes the relevance of the strings of links for one topic.

    *features*: hashed features are computed; *words* is the semantic similarity to the topic.
    """

    def __init__(self, topic: Topic, *, features: bool, words: WordSimilarity | None) -> None:
        self._topic = topic
        self._hashed = features
        self._words = words
        # A plain set: each word of each link is looked up.
        self._known_terms = frozenset(topic.vector)
        bounds = KEPT, KEPT_CHARACTERS
        self._names: Recent[tuple[str, str], Name] = Recent(*bounds, characters)
        self._surroundings: Recent[str, Surroundings] = Recent(*bounds, len)
        self._addresses: Recent[tuple[str, str], Address] = Recent(*bounds, characters)

    def read(
        self, strings: Sequence[tuple[str, str, str, str, str]]
    ) -> list[tuple[Name, Surroundings, Address]]:
        """Return the relevance of links.

        *strings* are (anchor, title, context, URL, onmouseover) of each link.
        """
        names = self._names.find(s[:2] for s in strings)
        around = self._surroundings.find(s[2] for s in strings)
        addresses = self._addresses.find(s[3:] for s in strings)
        new_names = dict.fromkeys(s[:2] for s in strings if s[:2] not in names)
        new_around = dict.fromkeys(s[2] for s in strings if s[2] not in around)
        new_addresses = dict.fromkeys(s[3:] for s in strings if s[3:] not in addresses)
        if new_names or new_around or new_addresses:
            texts = [text for name in new_names for text in name]
            texts += new_around
            texts += [_address_text(url, hover) for url, hover in new_addresses]
            terms = iter(self._topic.analyzer.terms_all(texts))
            made_names = {name: self._name(next(terms), next(terms)) for name in new_names}
            made_around = {context: self._around(next(terms)) for context in new_around}
            tokens = self._topic.url_tokens.match_all([url for url, _ in new_addresses])
            made_addresses = {
                address: self._address(address[0], found, next(terms))
                for address, found in zip(new_addresses, tokens, strict=True)
            }
            self._names.add(made_names)
            self._surroundings.add(made_around)
            self._addresses.add(made_addresses)
            names, around = names | made_names, around | made_around
            addresses |= made_addresses
        return [(names[s[:2]], around[s[2]], addresses[s[3:]]) for s in strings]

    def url_value(self, url: str, hover: str = "") -> float:
        """Return the highest value of a topic token or term in *url* or *hover*, 0 for none."""
        terms = self._topic.analyzer.terms(_address_text(url, hover))
        return self._url_value(self._topic.url_tokens.match(url), terms)

    def _url_value(self, tokens: Sequence[tuple[str, float]], terms: Sequence[str]) -> float:
        return max(tokens[0][1] if tokens else 0.0, self._value(terms))

    def _value(self, terms: Sequence[str]) -> float:
        """Return the highest rel(t) of the graded terms in *terms*, 0 for none."""
        return max([value for _, value in self._topic.rel(terms)], default=0.0)

    def _similarity(self, terms: Sequence[str]) -> float:
        """Return the cosine with the topic ([thesis] 4.10); fast for texts without any of its terms."""
        if self._known_terms.isdisjoint(terms):
            return 0.0
        return cosine(self._topic.weigh(terms), self._topic.vector)

    def _name(self, anchor: list[str], title: list[str]) -> Name:
        named = anchor + title
        return Name(
            self._value(anchor),
            self._value(title) if title else 0.0,
            self._similarity(named),
            self._words.mean_top(named) if self._words else math.nan,
            word_feature_ids("anchor", named, ANCHOR_WORDS) if self._hashed else (),
        )

    def _around(self, terms: list[str]) -> Surroundings:
        return Surroundings(
            self._value(terms),
            self._similarity(terms),
            word_feature_ids("context", terms, WIDTH) if self._hashed else (),
        )

    def _address(self, url: str, tokens: Sequence[tuple[str, float]], terms: list[str]) -> Address:
        value = self._url_value(tokens, terms)
        semantic = self._words.mean_top(terms) if self._words else math.nan
        if not self._hashed:
            return Address(value, semantic, (), "", ())
        host, host_ids = host_feature_ids(url)
        words = word_feature_ids("url", [*_labels(host), *terms], URL_WORDS)
        return Address(value, semantic, words, host, host_ids)


def characters(key: tuple[str, ...]) -> int:
    """Return the length of a key of a cache."""
    return sum(map(len, key))


def _labels(host: str) -> list[str]:
    """Return the labels of a host name without ``www`` and the last one.

    Portals name channels both ways, ``sports.example.com`` and ``example.com/sports/``, and each under
    the same word as the next portal.
    """
    return [label for label in host.lower().split(".")[:-1] if label not in ("www", "")]


def _address_text(url: str, hover: str) -> str:
    try:
        parts = urlsplit(url)
        text = unquote(f"{parts.path} {parts.query} {hover}")
    except ValueError:  # links that do not come from a Page may be malformed
        text = hover
    return _URL_PUNCTUATION.sub(" ", text)
