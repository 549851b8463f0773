"""Link scores from a link's own extended metadata: AMH, RW, B and RWB.

Formulas 4.1 to 4.6 of [thesis], whose text is partly lost; reconstructed and chosen parts are marked
where they stand.  rel(t) in [0, 1] is the relevance of a term to the topic: 1 for a synonym, .5 to 1 for a near
synonym, 0 to .5 for a remote term.  The hits UH, TeH and TiH (4.1 to 4.3) come with the links, see
:mod:`topiccrawl.analysis.linktext`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray

RwbMode = Literal["capped", "thesis"]

#: c: the lower end of "near synonym" on the scale of rel (a choice).
THRESHOLD = 0.5
#: d of 4.6: how often a link below the threshold gets no second chance (a guess; the value of [thesis] is
#: lost).
BLOCK_PROBABILITY = 0.5
#: a, b, c of 4.4 (a choice: the text around a link counts most, its URL half as much).
AMH_WEIGHTS = (0.3, 0.6, 0.1)
#: Number of best terms whose mean is B (a choice): a maximum would be 1 on any page that mentions the
#: topic once.
BACKGROUND_TOP = 10
#: Largest score of the third chance in mode "capped".  In a simulation of 120 sites with a budget of 6,000
#: pages the harvest was .70 with .3·P2 and .44 with P2 as it stands.
THIRD_CHANCE_CAP = 0.3


@dataclass(frozen=True, slots=True)
class AmhWeights:
    """a, b, c of 4.4: each in [0, 1], their sum at most 1, so that AMH stays in [0, 1].

    Raises
    ------
    ValueError
        A weight or the sum is out of range.
    """

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


def amh_array(
    url_hit: BoolArray, text_hit: BoolArray, title_hit: BoolArray, weights: AmhWeights
) -> FloatArray:
    """Return AMH = a·UH + b·TeH + c·TiH of links ([thesis] 4.4).

    Parameters
    ----------
    url_hit, text_hit, title_hit
        Whether a topic word occurs in the link's strings of that kind, shape (n,).
    weights
        a, b, c.

    Returns
    -------
    FloatArray
        Shape (n,), in [0, 1].
    """
    return np.asarray(
        weights.url * url_hit + weights.text * text_hit + weights.title * title_hit,
        dtype=np.float64,
    )


def rw_array(relevance: FloatArray, c: float = THRESHOLD) -> FloatArray:
    """Return RW of links: R if R >= c, else 0 ([thesis] 4.5).

    Parameters
    ----------
    relevance
        R(url), the largest rel(t) over the terms of a link's extended metadata, shape (n,), in [0, 1].
    c
        The threshold, in [0, 1].

    Returns
    -------
    FloatArray
        Shape (n,), in [0, 1].

    Notes
    -----
    The text of 4.5 does not name the aggregate of rel(t); the maximum is the likeliest reading.
    """
    return np.where(relevance >= c, relevance, 0.0)


def background(rels: Iterable[float]) -> float:
    """Return B(url): how much the page around a link is about the topic.

    The sum of the ``BACKGROUND_TOP`` largest rel(t) divided by ``BACKGROUND_TOP``: on a page with fewer
    graded occurrences the missing ones count as 0, so that a single mention is not enough.

    Parameters
    ----------
    rels
        rel(t) of each occurrence of a term in the page's text, in [0, 1].

    Returns
    -------
    float
        In [0, 1]; 0 without terms.
    """
    return sum(heapq.nlargest(BACKGROUND_TOP, rels)) / BACKGROUND_TOP


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
    """Return RWB of the links of one page: RW with a second chance by the page and a third by chance.

    ::

        RW  if RW >= c
        B   if RW < c, P1 >= d and B >= c        (mode "capped": c · B)
        P2  if RW < c, P1 >= d and B <  c        (mode "capped": THIRD_CHANCE_CAP · P2)
        RW  if RW < c, P1 <  d

    Parameters
    ----------
    rw_values
        RW of each link, shape (n,), in [0, 1].
    background_value
        B of the page, in [0, 1].
    p1, p2
        Draws of :func:`~topiccrawl.scoring.draws.link_draws`, shape (n,), in [0, 1).
    c
        The threshold, in [0, 1].
    d
        Probability that a link below c gets no second chance, in [0, 1].
    mode
        "thesis" is 4.6 literally.

    Returns
    -------
    FloatArray
        Shape (n,), in [0, 1].

    Notes
    -----
    Mode "capped" departs from [thesis] 4.6: neither the page nor chance ever puts a link without evidence
    of its own above one that has it.
    """
    if background_value >= c:
        page = background_value if mode == "thesis" else c * background_value
        chance = np.full_like(rw_values, page)
    else:
        chance = p2 if mode == "thesis" else THIRD_CHANCE_CAP * p2
    return np.where((rw_values >= c) | (p1 < d), rw_values, chance)
