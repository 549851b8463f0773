"""IPageRank: PageRank whose votes go to the links that look on topic.

References: thesis 9.4 (link weights RW) and 9.5 (RWB); which of the two is decided by the weights the
pages were added to the graph with.  Reconstruction and convergence: algorithms.md 1.2.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal

from topiccrawl.scoring.arrays import run_steps
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.pagerank import DAMPING
from topiccrawl.scoring.propagation import Result, propagate_steps

Teleport = Literal["relevance", "constant"]

ITERATIONS = 5
"""Thesis: about five.  The rank correlation with the fixpoint is then .98 (algorithms.md 1.2)."""


def ipagerank(
    graph: LinkGraph,
    *,
    teleport: Teleport = "relevance",
    damping: float = DAMPING,
    iterations: int = ITERATIONS,
    tolerance: float = 0.0,
) -> Result:
    """IPR(A) = b(A) + d·Σ_i IPR(T_i)·w(T_i→A) / Σ_j w(T_i→j), T_i the fetched parents of A.

    b(A) = 1-d with teleport "constant" (thesis 9.4, 9.5); b(A) = (1-d)·rel(A) with "relevance", where
    a queued link, whose relevance nobody has measured, has 0.  Fetched pages start at their relevance
    and are iterated; a queued link gets one evaluation of the formula over its parents.  Where the
    weights of a page sum to 0, it gives nothing.

    Scores >= 0, shape (V,) by node.  Converged means: *tolerance* was reached before *iterations*.
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
    """:func:`ipagerank` in cooperative steps; the graph may grow meanwhile."""
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
