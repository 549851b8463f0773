"""How large the topic is, and what is kept.

::

    K₀ = sqrt(K_typical · K_words)
    K = argmin of n(K) / K · (K/K₀)^.2      over K₀ <= K <= min(8·K₀, N/2)
    n(K) = |{u: |z(u) - z_K| <= .15·(z⁺ - z⁻)}|
    p(u) = σ(5·(z(u) - z_K) / (z⁺ - z_K)) above the border, σ(10·(z(u) - z_K) / (z_K - z⁻)) below it

K_typical counts the pages that look like a typical positive: σ(z) of at least .4 of the positives' mean
(a classifier that learned from some positives only underestimates all pages by about the same factor:
Elkan and Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008).  K_words counts
the pages over the keyword threshold.  Either alone is often off by a factor of two and their errors are
not the same; the second cannot drift with what is learned.  Both are too small where the topic was named
by few words that few of its pages use: K is never below K₀, and with at most 30 pages over the threshold a larger K
is no worse for being far from K₀ (there is no factor).  The border of the topic is where the fewest pages lie for its
size (clusters are separated by regions of low density: Chapelle and Zien,
"Semi-supervised classification by low density separation", AISTATS 2005).  z_K is the K-th largest z,
z⁺ and z⁻ are the means of the z above and below it: the spread of z depends on the number of pages and
on how different they are, on each side of the border, and the probabilities should not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, sigmoid
from topiccrawl.scoring.classifier.start import LEAST_POSITIVES, by_words

#: What the user wants the collection for.
Balance = Literal["precision", "balanced", "recall"]
BALANCES: Final[tuple[Balance, ...]] = get_args(Balance)

#: Share of the mean of the positives from which a page looks like a typical one.  Measured with the
#: geometric mean on two webs: .35, .4 and .5 differ by less than .02 of F1 (2026-11).
TYPICAL_SHARE = 0.4
#: Largest K / K₀, the largest K as a share of the pages (in a crawl of pages that are mostly on topic there
#: is not a valley but the end), the half-width of n(K) over z⁺ - z⁻, the power of K/K₀, the number of K that are
#: tried and the smallest.  F1 of the 1,000 pages of complete crawls without this step, with bounds of .7 and 2,
#: and of .7 and 8: Chinese from keywords .66, .79, .80, from a bare word .45, .43, .60, with samples .74, .82, .83
#: (13 topics); of simulated crawls in English .69, .69, .69, .57, .56, .55, .64, .67, .67 (31 topics).
#: Powers of .15 and .3, half-widths of .1 and .2, and bounds of 6 and 12 are within .02 in the mean.  As it is, from K₀
#: on: docs/laboratory/judge.md (2026-11).
LARGEST = 8.0
MOST_SHARE = 0.5
NEAR = 0.15
FAR_POWER = 0.2
SIZES = 80
LEAST_SIZE = 10
#: Slopes above and below the border, chosen by half of the topics of an encyclopedia, manuals and portals.  On two
#: portals drawn anew, after 1,000 pages from keywords, a bare word and samples: calibration error over the 1,500 pages
#: most likely on topic .016, .027, .024 with one slope of 14 over z⁺ - z⁻, and .014, .025, .020 with these; F1 within
#: .002.  5 and 14, and 7 and 10, are alike; see docs/laboratory/judge.md (2026-11).
ABOVE, BELOW = 5.0, 10.0
#: How far the border is above the log-odds of a page of average text in an unknown place: such a page is not kept when
#: most of a focused crawl is on topic.  F1 of the whole web after 1,000 pages in Chinese .738 without it, .754
#: with .25, .761 with .5; no effect in English or from a bare word (13 and 8 topics, 2026-11).
ABOVE_NOTHING = 0.5
#: Weight of the words, in pages.  F1 of the pages after 100 pages without it and with 100: Chinese .64 and .66
#: from keywords, .50 and .51 from a bare word, English .59 and .66, .35 and .47; after 300 and 1,000 pages the
#: same within .01; with 200 more is gained at 100 pages and .01 lost at 300 (13 and 8 topics, 2026-11).
WORDS_WEIGHT = 100
#: Evidence from which the user's words outweigh all that was learned.  F1 of the whole web with 1.5, 2, 3 and
#: without: Chinese .722, .734, .736, .738, English .691, .689, .678, .670 (13 and 8 topics, 2026-11).
CERTAIN = 2.0
#: Largest sum of all probabilities, in K (a guess), and how often the lower slope is doubled for it: where few
#: positives give small weights all pages are near the border, and many small probabilities would add up to
#: a topic far larger than K.
MOST_MASS = 2.0
MOST_DOUBLINGS = 6
#: Bounds the slopes when all pages look alike (a guess).
LEAST_APART = 0.05
#: Expected precision of ``precision``, and expected recall of ``recall`` (choices).
WANTED_SHARE = 0.9
#: Bounds of the threshold (choices): pages that are certainly off topic are never kept, those that are certainly on
#: topic always are.
LEAST_THRESHOLD, MOST_THRESHOLD = 0.1, 0.9


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns log-odds of the model into probabilities."""

    border: float
    """z_K: where the probability is 1/2."""
    above: float
    """Slope of the log-odds above the border, > 0."""
    below: float
    """Slope below it, > 0."""

    def probability(self, z: FloatArray) -> FloatArray:
        """Return p, in [0, 1], for log-odds *z*; the shape is kept."""
        away = z - self.border
        return sigmoid(np.where(away < 0, self.below, self.above) * away)


