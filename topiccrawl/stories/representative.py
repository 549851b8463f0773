"""Which member of a story was published first, and represents it.

Each member gets points; the most points win, whatever the order of the members:

| evidence | points |
|---|---|
| it names the outlet of another member as its origin: source line, credit or link | −4 |
| … one of which no page is a member; if several sites name it, it is the origin of all | −0.5; 0 |
| … only in a dateline or a report that it repeats, and that outlet is a member | −2 |
| other sites name its outlet | 1.5·log2(1 + number of sites), at most 6 |
| … only in datelines and reports | half of that |
| it states that the text is its own, or names its own outlet | 1.5 |
| its publish time is trusted; *n* members were certainly published before it | 2 / (1 + *n*) |

Among those less than one point behind the best, the nearness of the text to what most members have
counts, at most 1 point: copies add notes and leave out paragraphs.  Equal points: the earlier middle of
the publish time, the earlier first fetch, the smaller URL.  The points were chosen on seeds 1 to 6 of
``benchmarks/spread.py`` (2026-11-22: 217 of 224 first publishers; 201 to 217 with half or twice the
points).
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.shingles import shingles
from topiccrawl.stories.claims import Claims, find_claims
from topiccrawl.stories.clocks import LAST, Span, trusted_spans
from topiccrawl.stories.members import StoryPage
from topiccrawl.stories.outlets import holders, names_of
from topiccrawl.urls.domains import registered_domain

_NAMES_OTHER: Final = -4.0
_NAMES_ABSENT: Final = -0.5
_SEVERAL: Final = 2
_REPEATS_OTHER: Final = -2.0
_NAMED: Final = 1.5
_NAMED_MOST: Final = 6.0
_OWN: Final = 1.5
_FIRST: Final = 2.0
#: Points behind the best within which the text counts; members from which, and up to which, it is compared.
_CLOSE: Final = 1.0
_CONSENSUS_FROM: Final = 3
_CONSENSUS_MOST: Final = 200
#: Share of differing shingles from which a text gets no points (a guess).
_FAR: Final = 0.1
#: Statements about where the page took the text; a report (据…报道) or a dateline is a part of the text.
DIRECT: Final = frozenset({"link", "source-line", "credit"})


@dataclass(frozen=True, slots=True)
class Traces:
    """Links and mentions among the members of a story; shared by first publisher and spread."""

    members: Sequence[StoryPage]
    """Sorted by URL, without repetitions."""
    claims: Mapping[str, Claims]
    spans: Mapping[str, Span]
    holders: Mapping[str, Sequence[tuple[str, float]]]
    """Outlet → URLs of the members that are its pages, each with the probability."""
    naming_sites: Mapping[str, int]
    """Outlet → number of sites whose members name it."""

    @classmethod
    def of(cls, members: Sequence[ComparedPage]) -> Traces:
        """Read the claims of *members*."""
        pages = [by_url for _, by_url in sorted({m.url: StoryPage.of(m) for m in members}.items())]
        known = frozenset[str]().union(*map(names_of, pages))
        claims = {page.url: find_claims(page, known) for page in pages}
        named = {claim.outlet for it in claims.values() for claim in it.named}
        sites = {(c.outlet, registered_domain(p.site)) for p in pages for c in claims[p.url].named}
        naming = Counter(outlet for outlet, _ in sites)
        return cls(pages, claims, trusted_spans(pages), holders(named, pages), naming)

    def is_own(self, page: StoryPage, outlet: str) -> bool:
        """Whether *outlet* is the outlet of *page* itself."""
        return any(url == page.url for url, _ in self.holders.get(outlet, ()))

    def is_by_own_outlet(self, page: StoryPage) -> bool:
        """Whether *page* states that the text is its site's own, or names its site in the dateline."""
        claims = self.claims[page.url]
        return claims.own or any(self.is_own(page, claim.outlet) for claim in claims.named)

    def names_another(self, page: StoryPage) -> float:
        """Return the points of *page* for naming another outlet as its origin, <= 0."""
        points = 0.0
        for claim in self.claims[page.url].named:
            if self.is_own(page, claim.outlet):
                # 人民网-人民日报 on 人民网: the second name is that of the same house.
                if claim.evidence in DIRECT:
                    return 0.0
                continue
            if claim.evidence in DIRECT and claim.outlet not in self.holders:
                known = self.naming_sites[claim.outlet] >= _SEVERAL
                points = min(points, 0.0 if known else _NAMES_ABSENT)
            elif claim.evidence in DIRECT:
                points = min(points, _NAMES_OTHER)
            elif claim.outlet in self.holders:
                points = min(points, _REPEATS_OTHER)
        return points


