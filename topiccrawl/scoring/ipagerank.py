"""IPageRank: PageRank whose votes go to the links that look on topic.

The weights that pages are added to the graph with decide between [thesis] 9.4 (RW) and 9.5 (RWB).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal

from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.pagerank import DAMPING
from topiccrawl.scoring.propagation import Result, propagate_steps
from topiccrawl.steps import run_steps

Teleport = Literal["relevance", "constant"]

#: [thesis]: about five.  The rank correlation with the fixpoint is then .98.
ITERATIONS = 5


def ipagerank(
    graph: LinkGraph,
    *,
    teleport: Teleport = "relevance",
    damping: float = DAMPING,
    iterations: int = ITERATIONS,
    tolerance: float = 0.0,
) -> Result:
    """Compute IPageRank.

    ::

        IPR(A) = b(A) + d·Σ_i IPR(T_i)·w(T_i→A) / Σ_j w(T_i→j),   T_i the fetched parents of A

    Fetched pages start at their relevance and are iterated.  A queued link gets one evaluation of the
    formula over its parents.  A page whose link weights sum to 0 has no votes.

    Parameters
    ----------
    graph
        Fetched pages with their relevance and the weights of their links.
    teleport
        b(A): 1-d if "constant" ([thesis] 9.4, 9.5); (1-d)·rel(A) if "relevance", which is 0 for queued
        links, whose relevance is unknown.
    damping
        d, in [0, 1).
    iterations
        Largest number of iterations, >= 1.
    tolerance
        Residual at which the iteration ends, >= 0.

    Returns
    -------
    Result
        Scores >= 0 by node, shape (V,).  ``converged``: *tolerance* was reached within *iterations*.

    Raises
    ------
    ValueError
        A parameter is out of range.

    Notes
    -----
    Teleport "relevance" departs from [thesis].
    """
    return run_steps(
        ipagerank_steps(
            graph,
            teleport=teleport,
            damping=damping,
            iterations=iterations,
            tolerance=tolerance,
        )
    )


def ipagerank_steps(
    graph: LinkGraph,
    *,
    teleport: Teleport = "relevance",
    damping: float = DAMPING,
    iterations: int = ITERATIONS,
    tolerance: float = 0.0,
) -> Generator[None, None, Result]:
    """Compute :func:`ipagerank` in cooperative steps; the graph may grow meanwhile."""
    by_relevance = teleport == "relevance"
    start = graph.relevance.copy()
    return propagate_steps(
        graph,
        base=(1 - damping) * start if by_relevance else 1 - damping,
        queued_base=0.0 if by_relevance else 1 - damping,
        start=start,
        damping=damping,
        iterations=iterations,
        tolerance=tolerance,
    )
