"""Words of a text that the dictionary lacks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import Segmenter, make_segmenter
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.features import find_candidates
from topiccrawl.vocabulary.judge import Weights, probabilities
from topiccrawl.vocabulary.ngrams import CodedText

#: Number of words that are returned by default (a choice).
LIMIT = 1_000
#: Share of its score that a string that occurs once keeps: of two equally likely words the repeated one is
#: of more use (chosen with recall and precision in view; see docs/vocabulary.md).
ONCE = 0.8
#: Characters of a text for each further occurrence that a word needs, so that time and memory stay within
#: bounds (a choice: 50 MB are 17 million characters, with which a word needs ten).
_CHARACTERS_PER_COUNT = 2_000_000
#: Characters of a long text that are normalized at a time, at least (a choice).
_PIECE = 500_000
#: Up to this length strings that occur once are looked at (a choice: the size of the public tests).
_SMALL = 500_000


@dataclass(frozen=True, slots=True)
class NewWord:
    """A word that the dictionary lacks."""

    word: str
    count: int
    probability: float
    """That it is a word, the mean of both standards, in [0, 1]."""
    whole: float
    """The same if names are left whole."""


def least_count(characters: int) -> int:
    """Return how often a word must occur in a text of *characters* to be found."""
    return 1 if characters <= _SMALL else 2 + math.floor(characters / _CHARACTERS_PER_COUNT)


def new_words(
    texts: Iterable[str],
    limit: int = LIMIT,
    *,
    least: int | None = None,
    segmenter: Segmenter | None = None,
    weights: Weights | None = None,
) -> list[NewWord]:
    """Return the words of *texts* that jieba's dictionary lacks, best first.

    Parameters
    ----------
    texts
        Texts of any length.
    limit
        Largest number of words.
    least
        Least number of occurrences; by default :func:`least_count`.
    segmenter
        Default: the project's, without words of a topic.
    weights
        Of the judge; default: those of the package.
    """
    text = CodedText.of(map(normalize, _pieces(texts)))
    if least is None:
        least = least_count(len(text.codes))
    found: list[tuple[float, NewWord]] = []
    for part in find_candidates(text, segmenter or make_segmenter(), load_dictionary(), least):
        both = probabilities(part.features, weights)
        mean = both.mean(axis=1)
        score = np.where(part.counts > 1, mean, ONCE * mean)
        best = np.argsort(-score, kind="stable")[:limit].tolist()
        found += [
            (
                -float(score[i]),
                NewWord(part.words[i], int(part.counts[i]), float(mean[i]), float(both[i, 1])),
            )
            for i in best
        ]
    found.sort(key=lambda it: (it[0], it[1].word))
    return [word for _, word in found[:limit]]


def _pieces(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts; one that is long by its lines, some at a time."""
    for text in texts:
        first = 0
        while first < len(text):
            last = text.find("\n", first + _PIECE)
            yield text[first:] if last < 0 else text[first:last]
            first = len(text) if last < 0 else last
