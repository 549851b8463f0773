"""The value of a fetched page: its probability of being on topic, smoothed along links.

::

    v(p) = (1-λ)·v⁰(p) + λ·(k·v⁰(p) + Σ_{q~p} v⁰(q)) / (k + |{q~p}|)

v⁰ is the probability of the page classifier (:mod:`topiccrawl.scoring.classifier`), q~p are the fetched
pages that p links to or that link to p.  The judgment of a single page is noisy.  Linked pages mostly
share a topic (topical locality: Davison, "Topical locality in the Web", SIGIR 2000), so that neighbors
remove part of the noise.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.graph import LinkGraph

#: λ, in [0, 1): helps where the topic's words are vague and costs a little elsewhere (docs/adaptive.md).
SMOOTHING = 0.3
#: k: a page without neighbors keeps its own value; with two neighbors its own value is half (a choice).
OWN_WEIGHT = 2.0


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
