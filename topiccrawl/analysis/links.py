"""The links of a page as the arrays that crawl strategies score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from topiccrawl.analysis.features import (
    feature_id,
    feature_rows,
    link_feature_ids,
    position_feature_ids,
)
from topiccrawl.analysis.linktext import (
    KEPT,
    KEPT_CHARACTERS,
    Address,
    LinkText,
    Name,
    Surroundings,
    characters,
)
from topiccrawl.analysis.places import NOWHERE, Location, front_of, location_of
from topiccrawl.analysis.recent import Recent
from topiccrawl.page.trail import MAX_NAME_CHARACTERS
from topiccrawl.scoring.strategy import (
    ANCHOR_CHARACTERS,
    IN_CHANNEL,
    N_FEATURES,
    NAMED_FRONT,
    OTHER_FRONT,
    LinkBatch,
    TextArray,
)
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from topiccrawl.analysis.semantic import WordSimilarity
    from topiccrawl.page.links import Link
    from topiccrawl.topics.topic import Topic

#: Weight of a match in the context of a link relative to one in its anchor.  The words around a link
#: also describe its neighbors; with a half, even a core term alone only just reaches the threshold
#: c = 0.5 (a guess).
CONTEXT_DISCOUNT = 0.5
#: Nothing is added to an anchor or title of so many characters: a page may link 2,000 times to one target
#: (a guess).
MERGED_CHARACTERS = 600
#: Longest name of a channel that no keyword names: most have two to six characters, headlines ten and more
#: (a choice).
OTHER_NAME_CHARACTERS = 8


@dataclass(slots=True)
class MergedLink:
    """All links of one page to one target, their texts combined."""

    url: str
    """As written in the page, made absolute: the URL to request."""
    canonical: str
    anchor: str
    context: str
    title: str
    hover: str
    nofollow: bool
    region: str = ""
    """Of the first link, like the tag path."""
    tag_path: str = ""
    written: str = ""
    """The address in the page, if :attr:`url` is that of the same page on a preferred mirror."""
    again: bool = False
    """Whether it is requested although it may be known: it was taken for a copy of another page."""


class LinkFeatures(NamedTuple):
    """Relevance of the texts of one link to the topic."""

    url_value: float
    text_value: float
    title_value: float
    anchor_similarity: float
    context_similarity: float
    feature_ids: tuple[int, ...] = ()
    """Hashed features, see :mod:`topiccrawl.analysis.features`; empty if no strategy wants them."""
    anchor_semantic: float = math.nan
    """M_k of anchor and title, see :mod:`topiccrawl.analysis.semantic`; nan if no strategy wants it."""
    url_semantic: float = math.nan
    """M_k of the URL."""
    location: Location = NOWHERE
    """Known if ``feature_ids`` are wanted."""
    front: int = 0
    """Where the channel lies to whose front page the link may lead, as ``LinkBatch.fronts``."""
    called: int = 0
    """Feature id of the name by which the link calls that channel, 0 if its text is too long or too short."""
    named: bool = False
    """Whether a keyword names that channel."""

    @property
    def rw_relevance(self) -> float:
        """``R(url) = max rel(t)`` over the extended metadata of the link ([thesis] 4.5)."""
        return max(self.url_value, self.text_value, self.title_value)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The unique link targets of one page, in page order, and their arrays."""

    links: Sequence[MergedLink] = ()
    batch: LinkBatch = field(default_factory=lambda: batch_of((), ()))

    def select(self, chosen: Sequence[bool]) -> PageLinks:
        """Return the chosen links with their rows of all arrays; *chosen* has a flag for each link."""
        mask = np.array(chosen, dtype=bool)
        rows = {it.name: getattr(self.batch, it.name)[mask] for it in fields(LinkBatch)}
        return PageLinks(list(compress(self.links, chosen)), LinkBatch(**rows))


