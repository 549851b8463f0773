"""PageRank, not normalized.

References
----------
[thesis] 4.7, the unnormalized form of S. Brin and L. Page, "The anatomy of a large-scale hypertextual Web
search engine", 1998.  Its "corrected" form, [thesis] 4.8, is a multiple of it.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.propagation import Result, propagate_steps
from topiccrawl.steps import run_steps

#: d of 4.7: the probability of following a link (Brin and Page 1998).
DAMPING = 0.85
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