def topic_size(z: FloatArray, typical: float, words: int, nothing: float = -np.inf) -> int:
    """Return K, the number of the pages seen so far that the topic has.

    Parameters
    ----------
    z
        Log-odds of all pages, shape (n,), n >= 1.
    typical
        Mean of σ(z) over the positives.
    words
        K_words, > 0.
    nothing
        Log-odds of a page of average text in an unknown place; the border is above it.
    """
    similar = int((sigmoid(z) >= TYPICAL_SHARE * typical).sum())
    falling = np.sort(z)[::-1]
    size = max(1, min(len(z), round(float(np.sqrt(max(1, similar) * words)))))
    size = _sparsest(falling, size, few=words <= LEAST_POSITIVES)
    return max(1, int((z >= _border(falling, size, nothing)).sum()))


def calibrate(z: FloatArray, size: int, nothing: float = -np.inf) -> Calibration:
    """Return the calibration with the border at the *size*-th largest *z*, shape (n,), 1 <= size <= n.

    The border is also above *nothing*, the log-odds of a page of average text in an unknown place.
    """
    falling = np.sort(z)[::-1]
    border = _border(falling, size, nothing)
    upper, lower = _means(falling, size)
    above, below = (
        ABOVE / max(upper - border, LEAST_APART),
        BELOW / max(border - lower, LEAST_APART),
    )
    for doublings in range(MOST_DOUBLINGS):
        calibration = Calibration(border, above, below * 2**doublings)
        if calibration.probability(falling).sum() <= MOST_MASS * size:
            break
    return calibration


def _border(falling: FloatArray, size: int, nothing: float) -> float:
    """Return z_K of the *size* largest of *falling*, above *nothing*."""
    return max(float(falling[size - 1]), nothing + ABOVE_NOTHING)


def _means(falling: FloatArray, size: int) -> tuple[float, float]:
    """Return z⁺ and z⁻ of the *size* largest of *falling* and of the others; equal if there are none."""
    upper = float(falling[:size].mean())
    return upper, float(falling[size:].mean()) if size < len(falling) else upper


def _sparsest(falling: FloatArray, size: int, *, few: bool) -> int:
    """Return the K from *size* on with the fewest values near the K-th, over K.

    With *few* pages over the keyword threshold, *size* is too small rather than too large.
    """
    low, high = max(size, LEAST_SIZE), min(size * LARGEST, len(falling) * MOST_SHARE)
    if high <= low:
        return size
    upper, lower = _means(falling, size)
    near = NEAR * (upper - lower)
    sizes = np.unique(np.geomspace(low, high, SIZES).astype(np.int64))
    at = falling[sizes - 1]
    first = np.searchsorted(-falling, -(at + near))
    last = np.searchsorted(-falling, -(at - near))
    away = (sizes / size) ** (0.0 if few else FAR_POWER)
    return int(sizes[np.argmin((last - first + 1) / sizes * away)])


def with_words(p: FloatArray, own: FloatArray, pages: int) -> FloatArray:
    """Return the probabilities of pages from what was learned and from the user's words.

    ``(n·p + 100·w) / (n + 100)`` with ``w = e/(1+e)``, and at least w where e >= 2: what was learned
    from few pages counts little, and the user's words outweigh it where they are sure.

    Parameters
    ----------
    p, own
        Learned probabilities, and the evidence e of the words, shapes (m,).
    pages
        n: pages that the model was learned from.
    """
    words = by_words(own)
    mixed = (pages * p + WORDS_WEIGHT * words) / (pages + WORDS_WEIGHT)
    return np.asarray(np.where(own >= CERTAIN, np.maximum(mixed, words), mixed))


def choose_threshold(p: FloatArray, balance: Balance) -> float:
    """Return the least probability of a page that is kept.

    Parameters
    ----------
    p
        Calibrated probabilities of the pages seen so far, shape (n,).
    balance
        ``balanced`` maximizes the expected F1, 2·Σ_kept p / (|kept| + Σ p) (Lewis, "Evaluating and
        optimizing autonomous text classification systems", SIGIR 1995); ``precision`` keeps as many
        pages as possible with an expected precision of .9, but not more than ``balanced``; ``recall``
        as few as possible with an expected recall of .9, but not fewer than ``balanced``.

    Returns
    -------
    float
        In [0.1, 0.9].
    """
    if not len(p):
        return 0.5
    falling = np.sort(p)[::-1]
    found = np.cumsum(falling)
    kept = np.arange(1, len(p) + 1)
    expected = 2 * found / (kept + max(found[-1], np.finfo(float).tiny))
    last = int(np.argmax(expected))
    if balance == "balanced":
        # Half of the largest F1 separates the same pages, and is right for pages in between, too.
        return float(min(MOST_THRESHOLD, max(LEAST_THRESHOLD, expected[last] / 2)))
    if balance == "precision":
        good = np.flatnonzero(found / kept >= WANTED_SHARE)
        last = min(last, int(good[-1]) if len(good) else 0)
    elif balance == "recall":
        last = max(last, int(np.argmax(found >= WANTED_SHARE * found[-1])))
    return float(min(MOST_THRESHOLD, max(LEAST_THRESHOLD, falling[last])))
