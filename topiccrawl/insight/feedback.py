"""What the user's judgments change: a correction of the probabilities, learned from judged pages.

A logistic regression on the terms of the pages, with the log-odds of each page's probability as a fixed
offset: without judgments nothing changes, and a term gets weight only where the judgments contradict the
probabilities.  Terms of pages that were judged both ways cancel out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.insight.overview import Overview

#: Strength of the penalty on the squared weights (a guess: one judgment moves a page that shares all its
#: terms by about one in log-odds, ten by about three).
_PENALTY: Final = 0.5
#: Probabilities are kept this far from 0 and 1, so that a judgment can contradict every one.  A guess.
_MARGIN: Final = 0.02
#: Judged pages that are left out one by one; more are left out together, in as many groups.
_GROUPS: Final = 12
#: Pages listed as moved, and as unsure, at most (a choice).
_LISTED: Final = 10
#: Steps of Newton's method at most; ten are enough for any judgments that were tried.
_ROUNDS: Final = 30


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
    features, names = _features(judged)
    if not names:
        return Correction({})
    weights = features.T @ _fit(features @ features.T, *_targets(judged))
    return Correction(dict(zip(names, map(float, weights), strict=True)))


def left_out(judged: Sequence[Judged]) -> tuple[int, int]:
    """Return how many judged pages are judged alike before, and by what is learned from the others."""
    features, _names = _features(judged)
    kernel = features @ features.T
    offsets, labels = _targets(judged)
    before = sum((page.prior >= 0.5) is page.is_relevant for page in judged)
    groups = min(_GROUPS, len(judged))
    after = 0
    for group in range(groups):
        test = np.arange(len(judged)) % groups == group
        shares = _fit(kernel[np.ix_(~test, ~test)], offsets[~test], labels[~test])
        found = kernel[np.ix_(test, ~test)] @ shares + offsets[test]
        after += int(((found >= 0) == (labels[test] > 0.5)).sum())
    return before, after


def _features(judged: Sequence[Judged]) -> tuple[NDArray[np.float64], list[str]]:
    """Return the terms of the pages as rows of length one, and their names."""
    names = sorted({term for page in judged for term in page.terms})
    places = {name: at for at, name in enumerate(names)}
    features = np.zeros((len(judged), len(names)))
    for row, page in enumerate(judged):
        terms = set(page.terms)
        for term in terms:
            features[row, places[term]] = 1 / np.sqrt(len(terms))
    return features, names


def _targets(judged: Sequence[Judged]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the offset and the label, 0 or 1, of each page."""
    offsets = np.array([_log_odds(page.prior) for page in judged])
    return offsets, np.array([float(page.is_relevant) for page in judged])


def _fit(
    kernel: NDArray[np.float64], offsets: NDArray[np.float64], labels: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the share of each page in the weights, by Newton's method on the dual problem.

    There are far fewer pages than terms: the weights are a sum of the rows of the pages.
    """
    shares = np.zeros(len(labels))
    loss = _loss(kernel, offsets, labels, shares)
    for _round in range(_ROUNDS):
        odds = 1 / (1 + np.exp(-np.clip(kernel @ shares + offsets, -30, 30)))
        spread = np.maximum(odds * (1 - odds), 1e-6)
        wanted = np.linalg.solve(
            kernel + np.diag(_PENALTY / spread), kernel @ shares + (labels - odds) / spread
        )
        step = 1.0
        while step > 1e-4:
            tried = shares + step * (wanted - shares)
            found = _loss(kernel, offsets, labels, tried)
            if found <= loss:
                break
            step /= 2
        else:
            break
        improved, shares, loss = loss - found, tried, found
        if improved < 1e-10:
            break
    return shares


def _loss(
    kernel: NDArray[np.float64],
    offsets: NDArray[np.float64],
    labels: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> float:
    shifts = kernel @ shares
    margins = np.where(labels > 0.5, 1, -1) * (shifts + offsets)
    return float(np.logaddexp(0, -margins).sum() + _PENALTY / 2 * shares @ shifts)


def effect(overview: Overview, correction: Correction, judged: Collection[str] = ()) -> Effect:
    """Return what *correction* changes of the pages of *overview*, without copies and *judged* URLs."""
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
    own[[row for url in judged if (row := overview.row_of.get(url)) is not None]] = False
    change = np.where(own, np.abs(after - prior), 0.0)
    order = np.lexsort((np.arange(len(change)), -change))[:_LISTED]
    sure = np.where(own, np.abs(after - 0.5), np.inf)
    unsure = np.lexsort((np.arange(len(sure)), sure))[:_LISTED]
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
