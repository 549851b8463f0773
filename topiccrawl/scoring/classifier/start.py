"""Where learning starts: the pages that are on topic by the user's words alone.

::

    e(p) = rel(p) / θ · (2 if a keyword is in the title else 1)
    e_j(p) = e(p) + (2·trust if a channel of p is named by a keyword else 0)
    e'(p) = e(p) · (.1 + mean of min(e(q), 2) over the fetched pages q that p links to or that link to p)

rel is the similarity of the vector space model, θ the topic's threshold for it, with samples the more the
larger the crawl is (:func:`samples_factor`).  The positives are the pages with the largest e': half of
those with e >= 1, but at least 30 (fewer in a young crawl), and at most half of them from one registered
domain that has not more than half of all pages, while others have enough sure ones.  e_j is what pages are judged by:
a page of the channel 收藏 is on the topic 收藏, as far as such names are believed
(:mod:`~topiccrawl.scoring.classifier.channels`), but does not teach what the topic is.  The better half of the pages
over the threshold is purer than the whole, and the neighbors remove pages that contain the words by chance (topical
locality: Davison, "Topical locality in the Web", SIGIR 2000).
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FeatureIdArray, FloatArray, IdArray

#: Factor of a keyword in the title.  Measured with the other constants of this module by the ranking of
#: all pages (best F1 in hindsight) on two webs, 13 topics in Chinese and 16 in English (2026-11).
TITLE_FACTOR = 2.0
#: Least weight of the neighbors (a guess: a page without neighbors needs a tenth more words).
NEIGHBOR_FLOOR = 0.1
#: What a channel that is named by a keyword adds to the evidence by which its pages are judged, if the name is
#: believed: they are kept.
#: Chosen among .5, 1, 1.5, 2 and 4 on portals of real texts; in the choice of positives it costs .08 of F1, as the
#: model then learns sites and channels.  See docs/laboratory/judge.md (2026-11-28).
CHANNEL_EVIDENCE = 2.0
#: Largest evidence of a single neighbor (a guess).
NEIGHBOR_CAP = 2.0
#: Share of the pages over the threshold that are positives: all of them were worse by .05 of F1, a third
#: was equal (measured as above).
SURE_SHARE = 0.5
#: Largest share of the positives that are of one registered domain, unless more of all pages are, while others have
#: :data:`OTHERS_SURE` pages: a site whose pages repeat the words, with whatever else it wants to be kept, would
#: otherwise teach what the topic is.  A third, without regard to the share of all pages: .69 in place of .99 (a portal
#: without such a site, 2026-11); see docs/laboratory/judge.md.
MOST_OF_DOMAIN = 0.5
#: Fewest positives; 15 to 60 made no difference (measured as above).
LEAST_POSITIVES = 30
#: Sure pages of other domains from which one is limited: they fill their half of the fewest positives.  Fewer have the
#: words by chance where the topic is on one site: with any at all, ``install`` and ``security`` of the manuals had an
#: F1 of .69 and .75 in place of .97 and .95; 15 to 60 are alike, with stuffed pages too (2026-11-28, see there).
OTHERS_SURE = 15
#: In a young crawl, the fewest positives are this share of its pages (a guess).
YOUNG_SHARE = 1 / 20
#: Least evidence of a positive: a crawl that has found nothing must not learn from the best of it.  From 0
#: to .4 the F1 is the same, .6 costs .07 with a bare word (measured as above).
WEAK = 0.3
#: A page is within reach if its evidence, raised as far as it can be, reaches this share of the last positive's:
#: that may fall as the evidence of others does.  See docs/laboratory/judge.md (2026-11).
REACH = 0.5
#: Evidence of a page over the threshold.
SURE = 1.0
#: As how many pages one counts that the user has judged (a choice).
USER_PAGES = 10.0
#: With samples, θ grows with the crawl, from the topic's threshold to twice as much, half of it in this number of
#: pages, but not above the usual threshold of topics/learn.py: what five samples share with other pages of their sites,
#: many pages of a large crawl have by chance, and few of a young one, which is mostly on topic.  See
#: docs/laboratory/judge.md (2026-11).
HALF_GROWN = 1_000
MOST_WITH_SAMPLES = 0.25


def evidence(relevance: FloatArray, title_hit: BoolArray, threshold: float) -> FloatArray:
    """Return e of pages, >= 0, 1 at the threshold; shapes (n,)."""
    return np.asarray(relevance / threshold * np.where(title_hit, TITLE_FACTOR, 1.0))


def samples_factor(threshold: float, pages: int) -> float:
    """Return θ of a topic with samples, over the topic's *threshold* of relevance, in a crawl of *pages* pages."""
    grown = 1 + pages / (pages + HALF_GROWN)
    return max(1.0, min(grown, MOST_WITH_SAMPLES / threshold))


