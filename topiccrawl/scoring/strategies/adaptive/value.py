"""The value of a fetched page: how far it is on topic, smoothed along links.

::

    v⁰(p) = ½·P(p) + ½·min(1, rel(p) / Q95)
    v(p) = (1-λ)·v⁰(p) + λ·(k·v⁰(p) + Σ_{q~p} v⁰(q)) / (k + |{q~p}|)

P is the probability of the page classifier (:mod:`topiccrawl.scoring.classifier`), rel the similarity to
the topic's words, Q95 its 95th percentile so far.  P is the better judgment once something was found;
before, it is learned from the best of what is off topic, and the words are the better guide.  q~p are the fetched
pages that p links to or that link to p.  The judgment of a single page is noisy.  Linked pages mostly
share a topic (topical locality: Davison, "Topical locality in the Web", SIGIR 2000), so that neighbors
remove part of the noise.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.graph import LinkGraph

#: Quantile of the relevance that counts as full, so that a few outstanding pages do not push the others
#: down (a choice).
QUANTILE = 0.95
#: Lower bound of the scale: the best of a hundred off-topic pages is still off topic (a choice; .02 to
#: .1 make no difference, docs/laboratory/order.md).
LEAST_SCALE = 0.05
#: Number of pages that the quantile is taken from (a choice).
SAMPLE = 20_000
#: Weight of P in v⁰.  Share of the oracle's AUC with 1, 0 and ½: docs/laboratory/order.md.
PROBABILITY_SHARE = 0.5
#: λ, in [0, 1): helps where the topic's words are vague and costs a little elsewhere (docs/laboratory/order.md).
SMOOTHING = 0.3
#: k: a page without neighbors keeps its own value; with two neighbors its own value is half (a choice).
OWN_WEIGHT = 2.0


def full_relevance(relevance: FloatArray) -> float:
    """Return the relevance that counts as full: Q95 of the pages' relevance, at least LEAST_SCALE."""
    if not len(relevance):
        return LEAST_SCALE
    rows = np.linspace(0, len(relevance) - 1, min(len(relevance), SAMPLE)).astype(np.int64)
    return max(LEAST_SCALE, float(np.quantile(relevance[rows], QUANTILE)))


def own_value(probability: FloatArray, relevance: FloatArray, full: float) -> FloatArray:
    """Return v⁰ of pages, in [0, 1]; the shape is kept.  The relevance alone where P is nan."""
    by_words = np.minimum(1.0, relevance / full)
    mixed = PROBABILITY_SHARE * probability + (1 - PROBABILITY_SHARE) * by_words
    return np.asarray(np.where(np.isnan(probability), by_words, mixed))


def smoothed_steps(
    graph: LinkGraph, own: FloatArray, *, smoothing: float = SMOOTHING
) -> Generator[None, None, FloatArray]:
    """Smooth the values of pages along links, in cooperative steps.

    Pauses after every block of links.  Pages that the graph gains meanwhile are left out.  Two pages
    that link to each other count twice as neighbors.

    Parameters
    ----------
    graph
        Link graph whose first R pages are smoothed.
    own
        v⁰ of these pages, shape (R,).
    smoothing
        λ, in [0, 1).

    Returns
    -------
    FloatArray
        v, shape (R,), in [0, 1].
    """
    pages = len(own)
    if not smoothing:
        return own
    total, count = OWN_WEIGHT * own, np.full(pages, OWN_WEIGHT)
    for rows in graph.rows(0, pages):
        source = np.repeat(np.arange(rows.span.start, rows.span.stop), rows.counts)
        target = graph.row_of_node[rows.targets]
        both = (target >= 0) & (target < pages)
        source, target = source[both], target[both]
        np.add.at(total, source, own[target])
        np.add.at(count, source, 1.0)
        np.add.at(total, target, own[source])
        np.add.at(count, target, 1.0)
        yield
    return np.asarray((1 - smoothing) * own + smoothing * total / count)
