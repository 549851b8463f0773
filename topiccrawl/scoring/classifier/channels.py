"""How far the names of channels are believed.

::

    s(u) = P(e(u) > e(v)) + P(e(u) = e(v))·((1 - w)/2 + w·P(x(u) > x(v) | e(u) = e(v))),  w = 1/(2k)
    A = (Σ s(u) + M·A₁) / (N + M),  u the N pages of a channel of the topic
    A_f = (Σ s(u) + m·B_f) / (n_f + m),  u those in f: a registered domain, a host or a folder
    B_f = (Σ s(u) + m·B_g) / (n_g - n_f + m),  u those in g, which f lies in, but not in f; A of a domain
    trust = (A_f - A₀) / (A₁ - A₀), in [0, 1], f the lowest with such pages that a page lies in

v are the pages under the threshold (e < 1) without such a channel; x is what text adds to the log-odds of the model,
and k the number of the topic's words.  e is the evidence of the words without the names, whose scale changes with topic
and crawl, so that it is compared by rank.  Pages of a channel that is what its name says have more of the topic's words
than others, though often too few to be kept: A is .6 to 1.  Where a site calls all of its pages, its tags or another
channel so, it is .3 to .6, and the name counts for little, also where the site has that channel in a folder of its own.
Where the words are sure of most pages of such channels on a domain, only its other pages count: the sure ones say that
the site is about the topic, not what its pages without the words are about, for which alone the name matters.
From a single word most pages have the same e, none; so their texts, too, are compared, by what the model has learned
from the words alone.  A page that the user has judged is :data:`USER_PAGES` pages with s = 1 or 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray
from topiccrawl.scoring.classifier.channel_names import Menus, channels_of_topic
from topiccrawl.scoring.classifier.rows import PageFeatures, Places
from topiccrawl.scoring.classifier.start import (
    CHANNEL_EVIDENCE,
    LEAST_POSITIVES,
    SURE,
    USER_PAGES,
)

#: M and m: all pages of such channels start with that many fully believed ones, a place with that many of what lies
#: around it.  Of 3, 4, 5, 7 and 10, fewer find more wrong names and believe fewer right ones; chosen on one web, see
#: docs/laboratory/judge.md (2026-11-28).
PRIOR_PAGES = 10.0
PLACE_PAGES = 5.0
#: w of a topic of one word.  .3 to .6 are alike; with 1, wrong names are believed too often; see
#: docs/laboratory/judge.md (2026-11-28).
TEXT_SHARE = 0.5
#: A₀, that of chance, and A₁.  On a portal of real texts, six topics from keywords and four from a bare word, 80 to
#: 1,000 pages: of the domains with such a channel from keywords 19 of 20 have .58 or more (from a bare word .47), of
#: those that were given a wrong one half have .46 to .55 or less; with .65 in place of .6, F1 from a bare word is .06
#: lower after 300 and 1,000 pages (three topics).  See docs/laboratory/judge.md (2026-11-28).
NOTHING, FULL = 0.5, 0.6


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of the topic, by the pages of a round; before the first, those that keywords name on the page."""

    known: frozenset[int] = frozenset()
    """Names that were learned, and where channels lie, by the menus of their sites, as ``LinkBatch.fronts``."""
    trust: Mapping[int, float] = field(default_factory=dict)
    """How far the names in a place are believed, in [0, 1]; places as of :func:`_places`."""
    elsewhere: float = 1.0
    """The same for all other places."""

    def added(self, page: PageFeatures) -> float:
        """Return what its channels add to the evidence of any page."""
        if not page.in_channel and (not self.known or self.known.isdisjoint(page.channel_ids)):
            return 0.0
        return CHANNEL_EVIDENCE * self.trust_in(page)

    def trust_in(self, page: PageFeatures) -> float:
        """Return how far the names of its channels are believed, where a page lies."""
        known = (self.trust[place] for place in reversed(_places(page)) if place in self.trust)
        return next(known, self.elsewhere)


