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

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.classifier.channel_names import Menus, channels_of_topic
from topiccrawl.scoring.classifier.rows import PageFeatures
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
    named: frozenset[int] = frozenset()
    """Those where channels lie that a keyword names."""
    trust: Mapping[int, float] = field(default_factory=dict)
    """How far the names on a registered domain are believed, in [0, 1]."""
    elsewhere: float = 1.0
    """The same for all other domains."""

    def trust_of(self, page: PageFeatures) -> float:
        """Return how far the names of a page's channels are believed; 0 if none is the topic's."""
        if not page.lies_in(self.known):
            return 0.0
        return self.trust.get(page.domain, self.elsewhere)

    def added(self, pages: Sequence[PageFeatures]) -> FloatArray:
        """Return what their channels add to the evidence of *pages*, shape (n,)."""
        return CHANNEL_EVIDENCE * np.array([self.trust_of(page) for page in pages])

    def sure(self, pages: Sequence[PageFeatures], own: FloatArray, added: FloatArray) -> int:
        """Return how many pages the words find, e being *own*, also as names of channels, which add *added*.

        Where they find few, they are rare, and their channel may be much larger than the topic; see
        docs/laboratory/judge.md, "For the topic's size".
        """
        by_words = int((own >= SURE).sum())
        if by_words <= LEAST_POSITIVES:
            return by_words
        named = np.array([page.lies_in(self.named) for page in pages])
        return int((own + added * named >= SURE).sum())


def channels_of(
    pages: Sequence[PageFeatures],
    menus: Menus,
    own: FloatArray,
    domain: IdArray,
    by_user: Mapping[int, bool],
) -> Generator[None, None, Channels]:
    """Return, in steps, the channels of the topic: a keyword names them, or a name that the words have taught.

    Parameters
    ----------
    pages, own, domain
        The pages of a round, their e, and their registered domains as numbers, shape (n,).
    menus
        What their sites call their channels.
    by_user
        The user's judgments by the ids of pages.
    """
    known = channels_of_topic(pages, menus, own, domain)
    named_fronts = frozenset(front for page in pages for front in page.fronts)
    known |= named_fronts
    yield
    named = np.array([page.lies_in(known) for page in pages], dtype=np.bool_)
    others = np.sort(own[~named & (own < SURE)])
    if not named.any() or not len(others):
        return Channels(known, named_fronts)
    below, upto = (np.searchsorted(others, own[named], side) for side in ("left", "right"))
    higher, weight = (below + upto) / (2 * len(others)), np.ones(len(below))
    inside = [pages[i] for i in np.flatnonzero(named).tolist()]
    for i, page in enumerate(inside):
        if page.id in by_user:
            higher[i], weight[i] = by_user[page.id], USER_PAGES
    every = (weight @ higher + PRIOR_PAGES * FULL) / (weight.sum() + PRIOR_PAGES)
    domains, group = np.unique(domain[named], return_inverse=True)
    size = np.bincount(group, weight)
    area = (np.bincount(group, weight * higher) + PRIOR_PAGES * every) / (size + PRIOR_PAGES)
    trust = dict(zip(domains.tolist(), _trust(area).tolist(), strict=True))
    return Channels(known, named_fronts, trust, float(_trust(every)))


def _trust(area: FloatArray) -> FloatArray:
    return np.clip((area - NOTHING) / (FULL - NOTHING), 0.0, 1.0)