@dataclass(frozen=True, slots=True)
class FirstPublisher:
    """The member that was published first."""

    page: StoryPage
    confidence: float
    """Probability that it is, in [0, 1]: by the distance of its points from the next ones (a guess)."""


def representative(members: Sequence[ComparedPage]) -> str:
    """Return the URL of the member that represents the story: the first publisher's.

    The result does not depend on the order of *members*, which must not be empty.
    """
    return first_publisher(Traces.of(members)).page.url


def first_publisher(traces: Traces) -> FirstPublisher:
    """Return the first publisher by the points above."""
    points = _points(traces)
    _add_consensus(points, traces.members)
    ranked = sorted(traces.members, key=lambda page: _rank(page, points[page.url], traces))
    best = ranked[0]
    if len(ranked) == 1:
        return FirstPublisher(best, 1.0)
    margin = max(0.0, points[best.url] - points[ranked[1].url])
    return FirstPublisher(best, round(1 - 0.5 * math.exp(-margin), 3))


def _rank(
    page: StoryPage, points: float, traces: Traces
) -> tuple[bool, float, datetime, datetime, str]:
    span = traces.spans.get(page.url)
    return (
        # A page without an address on the web is a copy that somebody has saved.
        page.url.startswith("file:"),
        -round(points, 6),
        span.middle if span else LAST,
        # A page that was corrected by its site is fetched later than copies of its former text.
        page.first_seen or page.fetched_at or LAST,
        page.url,
    )


def _points(traces: Traces) -> dict[str, float]:
    named_by = _named_by(traces)
    ends = sorted(span.end for span in traces.spans.values())
    points = {}
    for page in traces.members:
        direct, indirect = named_by.get(page.url, (0, 0))
        value = traces.names_another(page)
        value += _named_points(direct) or _named_points(indirect) / 2
        value += _OWN if traces.is_by_own_outlet(page) else 0.0
        span = traces.spans.get(page.url)
        if span is not None:
            value += _FIRST / (1 + bisect.bisect_right(ends, span.first))
        points[page.url] = value
    return points


def _add_consensus(points: dict[str, float], members: Sequence[StoryPage]) -> None:
    """Add the points for the text to the best members, if there is a choice."""
    best = max(points.values())
    near = [page for page in members if points[page.url] > best - _CLOSE]
    if len(near) < 2 or len(members) < _CONSENSUS_FROM:
        return
    sample = members[:: 1 + len(members) // _CONSENSUS_MOST]
    every = np.concatenate([shingles(page.body) for page in sample])
    found, counts = np.unique(every, return_counts=True)
    common = found[counts * 2 > len(sample)]
    for page in near:
        own = shingles(page.body)
        distance = len(np.setxor1d(own, common, assume_unique=True)) / max(len(common), 1)
        points[page.url] += max(0.0, 1.0 - distance / _FAR)


def _named_points(sites: int) -> float:
    return min(_NAMED * math.log2(1 + sites), _NAMED_MOST)


def _named_by(traces: Traces) -> dict[str, tuple[int, int]]:
    """Return by how many other sites each member's outlet is named: directly, and at all."""
    direct: dict[str, set[str]] = {}
    every: dict[str, set[str]] = {}
    for page in traces.members:
        site = registered_domain(page.site)
        for claim in traces.claims[page.url].named:
            for url, _ in traces.holders.get(claim.outlet, ()):
                if url != page.url and not traces.is_own(page, claim.outlet):
                    every.setdefault(url, set()).add(site)
                    if claim.evidence in DIRECT:
                        direct.setdefault(url, set()).add(site)
        if page.source_url != page.url and page.source_url in traces.claims:
            direct.setdefault(page.source_url, set()).add(site)
    return {url: (len(direct.get(url, ())), len(every.get(url, ()))) for url in {*direct, *every}}
