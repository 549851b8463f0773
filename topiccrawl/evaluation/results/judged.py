"""Metrics of the crawler's judgments of pages: which are kept, and how well probabilities are calibrated.

Throughout, ``y`` is 1 for a relevant page and 0 for another, ``p`` is the crawler's probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from topiccrawl.scoring.arrays import BoolArray, FloatArray

#: Bins of the calibration error, of equal width, as in Guo et al., "On Calibration of Modern Neural
#: Networks", ICML 2017, with 10 bins in place of 15.
BINS = 10


@dataclass(frozen=True, slots=True)
class Selection:
    """Pages that a judge or a rule keeps, compared with the relevant ones."""

    kept: int
    """Pages kept."""
    right: int
    """Relevant pages among them: relevant pages stored."""
    precision: float | None
    """right / kept; ``None`` if nothing is kept."""
    recall: float | None
    """right / relevant; ``None`` if there is no relevant page."""
    f1: float | None
    """2 right / (kept + relevant); ``None`` if both are 0."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Reliability of probabilities in bins of equal width; sums, so that runs can be pooled.

    Bin b of n contains the pages with ``b/n <= p < (b+1)/n``, the last one also p = 1.
    """

    pages: list[int]
    """Pages in each bin."""
    probability: list[float]
    """Sum of their p."""
    relevant: list[int]
    """Number of relevant pages among them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgments of one run at a checkpoint, or of the whole web after it."""

    at: int
    """Budget in pages at the checkpoint; for the whole web, the budget of the run."""
    pages: int
    """Pages judged, without those that are left out."""
    relevant: int
    """Relevant pages among them."""
    kept: Selection
    """By the crawler's judge."""
    naive: dict[str, Selection]
    """By the naive rules."""
    auc: float | None
    """See :func:`auc_of`."""
    calibration: Calibration | None
    """``None`` if no page has a probability."""


def selection_of(kept: BoolArray, relevant: BoolArray) -> Selection:
    """Return precision, recall and F1 of the pages *kept*, both of shape (n,)."""
    both, chosen, wanted = int((kept & relevant).sum()), int(kept.sum()), int(relevant.sum())
    return Selection(
        kept=chosen,
        right=both,
        precision=both / chosen if chosen else None,
        recall=both / wanted if wanted else None,
        f1=2 * both / (chosen + wanted) if chosen + wanted else None,
    )


def auc_of(probability: FloatArray, relevant: BoolArray) -> float | None:
    """Return the area under the ROC curve, in [0, 1]; ``None`` without relevant or other pages.

    It is the probability that a relevant page has a larger p than another page, ties counting one
    half (Mann-Whitney U): ``AUC = (Σ ranks of relevant - R(R+1)/2) / (R·(N-R))``.  Pages without a
    probability (nan) rank below all others.
    """
    wanted, others = int(relevant.sum()), int((~relevant).sum())
    if not wanted or not others:
        return None
    ranks = stats.rankdata(np.where(np.isnan(probability), -1.0, probability))
    return float((ranks[relevant].sum() - wanted * (wanted + 1) / 2) / (wanted * others))


def calibration_of(probability: FloatArray, relevant: BoolArray) -> Calibration | None:
    """Return the reliability of *probability* for *relevant*, both of shape (n,).

    Pages without a probability (nan) are left out; ``None`` if none has one.
    """
    known = ~np.isnan(probability)
    if not known.any():
        return None
    p, y = np.clip(probability[known], 0.0, 1.0), relevant[known]
    place = np.minimum((p * BINS).astype(np.int64), BINS - 1)
    return Calibration(
        np.bincount(place, minlength=BINS).tolist(),
        np.bincount(place, weights=p, minlength=BINS).tolist(),
        np.bincount(place[y], minlength=BINS).tolist(),
    )


def pooled(parts: Iterable[Calibration]) -> Calibration | None:
    """Return the calibration of all pages of *parts* together; ``None`` without parts."""
    found = list(parts)
    if not found:
        return None
    return Calibration(
        [sum(column) for column in zip(*(c.pages for c in found), strict=True)],
        [math.fsum(column) for column in zip(*(c.probability for c in found), strict=True)],
        [sum(column) for column in zip(*(c.relevant for c in found), strict=True)],
    )


def calibration_error(calibration: Calibration) -> float:
    """Return the expected calibration error ``ECE = Σ_b |Σ_{i in b} (p_i - y_i)| / N``, in [0, 1].

    This is ``Σ_b (n_b / N) |mean p - share of relevant pages|`` over bins b with n_b pages (Naeini,
    Cooper and Hauskrecht, AAAI 2015).
    """
    pages = sum(calibration.pages)
    gaps = (abs(p - y) for p, y in zip(calibration.probability, calibration.relevant, strict=True))
    return math.fsum(gaps) / pages if pages else 0.0


def judged_pages(
    at: int,
    probability: Sequence[float],
    kept: Sequence[bool],
    naive: Mapping[str, Sequence[bool]],
    relevant: Sequence[bool],
    counted: Sequence[bool],
) -> Judged:
    """Return the figures of the pages for which *counted* is true; all sequences have length n."""
    chosen = np.array(counted, dtype=bool)
    wanted = np.array(relevant, dtype=bool)[chosen]
    p = np.array(probability, dtype=np.float64)[chosen]
    known = bool((~np.isnan(p)).any())
    return Judged(
        at=at,
        pages=int(chosen.sum()),
        relevant=int(wanted.sum()),
        kept=selection_of(np.array(kept, dtype=bool)[chosen], wanted),
        naive={
            rule: selection_of(np.array(each, dtype=bool)[chosen], wanted)
            for rule, each in naive.items()
        },
        auc=auc_of(p, wanted) if known else None,
        calibration=calibration_of(p, wanted),
    )
