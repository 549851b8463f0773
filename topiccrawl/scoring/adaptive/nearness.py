"""How near a link is to the best pages found: the value that pages hand on to what they link to.

    A(u) = max over pages p that show u of max(v(p), γ·A(p))          γ = .5
    x(u) = 1 + log₂ max(A(u), γ^K) / K                                 K = 6, x in [0, 1]

A(u) is v(p)·γ^(k-1) for the page p best placed k links before u: the inherited score of Shark-Search
(Hersovici et al., "The shark-search algorithm", WWW7 1998) on its own, with the page's value in the
place of its similarity and over all ways that lead to u.  x falls by 1/K with every link in between: of
links on off-topic pages those a step from a relevant one come first, then those two steps away.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.graph import LinkGraph

FADING = 0.5
"""γ, that of Shark-Search; .7 makes no difference (docs/adaptive.md)."""
REACH = 6
"""K: at γ^6 = .016 a value cannot be told from chance words on a page (a choice)."""


def inherited_steps(
    graph: LinkGraph, values: FloatArray
) -> Generator[None, None, NDArray[np.float32]]:
    """Return A of every node, shape (V,), in [0, 1]; *values* are v of the first R fetched pages.

    Pauses after every block of links; pages that the graph gains meanwhile are left out.  Takes
    REACH passes over the links at most, each only over pages that have more to hand on than before.
    """
    pages, size = len(values), graph.n_nodes
    found = np.zeros(size, dtype=np.float32)
    own = graph.page_nodes[:pages].copy()
    handed = np.zeros(pages, dtype=np.float32)
    offer = values.astype(np.float32)
    for _ in range(REACH):
        rising = offer > handed
        if not rising.any():
            break
        handed = offer
        for rows in graph.rows(0, pages):
            active = np.repeat(rising[rows.span], rows.counts)
            given = np.repeat(handed[rows.span], rows.counts)
            np.maximum.at(found, rows.targets[active], given[active])
            yield
        offer = np.maximum(handed, np.float32(FADING) * found[own])
        offer[offer < FADING**REACH] = 0.0
    return found


def nearness(inherited: NDArray[np.float32]) -> FloatArray:
    """x of A, shape as given."""
    least = FADING**REACH
    return np.asarray(1.0 - np.log(np.maximum(inherited, least)) / np.log(least), np.float64)
