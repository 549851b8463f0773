"""HITS: hubs and authorities on the link graph.

References
----------
[thesis] chapter 4 (inline); J. Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of
the ACM 46, 1999.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.propagation import check_iteration
from topiccrawl.steps import run_steps

#: Iterations and residual at which the computation ends (choices).
MAX_ITERATIONS = 100
TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class HitsResult:
    """Hub and authority weights of all nodes and how the iteration ended."""

    hubs: FloatArray
    """Shape (V,), >= 0, Euclidean norm 1 (0 in a graph without links)."""
    authorities: FloatArray
    """Shape (V,), >= 0, Euclidean norm 1 (0 in a graph without links)."""
    n_iter: int
    converged: bool
    residual: float
    """``max|h_t - h_{t-1}|`` of the last iteration."""


def hits(
    graph: LinkGraph,
    *,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> HitsResult:
    """Compute hubs and authorities.

    ::

        a(p) = Σ w(r→p)·h(r)  over pages r that link to p
        h(p) = Σ w(p→q)·a(q)  over targets q of p;  both normalized after every step

    With all weights 1 this is Kleinberg's form.

    Parameters
    ----------
    graph
        Fetched pages with the weights of their links.
    max_iterations
        Largest number of iterations, >= 1.
    tolerance
        Residual at which the iteration ends, >= 0.

    Returns
    -------
    HitsResult
        Unique if the largest eigenvalue of AᵀA is simple; otherwise of the leading vectors the one
        nearest to the start (all ones).

    Raises
    ------
    ValueError
        A parameter is out of range.
    """
    return run_steps(hits_steps(graph, max_iterations=max_iterations, tolerance=tolerance))


def hits_steps(
    graph: LinkGraph,
    *,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Generator[None, None, HitsResult]:
    """Compute :func:`hits` in cooperative steps, with two pauses per block of links and iteration."""
    check_iteration(0.0, max_iterations, tolerance)
    pages = graph.n_pages
    hubs = np.ones(pages)
    authorities = np.zeros(graph.n_nodes)
    done, residual = 0, float("inf")
    while done < max_iterations and residual > tolerance:
        authorities.fill(0)
        for rows in graph.rows(0, pages):
            # weight = total·share; the total of a page is multiplied once instead of per link.
            votes = np.repeat(hubs[rows.span] * rows.totals, rows.counts)
            votes *= rows.shares
            np.add.at(authorities, rows.targets, votes)
            yield
        _normalize(authorities)
        following = np.zeros(pages)
        for rows in graph.rows(0, pages):
            ends = np.zeros(len(rows.counts) + 1, dtype=np.int32)
            np.cumsum(rows.counts, out=ends[1:])
            shape = (len(rows.counts), len(authorities))
            links = csr_array((rows.shares, rows.targets, ends), shape=shape)
            following[rows.span] = rows.totals * np.asarray(links @ authorities)
            yield
        _normalize(following)
        residual = float(np.abs(following - hubs).max(initial=0.0))
        hubs = following
        done += 1
    by_node = np.zeros(len(authorities))
    by_node[graph.page_nodes[:pages]] = hubs
    return HitsResult(by_node, authorities, done, residual <= tolerance, residual)


def _normalize(vector: FloatArray) -> None:
    # Not np.linalg.norm: BLAS splits the sum among its threads, whose number affects the last bits.
    norm = math.sqrt(float(np.square(vector).sum()))
    if norm:
        vector /= norm