def merge(links: Sequence[tuple[str, Link]]) -> list[MergedLink]:
    """Merge the links to each canonical URL, in order of first appearance.

    Anchor texts are joined (an image link and a text link to one article describe it together), and so
    are titles; the longest context is kept.  A target is nofollow only if every link to it is.

    *links* are pairs of canonical URL and link.
    """
    merged: dict[str, MergedLink] = {}
    for canonical, link in links:
        anchor = " ".join(part for part in (link.anchor, link.alt) if part)
        title = " ".join(part for part in (link.title, link.name) if part)
        known = merged.get(canonical)
        if known is None:
            merged[canonical] = MergedLink(
                url=link.url,
                canonical=canonical,
                anchor=anchor,
                context=link.context,
                title=title,
                hover=link.onmouseover,
                nofollow=link.nofollow,
                region=link.region,
                tag_path=link.tag_path,
            )
            continue
        known.nofollow = known.nofollow and link.nofollow
        if anchor and len(known.anchor) < MERGED_CHARACTERS and anchor not in known.anchor:
            known.anchor = f"{known.anchor} {anchor}".strip()
        if title and len(known.title) < MERGED_CHARACTERS and title not in known.title:
            known.title = f"{known.title} {title}".strip()
        if len(link.context) > len(known.context):
            known.context = link.context
    return list(merged.values())


#: Anchor, title, context, URL, onmouseover, region and tag path.
_LinkKey = tuple[str, str, str, str, str, str, str]


class LinkReader:
    """Computes the features of links for one topic.

    Results are cached, because sites repeat their navigation.

    *features*: links get hashed features; *terms*: pages get hashed terms; *words* is the semantic similarity
    to the topic. *classified*: a page classifier learns from the pages, which get what it wants; *leads*: pages
    are compared by meaning, *anchors*: links are, too.
    """

    def __init__(
        self,
        topic: Topic,
        *,
        features: bool = False,
        terms: bool = False,
        words: WordSimilarity | None = None,
        classified: bool = True,
        leads: bool = False,
        anchors: bool = False,
    ) -> None:
        self._topic = topic
        self._text = LinkText(topic, features=features, words=words)
        self._hashed = features
        # Whole links recur on every page of a site; a look-up here takes half the time of three in
        # the caches of LinkText.  KEPT of them are 5 MB besides the strings, which those keep, too.
        self._known: Recent[_LinkKey, LinkFeatures] = Recent(KEPT, KEPT_CHARACTERS, characters)
        self.terms = terms
        self.words = words
        self.classified = classified
        self.leads = leads
        self._anchors = anchors

    def read(self, links: Sequence[MergedLink]) -> PageLinks:
        """Return *links* and their features as arrays, one row per link."""
        keys = [(x.anchor, x.title, x.context, x.url, x.hover, x.region, x.tag_path) for x in links]
        known = self._known.find(keys)
        new = {key: x for key, x in zip(keys, links, strict=True) if key not in known}
        if new:
            texts = self._text.read([key[:5] for key in new])
            made = {
                key: self._features(link, *text)
                for (key, link), text in zip(new.items(), texts, strict=True)
            }
            self._known.add(made)
            known |= made
        found = [known[key] for key in keys]
        return PageLinks(
            links,
            batch_of(
                [link_id(link.canonical) for link in links],
                found,
                semantic=self.words is not None,
                hashed=self._hashed,
                anchors=[link.anchor for link in links] if self._anchors else None,
                channels=_channels(links, found) if self._hashed else (),
            ),
        )

    def url_value(self, url: str, hover: str = "") -> float:
        """Return the highest value of a topic token or term in *url* or *hover*, 0 for none."""
        return self._text.url_value(url, hover)

    def _features(
        self, link: MergedLink, name: Name, around: Surroundings, address: Address
    ) -> LinkFeatures:
        return LinkFeatures(
            address.value,
            max(name.anchor_value, CONTEXT_DISCOUNT * around.value),
            name.title_value,
            name.similarity,
            around.similarity,
            link_feature_ids(
                address.host_feature_ids,
                position_feature_ids(address.host, link.tag_path, link.region),
                name.feature_ids,
                address.feature_ids,
                around.feature_ids,
            )
            if self._hashed
            else (),
            name.semantic,
            address.semantic,
            location_of(link.canonical) if self._hashed else NOWHERE,
            *self._channel(link, name),
        )

    def _channel(self, link: MergedLink, name: Name) -> tuple[int, int, bool]:
        """Return where the channel lies to whose front page a link may lead, its name, and if a keyword names it."""
        front = front_of(link.canonical) if self.classified else 0
        called = link.anchor.strip()
        if not front or not 2 <= len(called) <= MAX_NAME_CHARACTERS:
            return front, 0, False
        named = bool(name.anchor_value) and self._topic.names_channel(called)
        return front, feature_id("channel", called), named


