"""How far the names of channels are believed.

::

    s(u) = P(e(u) > e(v)) + ½·P(e(u) = e(v)),  v the pages under the threshold (e < 1) without such a channel
    A = (Σ s(u) + m·A₁) / (N + m),  u the N pages of a channel of the topic
    A_d = (Σ s(u) + m·A) / (n_d + m),  u those of the registered domain d
    trust_d = (A_d - A₀) / (A₁ - A₀), in [0, 1]

e is the evidence of the words without the names, whose scale changes with topic and crawl, so that it is compared by
rank.  Pages of a channel that is what its name says have more of the topic's words than others, though often too few to
be kept: A is .6 to 1.  Where a site calls all of its pages, its tags or another channel so, it is .3 to .6, and the
name counts for little.  A page that the user has judged is :data:`USER_PAGES` pages with s = 1 or 0.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray
from topiccrawl.scoring.classifier.channel_names import Menus, channels_of_topic
from topiccrawl.scoring.classifier.rows import PageFeatures, Places
from topiccrawl.scoring.classifier.start import CHANNEL_EVIDENCE, LEAST_POSITIVES, SURE

#: m: pages with which a domain starts, believed as far as those of all domains, and these with as many that are fully
#: believed.  5 and 20 are within .03 of F1; measured as :data:`FULL`.
PRIOR_PAGES = 10.0
#: A₀, that of chance, and A₁.  On a portal of real texts, six topics from keywords and four from a bare word, 80 to
#: 1,000 pages: of the domains with such a channel from keywords 19 of 20 have .58 or more (from a bare word .47), of
#: those that were given a wrong one half have .46 to .55 or less; with .65 in place of .6, F1 from a bare word is .06
#: lower after 300 and 1,000 pages (three topics).  See docs/laboratory/judge.md (2026-11-28).
NOTHING, FULL = 0.5, 0.6
#: As how many pages one counts that the user has judged, as when the model is fitted.
USER_PAGES = 10.0


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of the topic, by the pages of a round; before the first, those that keywords name on the page."""

    known: frozenset[int] = frozenset()
    """Names that were learned, and where channels lie, by the menus of their sites, as ``LinkBatch.fronts``."""
    trust: Mapping[int, float] = field(default_factory=dict)
    """How far the names on a registered domain are believed, in [0, 1]."""
    elsewhere: float = 1.0
    """The same for all other domains."""

    def added(self, page: PageFeatures) -> float:
        """Return what its channels add to the evidence of any page."""
        if not page.in_channel and (not self.known or self.known.isdisjoint(page.channel_ids)):
            return 0.0
        return CHANNEL_EVIDENCE * self.trust.get(page.domain, self.elsewhere)


def channels_of(
    pages: Sequence[PageFeatures],
    places: Places,
    menus: Menus,
    own: FloatArray,
    domain: IdArray,
    by_user: Mapping[int, bool],
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
    channels = _believed(pages, known | fronts, named, own, domain, by_user)
    trust = [channels.trust.get(it, channels.elsewhere) for it in domain[named].tolist()]
    added = np.zeros(len(pages))
    added[named] = CHANNEL_EVIDENCE * np.array(trust)
    sure = int((own >= SURE).sum())
    if sure > LEAST_POSITIVES:
        sure = int((own + added * by_keyword >= SURE).sum())
    return channels, added, sure


def _believed(
    pages: Sequence[PageFeatures],
    known: frozenset[int],
    named: BoolArray,
    own: FloatArray,
    domain: IdArray,
    by_user: Mapping[int, bool],
) -> Channels:
    """Return the *known* channels, and how far they are believed by the pages that are *named*, shape (n,)."""
    others = np.sort(own[~named & (own < SURE)])
    if not named.any() or not len(others):
        return Channels(known)
    below, upto = (np.searchsorted(others, own[named], side) for side in ("left", "right"))
    higher, weight = (below + upto) / (2 * len(others)), np.ones(len(below))
    for i, at in enumerate(np.flatnonzero(named).tolist()):
        if pages[at].id in by_user:
            higher[i], weight[i] = by_user[pages[at].id], USER_PAGES
    every = (weight @ higher + PRIOR_PAGES * FULL) / (weight.sum() + PRIOR_PAGES)
    domains, group = np.unique(domain[named], return_inverse=True)
    size = np.bincount(group, weight)
    area = (np.bincount(group, weight * higher) + PRIOR_PAGES * every) / (size + PRIOR_PAGES)
    trust = dict(zip(domains.tolist(), _trust(area).tolist(), strict=True))
    return Channels(known, trust, float(_trust(every)))


def _among(ids: IdArray, wanted: frozenset[int]) -> BoolArray:
    return np.isin(ids, np.fromiter(wanted, np.int64, len(wanted)))


def _trust(area: FloatArray) -> FloatArray:
    return np.clip((area - NOTHING) / (FULL - NOTHING), 0.0, 1.0)
