"""Categories of a topic: which pages belong to which, by words and samples.

A page belongs to the categories whose words it has in its title or among its keywords.  Where a category
has samples, naive Bayes is learned from them and from the pages that words have sorted, and is improved
by expectation maximization over all pages (Nigam, McCallum, Thrun and Mitchell, "Text Classification from
Labeled and Unlabeled Documents using EM", Machine Learning 39, 2000), with one more class for pages of no
category.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from topiccrawl.insight.categories.word_matches import matched_rows
from topiccrawl.insight.overview import Overview
from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.summary import digest

if TYPE_CHECKING:
    from topiccrawl.topics.definition import Category

#: A page belongs to each category whose score is this share of its highest one (best of 1, .8 and .6 on
#: the stored web ``zhdocs``, 2026-11).
_SHARE: Final = 0.6

#: A page belongs to a category with this posterior probability (a guess).
_POSTERIOR: Final = 0.35

#: The logarithms of naive Bayes are divided by this, because words are not independent (the best of
#: 2, 3 and 4 on ``zhdocs``, 2026-11).
_TEMPERATURE: Final = 4.0

#: Rounds of expectation maximization (a guess; 4 and 8 differ by .01).
_ROUNDS: Final = 8

#: Weight of a sample against a page, and of words in the logarithm of a posterior (guesses).
_SAMPLE_WEIGHT: Final = 3.0
_WORD_WEIGHT: Final = 3.0

#: Matches from which words are as sure as they get: two words, one of them in the title (a guess).
_SURE: Final = 3.0

#: Weight of the prior of a term, as a share of the number of terms (a guess).
_SMOOTHING: Final = 0.025


@dataclass(frozen=True, slots=True)
class Categories:
    """Categories of the pages of an overview; a page may belong to several or none."""

    names: tuple[str, ...]
    members: NDArray[np.bool_]
    """Shape (pages, categories)."""

    def mask(self, name: str) -> NDArray[np.bool_]:
        """Return the mask of the pages of a category; of none for an empty name."""
        if not name:
            return np.asarray(~self.members.any(axis=1))
        return self.members[:, self.names.index(name)]


def categorize(
    overview: Overview,
    categories: Sequence[Category],
    samples: Sequence[Sequence[Sequence[str]]] = (),
) -> Categories:
    """Return which pages of *overview* belong to which of *categories*.

    Parameters
    ----------
    overview
        Pages.
    categories
        Categories with their words.
    samples
        For each category the keywords of each of its samples, as those of a page.
    """
    names = tuple(it.name for it in categories)
    matches = np.zeros((len(overview), len(categories)))
    weighted = np.zeros_like(matches)
    for column, category in enumerate(categories):
        for word in category.words:
            rows = matched_rows(overview, word)
            found = 1.5 * rows.in_title + rows.in_keywords
            share = max(int((found > 0).sum()), 1) / max(len(overview), 1)
            matches[:, column] += found
            weighted[:, column] += found * (np.log(1.0 / share) + 0.01)
    if not any(samples):
        best = weighted.max(axis=1, keepdims=True, initial=0.0)
        return Categories(names, (weighted > 0) & (weighted >= _SHARE * best))
    return Categories(names, _posteriors(overview, matches, samples) >= _POSTERIOR)


def sample_keywords(categories: Sequence[Category]) -> list[list[list[str]]]:
    """Return the keywords of each sample of each category, computed as those of pages."""
    analyzer, idf = TextAnalyzer(), IdfTable().idf
    return [
        [
            digest(
                it.text.strip().partition("\n")[0], it.text, analyzer, idf, max_sentences=0
            ).keywords
            for it in category.samples
        ]
        for category in categories
    ]


def _posteriors(
    overview: Overview, matches: FloatArray, samples: Sequence[Sequence[Sequence[str]]]
) -> FloatArray:
    """Return the posterior of each category for each page, by seeded naive Bayes and EM."""
    pages, classes = matches.shape
    terms = _term_matrix(overview)
    width = terms.shape[1]
    seeded = np.zeros((classes + 1, width))
    for row, texts in enumerate(samples):
        for words in texts:
            for code in map(overview.books.term.code, words):
                if 0 <= code < width:
                    seeded[row, code] += _SAMPLE_WEIGHT
    background = np.asarray(terms.sum(axis=0)).ravel() + 0.5
    background /= background.sum()
    total = matches.sum(axis=1, keepdims=True)
    posterior = np.zeros((pages, classes + 1))
    sure = np.minimum(1.0, matches.max(axis=1, keepdims=True, initial=0.0) / _SURE)
    posterior[:, :classes] = matches / np.maximum(total, 1e-9) * sure
    posterior[:, classes] = 1.0 - posterior[:, :classes].sum(axis=1)
    word_score = np.zeros_like(posterior)
    word_score[:, :classes] = _WORD_WEIGHT * np.minimum(matches, _SURE) / _SURE
    smoothing = _SMOOTHING * width
    for turn in range(_ROUNDS):
        counts = np.asarray((terms.T @ posterior).T) + seeded
        rates = (counts + smoothing * background) / (counts.sum(axis=1, keepdims=True) + smoothing)
        weights = np.log(rates) - np.log(background)
        prior = np.log((posterior.sum(axis=0) + 1.0) / (pages + classes + 1.0))
        if turn == 0:
            prior[:] = 0.0  # Before anything is sorted, samples alone would lose to "no category".
        score = np.asarray(terms @ weights.T) / _TEMPERATURE + prior + word_score
        score -= score.max(axis=1, keepdims=True)
        posterior = np.exp(score)
        posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior[:, :classes]


def _term_matrix(overview: Overview) -> sparse.csr_array:
    """Return the pages × terms matrix of which keywords each page has."""
    lists = overview.columns.terms
    width = int(lists.terms.max(initial=-1)) + 1
    values = np.ones(len(lists.terms))
    return sparse.csr_array((values, lists.terms, lists.starts), shape=(len(overview), width))
