"""Which terms set some texts apart from others, by weighted log-odds with an informative prior.

Monroe, Colaresi and Quinn, "Fightin' Words: Lexical Feature Selection and Evaluation for Identifying the
Content of Political Conflict", Political Analysis 16(4), 2008, equations 15 to 22, with documents in the
place of occurrences, because a word is repeated in one text.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from topiccrawl.scoring.arrays import FloatArray

#: Number of documents that the background is worth (chosen on the stored manuals, see docs/vocabulary.md).
PRIOR_DOCUMENTS = 50.0


@dataclass(slots=True)
class TermCounts:
    """In how many texts each term occurs; texts may count as parts of one."""

    texts: float = 0.0
    documents: Counter[str] = field(default_factory=Counter)

    def add(self, terms: Iterable[str], weight: float = 1.0) -> None:
        """Add a text with these *terms*."""
        self.texts += weight
        for term in set(terms):
            self.documents[term] += weight  # type: ignore[assignment]


def log_odds(
    terms: Sequence[str], inside: TermCounts, outside: TermCounts, idf: Callable[[str], float]
) -> tuple[FloatArray, FloatArray]:
    """Return how much more often *terms* are in the texts *inside*: δ and z.

    Parameters
    ----------
    terms
        Terms.
    inside, outside
        The texts of the topic, and others; there may be none of these.
    idf
        Specificity: e^-idf is the share of documents of the background that have a term.

    Returns
    -------
    delta, z : arrays of shape (len(terms),)
        z = δ / sqrt(1/(y+α) + 1/(y'+α)), δ = ln (y+α)/(n+a-y-α) - ln (y'+α)/(n'+a-y'-α), where α = a·e^-idf
        with a = PRIOR_DOCUMENTS, of y texts of n inside and y' of n' outside.
    """
    share = np.array([math.exp(-idf(term)) for term in terms])
    prior = PRIOR_DOCUMENTS * np.clip(share, 1e-5, 0.9)
    y = np.array([inside.documents[term] for term in terms], dtype=np.float64)
    other = np.array([outside.documents[term] for term in terms], dtype=np.float64)
    here = _odds(y + prior, inside.texts + PRIOR_DOCUMENTS)
    there = _odds(other + prior, outside.texts + PRIOR_DOCUMENTS)
    delta = np.log(here) - np.log(there)
    return delta, delta / np.sqrt(1 / (y + prior) + 1 / (other + prior))


def _odds(hits: FloatArray, total: float) -> FloatArray:
    return np.asarray(hits / np.maximum(total - hits, 1e-3))
