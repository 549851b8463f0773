"""Relevance of a page to a topic: a cosine that is adapted to topics of few words.

The cosine of the vector space model ([thesis] 4.10) suits a topic vector of some hundred terms.  For a
topic of one word it depends on little more than the length of the page: a page of 400 different terms
that contains the word ten times has a cosine of 0.1.  So the terms of the page that do not occur in the
topic vector ("foreign" terms) count only with the share that a vector of this size could contain::

    score(d) = Σ_t q_t·d_t / sqrt( Σ_{t∈q} d_t² + β²·max(Σ_{t∉q} d_t², F²) )

    β² = min(1, (n + 3) / 100)        n = terms of the topic vector q, ‖q‖ = 1
    F² = (1 - β²)⁴ · 200 · 10²        at least as much foreign text as 200 terms of weight 10

For n >= 97, β = 1 and F = 0: the plain cosine.  F prevents a very short page from passing with one
mention of a bare word.  It decreases fast (half for 11 terms), because several different words of a topic
in a few lines are no coincidence.  The score is in [0, 1], 0 without common terms, and 1 for the topic
vector itself if β = 1.

The constants were chosen on two webs (a Chinese manual of 2,700 pages with 4 topics and 1,800 English
encyclopedia articles with 3): with 100 as the denominator of β², the best threshold for keyword lists of
8 to 13 words was .19 to .36 on all of them, while that of the plain cosine was .06 to .14; the ranking
(area under the curve) was unchanged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.scoring.vsm import TermVector

#: Terms of a vector that can describe a whole page (measured, see above).
WHOLE_PAGE_TERMS = 100
#: Gives a single word β = 0.2: one mention among 250 foreign terms scores 0.3, five score 0.6.
_ADDED_TERMS = 3
#: The constants of F²: guesses, tried on short notices of 15 to 60 terms.
_FLOOR_TERMS = 200
_FLOOR_POWER = 4
#: Weight of an ordinary term on a page, (1 + ln tf)·idf: jieba's idf is 7 to 12 for most words.
_TYPICAL_WEIGHT = 10.0
#: The model page of :func:`model_threshold`: an article of about a thousand words, each of the topic's
#: terms in it twice (source not recorded).
_MODEL_FOREIGN_TERMS = 400
_MODEL_TF = 2


@dataclass(frozen=True, slots=True)
class Relevance:
    """A relevance score and the terms that contribute most to it."""

    score: float
    """In [0, 1]."""
    main_terms: tuple[tuple[str, float], ...] = ()
    """(word, part), largest first; the parts of all common terms sum to the score."""


def foreign_share(n: int) -> float:
    """Return β² for a topic vector of *n* terms, in (0, 1]."""
    return min(1.0, (n + _ADDED_TERMS) / WHOLE_PAGE_TERMS)


def relevance_parts(page: TermVector, topic: TermVector) -> dict[str, float]:
    """Return the contribution of each common term to the score of a page.

    Parameters
    ----------
    page
        Term weights d of the page, non-negative.
    topic
        Term weights q of the topic, non-negative, of norm 1.

    Returns
    -------
    dict
        ``q_t·d_t`` over the denominator of the score, by term; they sum to the score.
    """
    if len(page) < len(topic):
        common = {t: w for t, w in page.items() if t in topic}
    else:
        common = {t: page[t] for t in topic if t in page}
    if not common:
        return {}
    share = foreign_share(len(topic))
    known = math.fsum(w * w for w in common.values())
    # The difference of two sums may be slightly negative.
    floor = (1 - share) ** _FLOOR_POWER * _FLOOR_TERMS * _TYPICAL_WEIGHT**2
    foreign = max(page.norm**2 - known, floor, 0.0)
    length = math.sqrt(known + share * foreign)
    return {t: w * topic[t] / length for t, w in common.items()}


@cache
def model_threshold(n: int) -> float:
    """Return the threshold for a topic of *n* terms without samples: the score of a model page.

    The model page has 400 foreign terms of weight 10 (an article of about a thousand words) and √n of
    the topic's terms, rounded up, twice each; of the scores for up to n terms, the smallest counts.
    The threshold is 0.39 for n = 1, 0.23 for 12, 0.08 for 100.

    Notes
    -----
    Because √n is rounded up, the score of n terms alone would be larger for 2 terms than for 1, and
    for 5 than for 4.
    """
    return min(map(_model_score, range(1, n + 1)))


def _model_score(n: int) -> float:
    found = math.ceil(math.sqrt(n))
    weight = _TYPICAL_WEIGHT * (1 + math.log(_MODEL_TF))
    foreign = _MODEL_FOREIGN_TERMS * _TYPICAL_WEIGHT**2
    length = math.sqrt(found * weight**2 + foreign_share(n) * foreign)
    return found * weight / math.sqrt(n) / length
