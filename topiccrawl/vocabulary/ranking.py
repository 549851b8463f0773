"""Which candidates are words of the topic: a prior by hand, and what the user's decisions teach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import minimize

from topiccrawl.vocabulary.candidates import FEATURES, Candidates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray

#: Weights before any decision, by the names of the features, and the constant: rounded from a logistic
#: regression on the words of 13 topics of stored manuals and 9 of an encyclopedia, each topic alone, with other
#: texts and with the pages of a crawl (2026-11; topics left out: docs/vocabulary.md). "narrower" is a guess.
PRIOR: Final[Mapping[str, float]] = {
    "log_odds": 5.7, "lift": 0.7, "specificity": 1.7, "share": -2.1, "together": -0.4, "near_topic": 0.1,
    "shared_characters": 0.0, "noun": -0.2, "verb": -0.2, "new": -0.2, "narrower": 1.0, "length": -0.4,
    "burst": 0.6, "frequency": 2.6,
}  # fmt: skip
PRIOR_BIAS: Final = -1.3
#: Penalty of the squared distance of the weights from the prior, and of those of the likeness to what was
#: decided (of 3, 10, 30 and 100 the best on two stored webs, topics left out).
_PENALTY: Final = 30.0
#: Prior weights of the likeness to accepted and to refused words.
_LIKENESS: Final = (1.5, -1.5)
#: Largest value of a word that the user has not graded: below the topic's own words (as in topics/learn.py).
MOST_VALUE: Final = 0.9


@dataclass(frozen=True, slots=True)
class RankedWord:
    """A word proposed for a topic."""

    word: str
    texts: int
    """Texts in which it occurs."""
    probability: float
    """That the user accepts it, in [0, 1]."""
    value: float
    """Proposed value, in (0, 0.9]."""


def rank(candidates: Candidates, decided: Mapping[str, bool]) -> list[RankedWord]:
    """Return the words that were not decided, best first.

    Parameters
    ----------
    candidates
        Words.
    decided
        Whether the user accepted a word, by word.
    """
    if not candidates.words:
        return []
    answers = [decided.get(word) for word in candidates.words]
    known = np.array([i for i, answer in enumerate(answers) if answer is not None], dtype=np.int64)
    accepted = np.array([answers[i] is True for i in known.tolist()], dtype=bool)
    x = _with_likeness(candidates, known, accepted)
    weights = np.array([PRIOR_BIAS, *(PRIOR[name] for name in FEATURES), *_LIKENESS, *_LIKENESS])
    x = np.column_stack([np.ones(len(x)), x])
    if len(known):
        weights = _fit(x[known], accepted.astype(np.float64), weights)
    p = 0.5 * (1.0 + np.tanh(0.5 * (x @ weights)))
    order = np.argsort(-p, kind="stable").tolist()
    return [
        RankedWord(
            candidates.words[i],
            int(candidates.texts[i]),
            float(p[i]),
            round(max(0.05, MOST_VALUE * float(p[i])), 2),
        )
        for i in order
        if answers[i] is None
    ]


def _with_likeness(candidates: Candidates, known: IdArray, accepted: BoolArray) -> FloatArray:
    """Return the features and the likeness to accepted and to refused words, itself left out.

    Likeness is the mean of the three largest cosines: of word vectors, and of the texts that words are in.
    """
    vectors = candidates.vectors.matrix(candidates.terms)
    columns = [candidates.features]
    for rows in (vectors, candidates.in_texts):
        for group in (known[accepted], known[~accepted]):
            if not len(group):
                columns.append(np.zeros((len(vectors), 1)))
                continue
            cosines = rows @ rows[group].T
            cosines = cosines if isinstance(cosines, np.ndarray) else cosines.toarray()
            cosines[group, np.arange(len(group))] = 0.0
            best = np.sort(cosines, axis=1)[:, -3:].mean(axis=1)
            columns.append(best[:, None])
    return np.concatenate(columns, axis=1)


def _fit(x: FloatArray, y: FloatArray, prior: FloatArray) -> FloatArray:
    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        z = x @ w
        value = (np.logaddexp(0.0, z) - y * z).sum()
        slope = x.T @ (0.5 * (1.0 + np.tanh(0.5 * z)) - y) + _PENALTY * (w - prior)
        return float(value + 0.5 * _PENALTY * ((w - prior) ** 2).sum()), slope

    return np.asarray(minimize(loss, prior, jac=True, method="L-BFGS-B").x)
