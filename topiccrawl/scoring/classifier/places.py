"""How much the places of pages say about the topic.

::

    r_f(u) = (n⁺_f - o_f(u) + m·π) / (n_f - 1 + m)        for the places f of u with 2 <= n_f <= n/2
    o_f(u) = 1 if u is a positive, else n⁺_f / n⁺
    s(u) = Σ_f ln(r_f(u) / π)
    A = P(s(u) > s(v)) + ½·P(s(u) = s(v)), u a positive, v none
    worth = 1 - c·(1 - w),  w = (A - .5) / .1 in [0, 1]

n_f of the n pages have the place f, n⁺_f of the n⁺ positives, π = n⁺/n.  The page itself is left out, and one positive
on average for a page that is none, so that both see equally many.  Where folders are topics, A is .7 to .95; where they
are first letters it is .2 to .5, and their weights would only repeat the positives by heart.  c is the share of
pages that have such a place, less with fewer than ten positives: a crawl that has seen a single folder, or hardly a
page on topic, does not show what folders say.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray
from topiccrawl.scoring.strategy import N_FEATURES

#: m: pages that a place is assumed to have before any is seen (a guess).
PRIOR_PAGES = 2.0
#: Positives from which A counts fully (a guess: leaving out one of three says nothing).
ENOUGH_POSITIVES = 10
#: A up to which places do not count, that of chance, and from which they count fully.  Chosen from five pairs, .4 to
#: .8, on 13 Chinese and 16 English topics; .45 and .55 are equal in the mean.  Average precision of the whole web
#: after 1,000 pages without and with it: 31 English topics .797 and .807 from keywords, .672 and .707 from a bare word;
#: 15 of them, on which nothing was chosen, .839 and .843, .735 and .772; Chinese .815 and .815, .674 and .663 (one
#: topic); after 250 pages .650 and .673, .600 and .601 (2026-11).
NOTHING, FULL = 0.5, 0.6


def place_worth(row: IdArray, places: IdArray, positive: BoolArray) -> float:
    """Return the factor of the places' weights, in [0, 1].

    Parameters
    ----------
    row, places
        Pages, as indices into *positive*, and their places; shapes (k,).
    positive
        Which pages are positives, shape (n,).
    """
    pages = np.bincount(places, minlength=N_FEATURES)[places]
    usable = (pages > 1) & (pages <= len(positive) / 2)
    row, places = row[usable], places[usable]
    shown = len(np.unique(row)) / len(positive) * min(1.0, positive.sum() / ENOUGH_POSITIVES)
    found = area(left_out_score(row, places, positive), positive)
    return float(1 - shown * (1 - min(1.0, max(0.0, (found - NOTHING) / (FULL - NOTHING)))))


def left_out_score(row: IdArray, places: IdArray, positive: BoolArray) -> FloatArray:
    """Return s of all pages, shape (n,); 0 for a page without places.

    Parameters as of :func:`place_worth`; every place has at least two pages.
    """
    share = max(float(positive.mean()), np.finfo(float).tiny)
    pages = np.bincount(places, minlength=N_FEATURES)[places]
    on_topic = np.bincount(places, weights=positive[row], minlength=N_FEATURES)[places]
    left_out = np.where(positive[row], 1.0, on_topic / max(1, int(positive.sum())))
    rate = (on_topic - left_out + PRIOR_PAGES * share) / (pages - 1 + PRIOR_PAGES)
    score = np.bincount(row, weights=np.log(rate / share), minlength=len(positive))
    return score.astype(np.float64)


def area(values: FloatArray, positive: BoolArray) -> float:
    """Return the area under the ROC curve, in [0, 1]; 1/2 if all pages are of one class."""
    pairs = int(positive.sum()) * int((~positive).sum())
    if not pairs:
        return 0.5
    # Sums in another order differ in the last bits.
    _, group, size = np.unique(values.round(9), return_inverse=True, return_counts=True)
    # Mean rank of equal values.
    rank = (np.cumsum(size) - (size - 1) / 2)[group]
    least = positive.sum() * (positive.sum() + 1) / 2
    return float((rank[positive].sum() - least) / pairs)
