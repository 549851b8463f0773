"""What a fetched page is worth: its relevance, put on a scale and smoothed along links.

    v⁰(p) = min(1, rel(p) / Q95)
    v(p)  ← (1-λ)·v⁰(p) + λ·(k·v⁰(p) + Σ_{q~p} v(q)) / (k + |{q~p}|)

q~p are the fetched pages that p links to or that link to p.  One page's similarity to a few keywords
is a noisy judge: a page on the topic may use other words, one off it may use them by chance.  Pages
that are linked are mostly of one topic (topical locality: Davison, "Topical locality in the Web",
SIGIR 2000), so that neighbours take out a part of the noise.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.graph import LinkGraph

QUANTILE = 0.95
"""The relevance that counts as full: a few outstanding pages do not press the others down."""
LEAST_SCALE = 0.05
"""Under this no relevance counts as full: the best of a hundred off-topic pages is off topic (a
choice; .02 to .1 make no difference, docs/adaptive.md)."""
SMOOTHING = 0.3
"""λ, in [0, 1): it helps where the topic's words are vague and costs a little where they are not
(docs/adaptive.md)."""
OWN_WEIGHT = 2.0
"""k: a page without neighbours keeps its own value; one with two is half its own (a choice)."""
ROUNDS = 1
"""How many links far a value reaches; 1 to 4 make no difference (docs/adaptive.md)."""
SAMPLE = 20_000
"""Pages the quantile is taken from."""


def full_relevance(relevance: FloatArray, least: float = LEAST_SCALE) -> float:
    """Q95 of the pages' relevance, at least *least*; *least* without pages."""
    if not len(relevance):
        return least
    places = np.linspace(0, len(relevance) - 1, min(len(relevance), SAMPLE)).astype(np.int64)
    return max(least, float(np.quantile(relevance[places], QUANTILE)))


def own_value(relevance: FloatArray, full: float) -> FloatArray:
    """v⁰ of pages, in [0, 1], shape as given."""
    return np.minimum(1.0, relevance / full)


def smoothed_steps(
    graph: LinkGraph, own: FloatArray, *, smoothing: float = SMOOTHING, rounds: int = ROUNDS
) -> Generator[None, None, FloatArray]:
    """Return v of the first R fetched pages, shape (R,), in [0, 1]; *own* is their v⁰.

    Pauses after every block of links; pages that the graph gains meanwhile are left out.  A link in
    each direction counts twice.
    """
    pages = len(own)
    value = own
    if not smoothing:
        return value
    for _ in range(rounds):
        total, count = OWN_WEIGHT * own, np.full(pages, OWN_WEIGHT)
        for rows in graph.rows(0, pages):
            source = np.repeat(np.arange(rows.span.start, rows.span.stop), rows.counts)
            target = graph.row_of_node[rows.targets]
            both = (target >= 0) & (target < pages)
            source, target = source[both], target[both]
            np.add.at(total, source, value[target])
            np.add.at(count, source, 1.0)
            np.add.at(total, target, value[source])
            np.add.at(count, target, 1.0)
            yield
        value = (1 - smoothing) * own + smoothing * total / count
    return value
