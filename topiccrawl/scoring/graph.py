"""The growing link graph: fetched pages, their links, and the share of each link in its page.

Rows are fetched pages in fetch order, so the matrix is built in CSR form and never sorted.  Edges are
stored in blocks that are filled once and never moved: growth copies nothing, and a block is the unit of
work of a cooperative computation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, lookup

IndexArray = NDArray[np.int32]

#: Edges per block.  Propagating scores through one block of 131,072 edges takes .8 ms with 100,000 nodes
#: and 2 ms with a million (numpy 2.4, 2.5 GHz, 2026-11): well below a pause of 10 ms even on a busy machine.
BLOCK_EDGES = 1 << 17


@dataclass(frozen=True, slots=True)
class Rows:
    """Consecutive fetched pages and their links; a view of the graph, not a copy."""

    first: int
    """Row of the first page: its position in fetch order, from 0."""
    counts: IndexArray
    """Links of each page, shape (r,)."""
    totals: FloatArray
    """Sum of the link weights of each page, shape (r,)."""
    targets: IndexArray
    """Target nodes, page by page, shape (e,); no page holds a target twice."""
    shares: FloatArray
    """weight / total of its page, shape (e,); 0 where the total is 0."""

    @property
    def span(self) -> slice:
        """The slice of these pages in an array by row."""
        return slice(self.first, self.first + len(self.counts))

    def spread(self, values: FloatArray) -> FloatArray:
        """Return values_i·share(i→j) of every link, shape (e,); *values* by row, shape (R,)."""
        votes = np.repeat(values[self.span], self.counts)
        votes *= self.shares
        return votes

    def weights(self) -> FloatArray:
        """Return the weights the pages were added with, shape (e,), up to rounding."""
        return np.repeat(self.totals, self.counts) * self.shares


class _Block:
    """Whole rows, up to BLOCK_EDGES edges (more only if a single page has more)."""

    __slots__ = ("edges", "first_row", "row_ends", "shares", "targets")

    def __init__(self, first_row: int, capacity: int) -> None:
        self.first_row = first_row
        self.row_ends: list[int] = []
        self.targets: IndexArray = np.empty(capacity, dtype=np.int32)
        self.shares: FloatArray = np.empty(capacity, dtype=np.float64)
        self.edges = 0


class LinkGraph:
    """A directed weighted graph that grows page by page.

    Nodes are known links (fetched or not), numbered from 0 in order of appearance; rows are the
    fetched ones.  Memory: 12 bytes per edge and about 250 per node, most of it the index by id.
    """

    def __init__(self) -> None:
        self._index: dict[int, int] = {}
        self._ids = GrowingArray(np.int64)
        self._in_degree = GrowingArray(np.int32)
        self._row_of_node = GrowingArray(np.int32, fill=-1)
        self._row_nodes = GrowingArray(np.int32)
        self._row_counts = GrowingArray(np.int32)
        self._row_totals = GrowingArray(np.float64)
        self._relevance = GrowingArray(np.float64)
        self._blocks: list[_Block] = []

    @property
    def n_nodes(self) -> int:
        """Number of known links, fetched or not."""
        return len(self._ids)

    @property
    def n_pages(self) -> int:
        """Number of fetched pages, the rows."""
        return len(self._row_nodes)

    @property
    def ids(self) -> IdArray:
        """Link id of each node, shape (V,)."""
        return self._ids.view()

    @property
    def in_degree(self) -> IndexArray:
        """Number of fetched pages that link to each node, shape (V,)."""
        return self._in_degree.view()

    @property
    def page_nodes(self) -> IndexArray:
        """Node of each fetched page, or of the link that led to it, in fetch order, shape (R,)."""
        return self._row_nodes.view()

    @property
    def relevance(self) -> FloatArray:
        """Relevance of each fetched page in fetch order, shape (R,)."""
        return self._relevance.view()

    @property
    def row_of_node(self) -> IndexArray:
        """Position of each node in fetch order, -1 for links not fetched, shape (V,)."""
        return self._row_of_node.view()

    def node(self, link_id: int) -> int:
        """Return the node of a link, -1 if it is unknown."""
        return self._index.get(link_id, -1)

    def nodes(self, ids: IdArray) -> NDArray[np.int64]:
        """Return the nodes of links, shape (n,); -1 for unknown ones."""
        return lookup(self._index, ids)

    def add_page(
        self,
        page_id: int,
        relevance: float,
        targets: IdArray,
        weights: FloatArray,
        asked: int = 0,
    ) -> bool:
        """Add a fetched page with its links.

        A link that redirects led from counts as fetched, too; its node stands for the page unless fetched
        pages link to the page itself.

        A page that is added again keeps the links of its first fetch (the crawl fetches a page once; a
        second report of it is a redirect or a retry) and takes the new relevance.

        Parameters
        ----------
        page_id
            Link id of the page.
        relevance
            Relevance of the page, finite and >= 0.
        targets
            Link ids, shape (n,).  A repeated target is one link with its largest weight.
        weights
            Weights of the links, shape (n,), finite and >= 0.
        asked
            Id of the link that was followed, if redirects led from it to the page; 0 without.

        Returns
        -------
        bool
            Whether the page was new.

        Raises
        ------
        ValueError
            The shapes differ or a number is out of range.
        """
        if targets.ndim != 1 or targets.shape != weights.shape:
            raise ValueError(
                f"targets and weights must be vectors of one length, got shapes "
                f"{targets.shape} and {weights.shape}"
            )
        if len(weights) and not (weights.min() >= 0 and np.isfinite(weights).all()):
            raise ValueError("link weights must be finite and >= 0")
        if self.set_relevance(page_id, relevance):
            return False
        (page,) = self._add_nodes([page_id])
        self._row_of_node.view()[page] = self.n_pages
        if asked:
            (followed,) = self._add_nodes([asked])
            if self._row_of_node.view()[followed] < 0:
                self._row_of_node.view()[followed] = self.n_pages
                if not self._in_degree.view()[page]:
                    page = followed
        merged, values = _merge(targets, weights)
        nodes = np.array(self._add_nodes(merged.tolist()), dtype=np.int32)
        total = float(values.sum())
        block = self._block_for(len(nodes))
        end = block.edges + len(nodes)
        block.targets[block.edges : end] = nodes
        block.shares[block.edges : end] = values / total if total > 0 else 0.0
        block.edges = end
        block.row_ends.append(end)
        self._in_degree.view()[nodes] += 1
        self._row_nodes.extend(np.array([page], dtype=np.int32))
        self._row_counts.extend(np.array([len(nodes)], dtype=np.int32))
        self._row_totals.extend(np.array([total]))
        self._relevance.extend(np.array([float(relevance)]))
        return True

    def set_relevance(self, page_id: int, relevance: float) -> bool:
        """Change the relevance of a fetched page; return ``False`` if it was never added.

        Raises
        ------
        ValueError
            *relevance* is not finite or < 0.
        """
        if not 0 <= relevance < float("inf"):
            raise ValueError(f"relevance must be finite and >= 0, got {relevance}")
        node = self.node(page_id)
        row = -1 if node < 0 else int(self._row_of_node.view()[node])
        if row < 0:
            return False
        self._relevance.view()[row] = relevance
        return True

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Rows]:
        """Iterate over pages *start* up to *stop* (default: all), at most one block at a time.

        Pages added while the iterator is paused are left out.
        """
        stop = self.n_pages if stop is None else min(stop, self.n_pages)
        for block in self._blocks:
            first = max(start, block.first_row)
            last = min(stop, block.first_row + len(block.row_ends))
            if first >= last:
                continue
            ends = block.row_ends
            at = first - block.first_row
            begin = ends[at - 1] if at else 0
            edges = slice(begin, ends[last - block.first_row - 1])
            yield Rows(
                first=first,
                counts=self._row_counts.view()[first:last],
                totals=self._row_totals.view()[first:last],
                targets=block.targets[edges],
                shares=block.shares[edges],
            )

    def _add_nodes(self, ids: list[int]) -> list[int]:
        """Return the nodes of distinct link ids; new ones are appended in the given order."""
        index, before = self._index, len(self._index)
        nodes = [index.setdefault(link_id, len(index)) for link_id in ids]
        if len(index) > before:
            new = [link_id for link_id, node in zip(ids, nodes, strict=True) if node >= before]
            self._ids.extend(np.array(new, dtype=np.int64))
            self._in_degree.resize(len(index))
            self._row_of_node.resize(len(index))
        return nodes

    def _block_for(self, edges: int) -> _Block:
        last = self._blocks[-1] if self._blocks else None
        if last is None or last.edges + edges > len(last.targets):
            last = _Block(self.n_pages, max(BLOCK_EDGES, edges))
            self._blocks.append(last)
        return last


def _merge(targets: IdArray, weights: FloatArray) -> tuple[IdArray, FloatArray]:
    """Merge links to one target, with the largest weight, in order of first appearance."""
    if len(set(targets.tolist())) == len(targets):
        return targets, weights
    ids, first, inverse = np.unique(targets, return_index=True, return_inverse=True)
    best = np.zeros(len(ids))
    np.maximum.at(best, inverse, weights)
    order = np.argsort(first)
    return ids[order], best[order]
