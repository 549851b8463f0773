"""Link scores from a link's own extended metadata: UH, TeH, TiH, AMH, RW, B, RWB.

Source: thesis (documents 000/003), chapter 4, formulas 4.1 to 4.6, as reconstructed in algorithms.md
1.1.  Scalar functions are the definitions; ``*_array`` are the same for all links of a page at once.
rel(t) in [0, 1] is the relevance of a term to the topic: synonym 1, near-synonym .5-1, remote 0-.5.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray

RelevanceAggregate = Literal["max", "mean"]
BackgroundAggregate = Literal["mean-top", "max"]
RwbMode = Literal["capped", "thesis"]

THRESHOLD = 0.5
"""c: the lower end of "near-synonym" on the thesis's scale of rel (algorithms.md 1.1; a choice)."""
BLOCK_PROBABILITY = 0.5
"""d of 4.6: how often a link under the threshold gets no second chance (a guess; thesis value lost)."""
AMH_WEIGHTS = (0.3, 0.6, 0.1)
"""a, b, c of 4.4 (a choice: the text around a link says most, its URL half as much)."""
BACKGROUND_TOP = 10
"""B is the mean of this many best terms: a maximum would be 1 on any page that names the topic once."""
THIRD_CHANCE_CAP = 0.3
"""Largest score of the third chance in mode "capped".  Simulation of algorithms.md 2.4 (120 sites,
budget 6,000): harvest .70 with .3·P2, .44 with P2 as it stands."""


@dataclass(frozen=True, slots=True)
class AmhWeights:
    """a, b, c of 4.4: each in [0, 1] and together at most 1, so that AMH stays in [0, 1]."""

    url: float = AMH_WEIGHTS[0]
    text: float = AMH_WEIGHTS[1]
    title: float = AMH_WEIGHTS[2]

    def __post_init__(self) -> None:
        for name in ("url", "text", "title"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise ValueError(f"AMH weight {name} must be in [0, 1], got {value}")
        total = self.url + self.text + self.title
        if total > 1 + 1e-12:
            raise ValueError(f"AMH weights must sum to at most 1, got {total}")


class HitMatcher:
    """Does one of the topic words occur?  Formulas 4.1 to 4.3 for the group of strings given.

    UH looks at {href, onmouseover, src}, TeH at {anchor, image, map and area, frame, surrounding
    text}, TiH at {title, name}: the caller chooses the strings, the rule is the same.  Words and
    strings must be normalised alike (case, traditional/simplified) beforehand.
    """

    __slots__ = ("_pattern",)

    def __init__(self, words: Iterable[str]) -> None:
        alternatives = "|".join(re.escape(word) for word in sorted({w for w in words if w}))
        self._pattern = re.compile(alternatives) if alternatives else None

    def hit(self, strings: Iterable[str]) -> bool:
        """True if some topic word is part of some string."""
        pattern = self._pattern
        return pattern is not None and any(pattern.search(s) for s in strings)

    def hit_array(self, groups: Sequence[Iterable[str]]) -> BoolArray:
        """``hit`` for one group of strings per link, shape (n,)."""
        return np.fromiter((self.hit(g) for g in groups), dtype=np.bool_, count=len(groups))


def amh(url_hit: bool, text_hit: bool, title_hit: bool, weights: AmhWeights) -> float:
    """AMH = a·UH + b·TeH + c·TiH, in [0, 1] (thesis 4.4)."""
    return weights.url * url_hit + weights.text * text_hit + weights.title * title_hit


def amh_array(
    url_hit: BoolArray, text_hit: BoolArray, title_hit: BoolArray, weights: AmhWeights
) -> FloatArray:
    """AMH of n links at once; all arrays of shape (n,)."""
    return np.asarray(
        weights.url * url_hit + weights.text * text_hit + weights.title * title_hit,
        dtype=np.float64,
    )


def extended_relevance(rels: Iterable[float], aggregate: RelevanceAggregate = "max") -> float:
    """R(url) = max (or mean) of rel(t) over the terms t of the link's extended metadata; 0 if none.

    First half of thesis 4.5.  The aggregate is not in the text; maximum is the likeliest reading.
    """
    values = list(rels)
    if not values:
        return 0.0
    return max(values) if aggregate == "max" else sum(values) / len(values)


def rw(relevance: float, c: float = THRESHOLD) -> float:
    """RW(url) = R(url) if R(url) >= c, else 0 (thesis 4.5)."""
    return relevance if relevance >= c else 0.0


def rw_array(relevance: FloatArray, c: float = THRESHOLD) -> FloatArray:
    """RW of n links at once from their R, shape (n,)."""
    return np.where(relevance >= c, relevance, 0.0)


def background(
    rels: Iterable[float],
    aggregate: BackgroundAggregate = "mean-top",
    top: int = BACKGROUND_TOP,
) -> float:
    """B(url): how much the text around the link, its whole page, is about the topic.

    "mean-top" is the sum of the *top* largest rel(t) over the occurrences of terms in the page's
    text, divided by *top*: a page with fewer graded occurrences counts as if the rest were 0, so one
    mention is not enough.  "max" is the literal alternative.  In [0, 1]; 0 for no terms.

    Raises ``ValueError`` for ``top`` < 1.
    """
    if top < 1:
        raise ValueError(f"top must be >= 1, got {top}")
    if aggregate == "max":
        return max(rels, default=0.0)
    return sum(heapq.nlargest(top, rels)) / top


def rwb(
    rw_value: float,
    background_value: float,
    p1: float,
    p2: float,
    *,
    c: float = THRESHOLD,
    d: float = BLOCK_PROBABILITY,
    mode: RwbMode = "capped",
) -> float:
    """RWB (thesis 4.6): RW with a second chance from the page and a third one from luck.

    ::

        RW  if RW >= c
        B   if RW < c, P1 >= d and B >= c        (mode "capped": c · B)
        P2  if RW < c, P1 >= d and B <  c        (mode "capped": THIRD_CHANCE_CAP · P2)
        RW  if RW < c, P1 <  d

    P1, P2 come from :func:`~topiccrawl.scoring.draws.link_draws`.  In [0, 1].

    Notes: departs from the paper in mode "capped" only: there neither the page nor luck ever puts a
    link without evidence of its own above one that has it.
    """
    if rw_value >= c or p1 < d:
        return rw_value
    if background_value >= c:
        return background_value if mode == "thesis" else c * background_value
    return p2 if mode == "thesis" else THIRD_CHANCE_CAP * p2


def rwb_array(
    rw_values: FloatArray,
    background_value: float,
    p1: FloatArray,
    p2: FloatArray,
    *,
    c: float = THRESHOLD,
    d: float = BLOCK_PROBABILITY,
    mode: RwbMode = "capped",
) -> FloatArray:
    """RWB of the n links of one page at once; arrays of shape (n,), one B for the page."""
    if background_value >= c:
        page = background_value if mode == "thesis" else c * background_value
        chance = np.full_like(rw_values, page)
    else:
        chance = p2 if mode == "thesis" else THIRD_CHANCE_CAP * p2
    return np.where((rw_values >= c) | (p1 < d), rw_values, chance)
