"""The spread of a story: from whom each member took the text.

A tree: every member but the first publisher has one source.  Evidence, in this order:

1. The page names its origin (:mod:`topiccrawl.stories.claims`): the source is the member that is a page of
   that outlet, or the outlet itself as a node when none of its pages is a member.
2. Otherwise time and text: among the members that were not certainly published later, the one whose
   text shares most of the edits (:mod:`topiccrawl.stories.likeness`); without any difference, the first
   publisher.

What would close a circle (a wrong clock, two pages that name each other) is left out, least certain
first.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import numpy as np

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.stories.claims import Claim, Evidence
from topiccrawl.stories.clocks import LAST
from topiccrawl.stories.likeness import Likeness, likeness
from topiccrawl.stories.members import StoryPage
from topiccrawl.stories.outlets import name_of
from topiccrawl.stories.representative import DIRECT, Traces, first_publisher
from topiccrawl.urls.domains import registered_domain

#: Why one node is the source of another: how the page names it, or other evidence.
Reason = Literal["link", "source-line", "credit", "dateline", "report", "text", "time"]

#: Probability that a page took the text from where it states, by the kind of statement (guesses, compared
#: with ``benchmarks/spread.py``).
_STATED: Final[dict[Evidence, float]] = {
    "link": 0.97,
    "source-line": 0.95,
    "credit": 0.9,
    "dateline": 0.7,
    "report": 0.6,
}
#: The same, as a factor, if no page of the named outlet is a member: the name may be misread (a guess).
_ABSENT: Final = 0.9
#: The same if the named page states a later time than the page.
_LATER: Final = 0.8
#: Probability of a source found by text: from the first with hardly any shared edits to the second.
_BY_TEXT: Final = (0.35, 0.75)
#: Probability of a source that only the time suggests.
_BY_TIME: Final = 0.3
#: Sites that must name an outlet without a member before it counts as the origin (a guess).
_MOST_NAMED: Final = 2
#: Least difference of two similarities that counts.
_LEAST_GAIN: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Node:
    """A page, or an outlet that is named and of which no page is a member."""

    id: str
    """URL of the page, or ``outlet:`` and the key of the outlet."""
    name: str
    """Name of the outlet."""
    page: StoryPage | None
    """``None`` for an outlet that is only named."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A member and its source."""

    copy: str
    """Id of the node that took the text."""
    source: str
    """Id of the node from which it did."""
    confidence: float
    """Probability, in [0, 1]."""
    reason: Reason
    detail: str = ""
    """The outlet's name as the page writes it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Who took a story from whom."""

    first: str
    """URL of the first publisher's page."""
    first_confidence: float
    nodes: Mapping[str, Node]
    edges: Mapping[str, Edge]
    """By the copy's id; roots have none."""

    @property
    def root(self) -> str:
        """Id of the node without a source under which the first publisher is."""
        at = self.first
        while at in self.edges:
            at = self.edges[at].source
        return at

    def children(self) -> dict[str, list[str]]:
        """Return the ids of each node's copies, in the order of :attr:`nodes`."""
        found: dict[str, list[str]] = {}
        for at in self.nodes:
            if at in self.edges:
                found.setdefault(self.edges[at].source, []).append(at)
        return found


def spread(members: Sequence[ComparedPage]) -> Spread:
    """Return the spread of the story of *members*, in whatever order they come."""
    traces = Traces.of(members)
    first = first_publisher(traces)
    order = sorted(traces.members, key=lambda page: _time_key(page, traces, first.page.url))
    tree = _Tree(traces, order, first.page.url)
    tree.add_stated()
    tree.add_guessed()
    return Spread(first.page.url, first.confidence, tree.nodes, tree.edges)


def _time_key(page: StoryPage, traces: Traces, first: str) -> tuple[bool, datetime, datetime, str]:
    span = traces.spans.get(page.url)
    known = span.middle if span else page.fetched_at or LAST
    return page.url != first, known, page.fetched_at or LAST, page.url


