"""PageRank in the two forms of the thesis.

References: [1] thesis 4.7, the un-normalised form of S. Brin and L. Page, "The anatomy of a
large-scale hypertextual Web search engine", 1998; [2] thesis 4.8, its "corrected" form.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.arrays import run_steps
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.propagation import Result, propagate_steps

DAMPING = 0.85
"""d of 4.7: the chance to follow a link (Brin and Page)."""
LEAVING = 0.15
"""d of 4.8: the chance to leave by other ways than a link; 1 - DAMPING."""
MAX_ITERATIONS = 100
TOLERANCE = 1e-8


def pagerank(
    graph: LinkGraph,
    *,
    damping: float = DAMPING,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Result:
    """PR(A) = (1-d) + d·Σ_i PR(T_i)/C(T_i), started at 1 (thesis 4.7).

    1/C(T_i) is the link's share, so pages added with unequal weights give the weighted PageRank.
    Scores are >= 1-d; they sum to V where every page has links, to less where some have none.
    """
    return run_steps(
        pagerank_steps(graph, damping=damping, max_iterations=max_iterations, tolerance=tolerance)
    )


def pagerank_steps(
    graph: LinkGraph,
    *,
    damping: float = DAMPING,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Generator[None, None, Result]:
    """:func:`pagerank` in cooperative steps."""
    return propagate_steps(
        graph,
        base=1 - damping,
        queued_base=1 - damping,
        start=np.ones(graph.n_pages),
        damping=damping,
        iterations=max_iterations,
        tolerance=tolerance,
    )


def pagerank_corrected(
    graph: LinkGraph,
    *,
    leaving: float = LEAVING,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Result:
    """PR(A) = (1-d)·Σ_i PR(T_i)/C(T_i) + d/(C_total - 1), started at 1/C_total (thesis 4.8).

    Here d is the probability of *leaving* the page by other ways than its links, to any of the other
    C_total - 1 pages.  Equal to 4.7 up to the factor C_total - 1 where both have converged.
    Raises ``ValueError`` for *leaving* outside (0, 1]; a graph of fewer than two nodes scores 0.
    """
    if not 0 < leaving <= 1:
        raise ValueError(f"leaving must be in (0, 1], got {leaving}")
    size = graph.n_nodes
    if size < 2:
        return Result(np.zeros(size), 0, True, 0.0)
    return run_steps(
        propagate_steps(
            graph,
            base=leaving / (size - 1),
            queued_base=leaving / (size - 1),
            start=np.full(graph.n_pages, 1 / size),
            damping=1 - leaving,
            iterations=max_iterations,
            tolerance=tolerance,
        )
    )