def by_words(own: FloatArray) -> FloatArray:
    """Return w = e/(1+e), the probability of pages by the user's words alone, in [0, 1).

    Parameters
    ----------
    own
        e_j, of any shape, which is kept.
    """
    return np.asarray(own / (1 + own))


def neighbor_factor(
    own: FloatArray, source: IdArray | FeatureIdArray, target: IdArray | FeatureIdArray
) -> FloatArray:
    """Return e'/e of pages, the factor that their neighbors give.

    Parameters
    ----------
    own
        e, shape (n,).
    source, target
        The links between them as indices into *own*, shapes (m,).
    """
    capped = np.minimum(own, NEIGHBOR_CAP)
    total = np.bincount(source, weights=capped[target], minlength=len(own))
    total += np.bincount(target, weights=capped[source], minlength=len(own))
    count = np.bincount(source, minlength=len(own)) + np.bincount(target, minlength=len(own))
    return np.asarray(NEIGHBOR_FLOOR + total / np.maximum(count, 1))


def within_reach(
    own: FloatArray, highest: FloatArray, factor: FloatArray, domain: IdArray | FeatureIdArray
) -> BoolArray:
    """Return which pages may become positives if their evidence rises.

    Parameters
    ----------
    own, highest
        e as it is and as it may be, shapes (n,).
    factor, domain
        Their :func:`neighbor_factor`, and the registered domains as numbers, shapes (n,).
    """
    usable = np.where(own >= WEAK, own * factor, 0.0)
    chosen = positives(own, usable, domain)
    enough = chosen.any() and chosen.sum() == _most_positives(own, domain)
    last = float(usable[chosen].min()) if enough else 0.0
    return np.asarray((highest >= WEAK) & (highest * factor >= REACH * last))


def positives(own: FloatArray, smoothed: FloatArray, domain: IdArray | FeatureIdArray) -> BoolArray:
    """Return which pages are positives.

    Those of a domain beyond :data:`MOST_OF_DOMAIN` give way to pages of others with e >= 1 if there are
    :data:`OTHERS_SURE`, and unless it has most of the pages, those with e >= 1 count for the number of positives as far
    as those of others do.

    Parameters
    ----------
    own, smoothed
        e and e', shapes (n,).
    domain
        Registered domains as numbers, shape (n,).
    """
    usable = np.where(own >= WEAK, smoothed, 0.0)
    order = np.argsort(-usable, kind="stable")[: int((usable > 0).sum())]
    most = _most_positives(own, domain)
    group, share = _shares(domain)
    sure = np.bincount(group[own >= SURE], minlength=len(share))
    limited = sure.sum() - sure >= OTHERS_SURE
    by_domain = np.argsort(group[order], kind="stable")
    ordered = group[order][by_domain]
    rank = np.empty(len(order), dtype=np.int64)
    rank[by_domain] = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    over = limited[group[order]] & (rank >= np.ceil(share[group[order]] * most))
    others = np.flatnonzero(~over[most:] & (own[order[most:]] >= SURE)) + most
    left = np.flatnonzero(over[:most])[::-1][: len(others)]
    chosen = np.zeros(len(own), dtype=bool)
    chosen[order[:most]] = True
    chosen[order[left]] = False
    chosen[order[others[: len(left)]]] = True
    return chosen


def _shares(domain: IdArray | FeatureIdArray) -> tuple[IdArray, FloatArray]:
    """Return the domain of each page, from 0 on, and the largest share of each domain in the positives."""
    _, group, size = np.unique(domain, return_inverse=True, return_counts=True)
    return group, np.maximum(MOST_OF_DOMAIN, size / max(len(domain), 1))


def _most_positives(own: FloatArray, domain: IdArray | FeatureIdArray) -> int:
    group, share = _shares(domain)
    sure = np.bincount(group[own >= SURE], minlength=len(share))
    counted = int(sure.sum())
    if counted and share[largest := int(np.argmax(sure))] <= MOST_OF_DOMAIN:
        others = counted - int(sure[largest])
        counted = others + min(int(sure[largest]), others)
    least = min(LEAST_POSITIVES, int(np.ceil(YOUNG_SHARE * len(own))))
    return max(round(SURE_SHARE * counted), least)