class _Tree:
    """The tree while it grows; no edge closes a circle."""

    def __init__(self, traces: Traces, order: Sequence[StoryPage], first: str) -> None:
        self._traces = traces
        self._order = order
        self._first = first
        self._site = {page.url: page.site for page in order}
        self._place = {page.url: at for at, page in enumerate(order)}
        self._likeness: Likeness = likeness([page.body for page in order])
        self.nodes: dict[str, Node] = {
            page.url: Node(page.url, name_of(page), page) for page in order
        }
        self.edges: dict[str, Edge] = {}

    def add_stated(self) -> None:
        """Add the edges that pages state, most certain first."""
        stated = [edge for page in self._order if (edge := self._stated(page)) is not None]
        origin = self._origin(stated)
        for edge in sorted(stated, key=lambda it: (-it.confidence, self._place[it.copy])):
            if edge.copy == self._first and edge.source != origin:
                continue
            self._add(edge)
        if origin is not None and self._first not in self.edges:
            self._add(Edge(self._first, origin, _BY_TIME, "time"))

    def add_guessed(self) -> None:
        """Give a source to every node without one, except for the root."""
        root = self.edges[self._first].source if self._first in self.edges else self._first
        for page in self._order:
            if page.url not in self.edges and page.url not in {root, self._first}:
                self._add(self._guessed(page))
        for node in list(self.nodes):
            if node not in self.edges and node != root:
                self._add(Edge(node, root, _BY_TIME, "time"))

    def _stated(self, page: StoryPage) -> Edge | None:
        """Return the edge to what *page* names as its origin, adding the node of an outlet."""
        if page.source_url and page.source_url in self._place and page.source_url != page.url:
            return Edge(page.url, page.source_url, _STATED["link"], "link", page.source_url)
        claims = self._traces.claims[page.url].named
        if any(
            self._traces.is_own(page, claim.outlet) and claim.evidence in DIRECT for claim in claims
        ):
            return None
        others = [claim for claim in claims if not self._traces.is_own(page, claim.outlet)]
        # The source line is the page's own, whereas a dateline stays in the text, whoever copies it:
        # where the line names an outlet without a page, what the text repeats does not count.
        for _, group in itertools.groupby(others, key=lambda claim: claim.evidence):
            edge = self._edge(page, list(group))
            if edge is not None:
                return edge
        return None

    def _edge(self, page: StoryPage, claims: Sequence[Claim]) -> Edge | None:
        """Return the edge for the outlets that *page* names in one way, the first one before others."""
        for claim in claims:
            found = self._holder(page, claim)
            if found is not None:
                url, match = found
                confidence = _STATED[claim.evidence] * match
                if self._certainly_later(url, page.url):
                    confidence *= _LATER
                return Edge(page.url, url, round(confidence, 3), claim.evidence, claim.name)
        claim = claims[0]
        if claim.evidence not in DIRECT or claim.evidence == "link":
            return None
        node = f"outlet:{claim.outlet}"
        self.nodes.setdefault(node, Node(node, claim.name, None))
        confidence = round(_STATED[claim.evidence] * _ABSENT, 3)
        return Edge(page.url, node, confidence, claim.evidence, claim.name)

    def _holder(self, page: StoryPage, claim: Claim) -> tuple[str, float] | None:
        """Return the member of the named outlet that *page* most likely took the text from."""
        holders = [it for it in self._traces.holders.get(claim.outlet, ()) if it[0] != page.url]
        if not holders:
            return None
        here = self._place[page.url]
        return max(
            holders,
            key=lambda it: (
                it[1],
                not self._certainly_later(it[0], page.url),
                round(self._likeness.between(here, self._place[it[0]]), 3),
                -self._place[it[0]],
            ),
        )

    def _origin(self, stated: Sequence[Edge]) -> str | None:
        """Return the outlet, not a member, that the first publisher or most pages name."""
        sites: dict[str, set[str]] = {}
        for edge in stated:
            if edge.copy == self._first and edge.source not in self._place:
                return edge.source
            sites.setdefault(edge.source, set()).add(registered_domain(self._site[edge.copy]))
        most = max(sites, key=lambda node: (len(sites[node]), node), default=None)
        if most is None or most in self._place or len(sites[most]) < _MOST_NAMED:
            return None
        return most

    def _certainly_later(self, first: str, second: str) -> bool:
        """Whether *first* was certainly published after *second*."""
        one, other = self._traces.spans.get(first), self._traces.spans.get(second)
        return one is not None and other is not None and one.first >= other.end

    def _guessed(self, page: StoryPage) -> Edge:
        """Return the edge that time and text suggest; see the module."""
        here, first = self._place[page.url], self._place[self._first]
        like = self._likeness.row(here)
        least = float(like[first])
        # Most similar first; of the same text, the earliest.
        for at in np.lexsort((np.arange(len(like)), -np.round(like, 6))):
            gain = float(like[at]) - least
            if gain <= _LEAST_GAIN:
                break
            other = self._order[at].url
            if self._may_precede(int(at), here) and not self._is_above(page.url, other):
                low, high = _BY_TEXT
                confidence = low + (high - low) * gain / float(like[at])
                return Edge(page.url, other, round(confidence, 3), "text")
        return Edge(page.url, self._first, _BY_TIME, "time")

    def _may_precede(self, first: int, second: int) -> bool:
        """Whether the member at place *first* can be the source of that at place *second*.

        By the publish times if both are known; else its text must be nearer to that of the first
        publisher, because edits add up.
        """
        one, other = self._order[first].url, self._order[second].url
        if first == second:
            return False
        if one in self._traces.spans and other in self._traces.spans:
            return first < second
        near = self._likeness.row(self._place[self._first])
        if abs(near[first] - near[second]) <= _LEAST_GAIN:
            return first < second
        return bool(near[first] > near[second])

    def _is_above(self, node: str, other: str) -> bool:
        """Whether *node* is *other* or one of its sources."""
        while True:
            if node == other:
                return True
            if other not in self.edges:
                return False
            other = self.edges[other].source

    def _add(self, edge: Edge) -> None:
        if not self._is_above(edge.copy, edge.source):
            self.edges[edge.copy] = edge
