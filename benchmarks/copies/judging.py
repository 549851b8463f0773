"""Precision, recall and rate of methods, with sources left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.copies.methods import Method
from benchmarks.copies.pages import Pair, SourcePage


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of a method for all pairs, and what they cost in CPU time."""

    scores: NDArray[np.float64]
    pages_per_second: float
    pairs_per_second: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and F1, in [0, 1]."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score(method: Method, pairs: Sequence[Pair]) -> Scored:
    """Return the scores of all pairs; each page is signed once."""
    pages: dict[SourcePage, int] = {}
    for pair in pairs:
        pages.setdefault(pair.first, len(pages))
        pages.setdefault(pair.second, len(pages))
    begin = time.process_time()
    signed = [method.sign(page) for page in pages]
    middle = time.process_time()
    scores = [method.score(signed[pages[p.first]], signed[pages[p.second]]) for p in pairs]
    end = time.process_time()
    return Scored(np.array(scores), len(pages) / (middle - begin), len(pairs) / (end - middle))


def figures(found: NDArray[np.bool_], copies: NDArray[np.bool_]) -> Figures:
    """Return precision (1 if nothing was found) and recall."""
    right = int((found & copies).sum())
    return Figures(
        right / int(found.sum()) if found.any() else 1.0, right / max(1, int(copies.sum()))
    )


def best_threshold(scores: NDArray[np.float64], copies: NDArray[np.bool_]) -> float:
    """Return the threshold with the best F1."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(copies[order])
    f1 = 2 * right / (np.arange(1, len(order) + 1) + copies.sum())
    # A threshold lies between different scores.
    ordered = scores[order]
    f1[:-1][ordered[:-1] == ordered[1:]] = 0.0
    return float(ordered[int(np.argmax(f1))])


def halves(sources: Sequence[str], splits: int, seed: int) -> list[frozenset[str]]:
    """Return random halves of the sources: those that are reported, for each split."""
    names = sorted(set(sources))
    rng = np.random.default_rng(seed)
    return [
        frozenset(rng.permutation(names)[: max(1, len(names) // 2)].tolist()) for _ in range(splits)
    ]


def by_splits(
    scores: NDArray[np.float64],
    copies: NDArray[np.bool_],
    sources: NDArray[np.str_],
    reported: Sequence[frozenset[str]],
    threshold: float | None,
) -> list[Figures]:
    """Return the figures for the reported sources of each split; a threshold is fitted on the others."""
    results = []
    for names in reported:
        test = np.isin(sources, list(names))
        if copies[test].any() and not copies[test].all():
            at = best_threshold(scores[~test], copies[~test]) if threshold is None else threshold
            results.append(figures(scores[test] >= at, copies[test]))
    return results


def spread(values: Sequence[float]) -> str:
    """Return mean and standard deviation."""
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def summary(results: Sequence[Figures]) -> tuple[str, str, str]:
    """Return F1, precision and recall of many splits, with their spread."""
    of: Callable[[str], str] = lambda name: spread([getattr(r, name) for r in results])  # noqa: E731
    return of("f1"), of("precision"), of("recall")
