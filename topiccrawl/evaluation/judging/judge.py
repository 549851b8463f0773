"""Relevance judgments, independent of the crawler under test.

The default judge uses the web's labels.  Where labels follow directories or hosts, the classifier
shows whether a result depends on that: its features are character n-grams, not words, and the
topic's keywords are removed from the texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, special

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import WebTopic

#: Names of the judges, as ``--judge`` takes them.
JudgeName = Literal["labels", "classifier"]
JUDGES: tuple[JudgeName, ...] = ("labels", "classifier")

#: Lengths of the n-grams: most Chinese words have two characters, an English stem four or five.
_GRAMS = (2, 3, 4)
#: Hash buckets of the n-grams, i.e. number of features (a guess).
_BUCKETS = 1 << 17
#: Characters read per page (a guess: the topic of a page is clear by then).
_CHARACTERS = 20_000
#: L2 penalty per page of the logistic regression on vectors of length 1 (a guess, not tuned).
_PENALTY = 1e-4
#: Least number of labeled pages in a quarter of the web (a guess).
_LEAST = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """Judgments for all pages of a web and one topic."""

    judge: JudgeName
    relevant: frozenset[str]
    precision: float = 1.0
    """Share of *relevant* that is labeled relevant."""
    recall: float = 1.0
    """Share of the labeled pages that is in *relevant*."""


def by_labels(topic: WebTopic) -> Verdict:
    """Return the labels of the web as judgments."""
    return Verdict("labels", topic.relevant)


def quarter_of(url: str) -> int:
    """Return the quarter of the web, 0 to 3, that a page belongs to, by a hash of its URL; 0 and 1 are one half."""
    return hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=1).digest()[0] & 3


def by_classifier(topic: WebTopic, urls: Sequence[str], text_of: Callable[[str], str]) -> Verdict:
    """Judge every page by logistic regression on character n-grams.

    The pages of one half (:func:`quarter_of`) are judged by two models trained on the other half, each
    on one quarter of the web.  The threshold of a model is the one with the best F1 on the other
    quarter of its half.  A page is relevant if the mean margin of the two models is positive.  The
    topic's keywords are removed from all texts first.

    Raises:
        ConfigurationError: a quarter has fewer than 5 labeled or fewer than 5 other pages.
    """
    matrix = features((text_of(url) for url in urls), topic.keywords)
    labels = np.array([url in topic.relevant for url in urls], dtype=bool)
    quarters = np.array([quarter_of(url) for url in urls], dtype=np.int64)
    margins = np.zeros(len(urls))
    for quarter in range(4):
        known, check = np.flatnonzero(quarters == quarter), np.flatnonzero(quarters == quarter ^ 1)
        positive = int(labels[known].sum())
        if min(positive, len(known) - positive) < _LEAST:
            raise ConfigurationError(
                _(
                    "topic {name!r}: --judge classifier needs {least} labeled pages, and as many "
                    "others, in each quarter of the web, got {positive} of {count}"
                ).format(name=topic.name, least=_LEAST, positive=positive, count=len(known))
            )
        weights = _train(matrix[known], labels[known])
        others = np.flatnonzero(quarters // 2 != quarter // 2)
        threshold = _best_threshold(matrix[check] @ weights, labels[check])
        margins[others] += matrix[others] @ weights - threshold
    judged = margins > 0
    both = int((judged & labels).sum())
    return Verdict(
        "classifier",
        frozenset(url for url, yes in zip(urls, judged, strict=True) if yes),
        precision=both / max(1, int(judged.sum())),
        recall=both / max(1, int(labels.sum())),
    )


def features(texts: Iterable[str], hidden: Sequence[str]) -> sparse.csr_matrix:
    """Return hashed character n-grams of *texts* with the words *hidden* removed, shape (n, 2^17).

    Weights are ``log(1 + count)``, rows have Euclidean length 1.  Unicode is normalized as in the
    crawler.
    """
    words = sorted((normalize(word).strip() for word in hidden), key=len, reverse=True)
    rows: list[NDArray[np.int64]] = []
    values: list[NDArray[np.float64]] = []
    for text in texts:
        plain = normalize(text[:_CHARACTERS])
        for word in filter(None, words):
            plain = plain.replace(word, " ")
        buckets, counts = np.unique(_grams(" ".join(plain.split())), return_counts=True)
        weights = np.log1p(counts)
        rows.append(buckets)
        values.append(weights / (float(np.linalg.norm(weights)) or 1.0))
    ends = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    return sparse.csr_matrix(
        (np.concatenate([*values, []]), np.concatenate([*rows, []]).astype(np.int64), ends),
        shape=(len(rows), _BUCKETS),
    )


def _grams(text: str) -> NDArray[np.int64]:
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    found = []
    for length in _GRAMS:
        n = len(codes) - length + 1
        if n < 1:
            continue
        value = np.full(n, length, dtype=np.uint64)
        for i in range(length):
            # Multiply by the FNV-1a prime; 64-bit arithmetic wraps around.
            value = (value ^ codes[i : i + n]) * np.uint64(1_099_511_628_211)
        found.append((value >> np.uint64(20)) % np.uint64(_BUCKETS))
    return np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)


def _best_threshold(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Return the midpoint of the gap between scores at which F1 is highest."""
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(labels[order])
    f1 = 2 * found / (np.arange(1, len(order) + 1) + max(1, int(labels.sum())))
    last = int(np.argmax(f1))
    after = min(last + 1, len(order) - 1)
    return float(scores[order[last]] + scores[order[after]]) / 2


def _train(matrix: sparse.csr_matrix, labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression without intercept (see ``_best_threshold``)."""
    signs = np.where(labels, 1.0, -1.0)
    share = labels.mean()
    # Relevant pages are few: both classes get the same total weight.
    weight = np.where(labels, 0.5 / share, 0.5 / (1 - share)) / len(labels)

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = signs * (matrix @ w)
        value = float(weight @ np.logaddexp(0.0, -margin)) + 0.5 * _PENALTY * float(w @ w)
        slope = matrix.T @ (-weight * signs * special.expit(-margin)) + _PENALTY * w
        return value, np.asarray(slope)

    start = np.zeros(matrix.shape[1])
    result = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100})
    return np.asarray(result.x, dtype=np.float64)
