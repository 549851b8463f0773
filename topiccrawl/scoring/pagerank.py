"""PageRank in the two forms of [thesis].

References
----------
[thesis] 4.7, the unnormalized form of S. Brin and L. Page, "The anatomy of a large-scale hypertextual Web
search engine", 1998; [thesis] 4.8, its "corrected" form.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.propagation import Result, propagate_steps
from topiccrawl.steps import run_steps

#: d of 4.7: the probability of following a link (Brin and Page 1998).
DAMPING = 0.85
#: d of 4.8: the probability of leaving a page other than by a link; 1 - DAMPING.
LEAVING = 0.15
#: Iterations and residual at which the computation ends (choices).
MAX_ITERATIONS = 100
TOLERANCE = 1e-8


def pagerank(
    graph: LinkGraph,
    *,
    damping: float = DAMPING,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Result:
    """Compute PR(A) = (1-d) + d·Σ_i PR(T_i)/C(T_i), started at 1 ([thesis] 4.7).

    1/C(T_i) is the link's share, so pages added with unequal weights give the weighted PageRank.

    Parameters
    ----------
    graph
        Fetched pages and their links.
    damping
        d, in [0, 1).
    max_iterations
        Largest number of iterations, >= 1.
    tolerance
        Residual at which the iteration ends, >= 0.

    Returns
    -------
    Result
        Scores >= 1-d by node, shape (V,).  They sum to V if every page has links, else to less.

    Raises
    ------
    ValueError
        A parameter is out of range.
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
    """Compute :func:`pagerank` in cooperative steps."""
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
    """Compute PR(A) = (1-d)·Σ_i PR(T_i)/C(T_i) + d/(C_total - 1), started at 1/C_total ([thesis] 4.8).

    Equal to 4.7 up to the factor C_total - 1 if both have converged.

    Parameters
    ----------
    graph
        Fetched pages and their links.
    leaving
        d, the probability of leaving a page other than by its links, to any of the other C_total - 1
        pages, in (0, 1].
    max_iterations
        Largest number of iterations, >= 1.
    tolerance
        Residual at which the iteration ends, >= 0.

    Returns
    -------
    Result
        Scores by node, shape (V,); 0 in a graph of fewer than two nodes.

    Raises
    ------
    ValueError
        A parameter is out of range.
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
