"""What the user's judgments change: a correction of the probabilities, learned from judged pages.

A logistic regression on the terms of the pages, with the log-odds of each page's probability as a fixed
offset: without judgments nothing changes, and a term gets weight only where the judgments contradict the
probabilities.  Terms of pages that were judged both ways cancel out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import minimize

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.insight.overview import Overview

__all__ = ["Correction", "Judged", "Moved", "effect", "learn", "left_out"]

#: Strength of the penalty on the squared weights (a guess: one judgment moves a page that shares all its
#: terms by about one in log-odds, ten by about three).
_PENALTY: Final = 0.5
#: Probabilities are kept this far from 0 and 1, so that a judgment can contradict every one.  A guess.
_MARGIN: Final = 0.02
#: Judged pages that are left out one by one; of more, these are left out together in as many groups.
_GROUPS: Final = 40


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged page."""

    terms: Sequence[str]
    is_relevant: bool
    prior: float
    """Its probability before the judgment, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Learned weights of terms, in log-odds."""

    weights: Mapping[str, float]

    def shift(self, terms: Sequence[str]) -> float:
        """Return by how much the log-odds of a page with these *terms* change."""
        known = set(terms)
        if not known:
            return 0.0
        return sum(self.weights.get(term, 0.0) for term in known) / float(np.sqrt(len(known)))

    def probability(self, terms: Sequence[str], prior: float) -> float:
        """Return the corrected probability of a page."""
        return _logistic(_log_odds(prior) + self.shift(terms))


@dataclass(frozen=True, slots=True)
class Moved:
    """A page whose probability changes."""

    row: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction changes in a collection."""

    leaving: int
    """Pages that were at least as likely as not, and are no more."""
    rising: int
    """Pages that were less likely than not, and are now at least as likely."""
    moved: Sequence[Moved]
    """The pages that change most, the largest change first."""
    unsure: Sequence[int]
    """Rows of the pages whose corrected probability is nearest to one half: the next to be judged."""


def learn(judged: Sequence[Judged]) -> Correction:
    """Return what *judged* pages teach; nothing without any."""
    names = sorted({term for page in judged for term in page.terms})
    if not names:
        return Correction({})
    places = {name: at for at, name in enumerate(names)}
    features = np.zeros((len(judged), len(names)))
    for row, page in enumerate(judged):
        for term in set(page.terms):
            features[row, places[term]] = 1 / np.sqrt(len(set(page.terms)))
    offsets = np.array([_log_odds(page.prior) for page in judged])
    signs = np.array([1.0 if page.is_relevant else -1.0 for page in judged])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = signs * (features @ weights + offsets)
        value = np.logaddexp(0, -margins).sum() + _PENALTY / 2 * weights @ weights
        slope = -signs / (1 + np.exp(np.clip(margins, -500, 500)))
        return float(value), features.T @ slope + _PENALTY * weights

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return Correction({name: float(found[at]) for name, at in places.items()})


def left_out(judged: Sequence[Judged]) -> tuple[int, int]:
    """Return how many judged pages are judged alike before, and by what is learned from the others."""
    before = sum((page.prior >= 0.5) is page.is_relevant for page in judged)
    groups = min(_GROUPS, len(judged))
    after = 0
    for group in range(groups):
        rest = [page for at, page in enumerate(judged) if at % groups != group]
        correction = learn(rest)
        for page in judged[group::groups]:
            after += (correction.probability(page.terms, page.prior) >= 0.5) is page.is_relevant
    return before, after


def effect(overview: Overview, correction: Correction, *, listed: int = 10) -> Effect:
    """Return what *correction* changes of the pages of *overview*, without copies."""
    columns = overview.columns
    prior = columns.probability.astype(np.float64)
    prior = np.where(np.isnan(prior), columns.relevance, prior)
    book = overview.books.term
    weights = np.zeros(len(book))
    for term, weight in correction.weights.items():
        if (code := book.code(term)) >= 0:
            weights[code] = weight
    lengths = columns.terms.lengths
    sums = (
        np.add.reduceat(np.append(weights[columns.terms.terms], 0.0), columns.terms.starts[:-1])
        if len(overview)
        else np.zeros(0)
    )
    shift = np.where(lengths > 0, sums / np.sqrt(np.maximum(lengths, 1)), 0.0)
    clipped = np.clip(prior, _MARGIN, 1 - _MARGIN)
    after = np.where(shift == 0, prior, 1 / (1 + (1 - clipped) / clipped * np.exp(-shift)))
    own = ~overview.is_copy
    change = np.where(own, np.abs(after - prior), 0.0)
    order = np.lexsort((np.arange(len(change)), -change))[:listed]
    sure = np.where(own, np.abs(after - 0.5), np.inf)
    unsure = np.lexsort((np.arange(len(sure)), sure))[:listed]
    return Effect(
        int((own & (prior >= 0.5) & (after < 0.5)).sum()),
        int((own & (prior < 0.5) & (after >= 0.5)).sum()),
        [Moved(int(it), float(prior[it]), float(after[it])) for it in order if change[it] > 0.005],
        [int(it) for it in unsure if np.isfinite(sure[it])],
    )


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _MARGIN), 1 - _MARGIN)
    return float(np.log(kept / (1 - kept)))


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))