def _channels(links: Sequence[MergedLink], features: Sequence[LinkFeatures]) -> list[int]:
    """Return the values of ``LinkBatch.channels`` of the links of a page."""
    named = {it.front for it in features if it.named}
    domains = {front // N_FEATURES for front in named}
    found = []
    for link, it in zip(links, features, strict=True):
        if it.front in named:
            found.append(NAMED_FRONT)
        elif it.location.place.domain in domains and not named.isdisjoint(it.location.fronts):
            found.append(IN_CHANNEL)
        else:
            # Articles may have addresses without an ending, too.
            is_name = link.canonical.endswith("/") and 0 < len(link.anchor) <= OTHER_NAME_CHARACTERS
            found.append(OTHER_FRONT if it.front and is_name else 0)
    return found


def batch_of(
    ids: Sequence[int],
    features: Sequence[LinkFeatures],
    *,
    semantic: bool = False,
    hashed: bool = False,
    anchors: Sequence[str] | None = None,
    channels: Sequence[int] = (),
) -> LinkBatch:
    """Return the features of links as arrays, one row per link.

    Of n links, *semantic* includes the semantic similarity, shape (n, 2), else (n, 0); *hashed* their places,
    shape (n, 4), else (n, 0); *anchors* are their texts, to include them, shape (n, 1), else (n, 0).
    *channels* are ``LinkBatch.channels``.
    """
    n = len(features)
    columns = np.array(
        [
            (
                f.rw_relevance,
                f.anchor_similarity,
                f.context_similarity,
                f.url_value,
                f.text_value,
                f.title_value,
            )
            for f in features
        ],
        dtype=np.float64,
    ).reshape(n, 6)
    return LinkBatch(
        targets=np.asarray(ids, dtype=np.int64),
        rw_relevance=columns[:, 0],
        url_hit=columns[:, 3] > 0,
        text_hit=columns[:, 4] > 0,
        title_hit=columns[:, 5] > 0,
        anchor_similarity=columns[:, 1],
        context_similarity=columns[:, 2],
        features=feature_rows([f.feature_ids for f in features]),
        semantic=np.array([(f.anchor_semantic, f.url_semantic) for f in features]).reshape(n, 2)
        if semantic
        else np.empty((n, 0)),
        places=np.array([f.location.place for f in features], dtype=np.int32).reshape(n, 4)
        if hashed
        else np.empty((n, 0), dtype=np.int32),
        anchors=_anchor_column(anchors) if anchors is not None else np.empty((n, 0), np.object_),
        fronts=np.array([[f.front if f.named else 0] for f in features], dtype=np.int64)
        if any(f.named for f in features)
        else np.empty((n, 0), dtype=np.int64),
        channels=np.array(channels, dtype=np.int32).reshape(n, 1)
        if any(channels)
        else np.empty((n, 0), dtype=np.int32),
        menus=np.array([(f.front, f.called) if f.called else (0, 0) for f in features], np.int64)
        if any(f.called for f in features)
        else np.empty((n, 0), dtype=np.int64),
    )


def _anchor_column(anchors: Sequence[str]) -> TextArray:
    column = np.empty((len(anchors), 1), dtype=np.object_)
    column[:, 0] = [anchor[:ANCHOR_CHARACTERS].strip() for anchor in anchors]
    return column
