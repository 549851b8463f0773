"""How large the topic is, and what is kept.

::

    K = sqrt(K_typical · K_words)        p(u) = σ(α·(z(u) - z_K))

K_typical counts the pages that look like a typical positive: σ(z) of at least .4 of the positives' mean
(a classifier that learned from some positives only underestimates all pages by about the same factor:
Elkan and Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008).  K_words counts
the pages over the keyword threshold.  Either alone is often off by a factor of two and their errors are
not the same; the second cannot drift with what is learned.  z_K is the K-th largest z.  α is larger
than usual where Σ p would be far from K (:func:`slope`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np

from topiccrawl.scoring.arrays import FloatArray

#: What the user wants the collection for.
Balance = Literal["precision", "balanced", "recall"]
BALANCES: Final[tuple[Balance, ...]] = get_args(Balance)

#: Share of the mean of the positives from which a page looks like a typical one.  Measured with the
#: geometric mean on two webs: .35, .4 and .5 differ by less than .02 of F1 (2026-11).
TYPICAL_SHARE = 0.4
#: α: slope of the calibration, see docs/classifier.md.
SLOPE = 1.5
#: Largest sum of all probabilities, in K (a guess), and how often the slope is doubled for it.
MOST_MASS = 2.0
MOST_DOUBLINGS = 12
#: Expected precision of ``precision``, and expected recall of ``recall`` (choices).
WANTED_SHARE = 0.9
#: Bounds of the threshold: nobody wants what is off topic for sure, or to lose what is on topic for sure
#: (choices).
LEAST_THRESHOLD, MOST_THRESHOLD = 0.1, 0.9


def border(z: FloatArray, typical: float, words: int) -> float:
    """Return z_K.

    Parameters
    ----------
    z
        Log-odds of all pages, shape (n,), n >= 1.
    typical
        Mean of σ(z) over the positives.
    words
        K_words, > 0.
    """
    similar = int((_sigmoid(z) >= TYPICAL_SHARE * typical).sum())
    size = max(1, min(len(z), round(float(np.sqrt(max(1, similar) * words)))))
    return float(-np.partition(-z, size - 1)[size - 1])


def slope(z: FloatArray, at: float) -> float:
    """Return α: the smallest of SLOPE, 2·SLOPE, 4·SLOPE ... for which Σ p is at most MOST_MASS·K.

    Few positives give small weights, and all pages of a rare topic's crawl are near the border: many
    small probabilities would add up to a topic far larger than K.

    Parameters
    ----------
    z, at
        Log-odds of all pages, shape (n,), and z_K.
    """
    most = MOST_MASS * int((z >= at).sum())
    steeper = (SLOPE * 2.0**i for i in range(MOST_DOUBLINGS))
    return next((s for s in steeper if probability(z, at, s).sum() <= most), SLOPE)


def probability(z: FloatArray, at: float, steep: float = SLOPE) -> FloatArray:
    """Return p for log-odds *z*, with 1/2 where z is *at* and the slope *steep* there."""
    return _sigmoid(steep * (z - at))


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
    last = int(np.argmax(2 * found / (kept + found[-1])))
    if balance == "precision":
        good = np.flatnonzero(found / kept >= WANTED_SHARE)
        last = min(last, int(good[-1]) if len(good) else 0)
    elif balance == "recall":
        last = max(last, int(np.argmax(found >= WANTED_SHARE * found[-1])))
    return float(min(MOST_THRESHOLD, max(LEAST_THRESHOLD, falling[last])))


def _sigmoid(z: FloatArray) -> FloatArray:
    return 0.5 * (1.0 + np.tanh(0.5 * z))