def channels_of(
    pages: Sequence[PageFeatures],
    places: Places,
    menus: Menus,
    own: FloatArray,
    domain: IdArray,
    by_user: Mapping[int, bool],
    text: FloatArray | None = None,
    words: int = 1,
) -> Generator[None, None, tuple[Channels, FloatArray, int]]:
    """Return, in steps, the channels of the topic: a keyword names them, or a name that the words have taught.

    Parameters
    ----------
    pages, places, own, domain
        The pages of a round, n of them, where they lie, their e, and their registered domains as numbers, shape (n,).
    menus
        What their sites call their channels.
    by_user
        The user's judgments by the ids of pages.
    text
        What their texts add to the log-odds of the model, shape (n,); ``None`` if nothing could be learned.
    words
        k, the number of the topic's words.

    Returns
    -------
    tuple
        The channels; what they add to the evidence of the pages, shape (n,); how many pages the words find, also as
        names of channels.  Where they find few, they are rare, and their channel may be much larger than the topic;
        see docs/laboratory/judge.md, "For the topic's size".
    """
    ids = places.channel_ids(domain)
    known = channels_of_topic(places, ids, menus, own, domain)
    yield
    fronts = frozenset(front for page in pages for front in page.fronts)
    by_keyword = np.array([page.in_channel for page in pages], dtype=np.bool_)
    by_keyword[places.row[_among(ids, fronts)]] = True
    named = by_keyword.copy()
    named[places.row[_among(ids, known)]] = True
    share = 0.0 if text is None else TEXT_SHARE / words
    higher = _higher(own, own if text is None else text, named, share)
    weight = np.where(_of_sure_domains(own[named] >= SURE, domain[named]), 0.0, 1.0)
    channels = yield from _believed(pages, known | fronts, named, higher, weight, by_user)
    yield
    trust = [channels.trust_in(pages[i]) for i in np.flatnonzero(named).tolist()]
    added = np.zeros(len(pages))
    added[named] = CHANNEL_EVIDENCE * np.array(trust)
    sure = int((own >= SURE).sum())
    if sure > LEAST_POSITIVES:
        sure = int((own + added * by_keyword >= SURE).sum())
    return channels, added, sure


def _higher(own: FloatArray, text: FloatArray, named: BoolArray, share: float) -> FloatArray | None:
    """Return s of the pages that are *named*; ``None`` if there is nothing to compare them with.  *share* is w."""
    others = ~named & (own < SURE)
    if not others.any():
        return None
    rank, rank_of_text = (np.unique(it, return_inverse=True)[1] for it in (own, text))
    finer = rank * len(own) + rank_of_text
    by_words, with_text = (_share_below(it[named], np.sort(it[others])) for it in (rank, finer))
    return by_words + share * (with_text - by_words)


def _share_below(values: IdArray, others: IdArray) -> FloatArray:
    """Return the share of *others*, sorted, below each of *values*; equal ones count half."""
    below, upto = (np.searchsorted(others, values, side) for side in ("left", "right"))
    return np.asarray((below + upto) / (2 * len(others)))


def _believed(
    pages: Sequence[PageFeatures],
    known: frozenset[int],
    named: BoolArray,
    higher: FloatArray | None,
    weight: FloatArray,
    by_user: Mapping[int, bool],
) -> Generator[None, None, Channels]:
    """Return, in steps, the *known* channels, and how far they are believed by the pages that are *named*, of which
    each counts *weight* pages.
    """
    if higher is None or not len(higher):
        return Channels(known)
    inside = [pages[i] for i in np.flatnonzero(named).tolist()]
    for i, page in enumerate(inside):
        if page.id in by_user:
            higher[i], weight[i] = by_user[page.id], USER_PAGES
    yield
    every = float((weight @ higher + PRIOR_PAGES * FULL) / (weight.sum() + PRIOR_PAGES))
    areas = _areas(inside, higher.tolist(), weight.tolist(), every)
    return Channels(known, {place: _trust(area) for place, area in areas.items()}, _trust(every))


def _of_sure_domains(sure: BoolArray, domain: IdArray) -> BoolArray:
    """Return which pages the words are sure of, on domains where they are sure of most."""
    group = np.unique(domain, return_inverse=True)[1]
    most = np.bincount(group, sure) > 0.5 * np.bincount(group)
    return np.asarray(sure & most[group])


def _among(ids: IdArray, wanted: frozenset[int]) -> BoolArray:
    return np.isin(ids, np.fromiter(wanted, np.int64, len(wanted)))


def _areas(
    pages: Sequence[PageFeatures], higher: Sequence[float], weight: Sequence[float], every: float
) -> dict[int, float]:
    """Return A of all places of *pages*; *every* is that of all together, and *higher* is s."""
    total: defaultdict[int, float] = defaultdict(float)
    size: defaultdict[int, float] = defaultdict(float)
    paths = [_places(page) for page in pages]
    for path, value, times in zip(paths, higher, weight, strict=True):
        for place in path:
            total[place] += times * value
            size[place] += times
    areas = {}
    for path in paths:
        around, outer = every, None
        for place in path:
            if outer is not None:
                # Without the pages of the place itself, which would count twice.
                others = total[outer] - total[place] + PLACE_PAGES * around
                around = others / (size[outer] - size[place] + PLACE_PAGES)
            areas[place] = (total[place] + PLACE_PAGES * around) / (size[place] + PLACE_PAGES)
            outer = place
    return areas


def _places(page: PageFeatures) -> list[int]:
    """Return the registered domain, the host and the folders of a page, each within the one before."""
    return [page.domain, *page.own_fronts]


def _trust(area: float) -> float:
    return min(1.0, max(0.0, (area - NOTHING) / (FULL - NOTHING)))
