"""What the fetched pages say of every known link: sums that a page is added to in one go."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.adaptive.slots import SlotTable
from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, SlotArray
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.strategy import LinkBatch

NUMBERS = ("bias", "mean", "best", "degree", "anchor", "context", "votes")
"""The columns of :meth:`LinkObservations.numbers`."""


class LinkObservations:
    """Numbers and hashed features of each node of a link graph.

    Memory: 24 bytes and 4 for each feature for every node.
    """

    def __init__(self) -> None:
        self._sum = GrowingArray(np.float32)
        self._best = GrowingArray(np.float32, fill=-1.0)
        self._votes = GrowingArray(np.float32)
        self._anchor = GrowingArray(np.float32)
        self._context = GrowingArray(np.float32)
        self._shown = GrowingArray(np.float32, fill=-1.0)
        self._slots = SlotTable()

    @property
    def nbytes(self) -> int:
        """Bytes reserved."""
        columns = (
            self._sum, self._best, self._votes, self._anchor, self._context, self._shown,
        )  # fmt: skip
        return sum(c.nbytes for c in columns) + self._slots.nbytes

    def add(
        self,
        nodes: IdArray,
        links: LinkBatch,
        *,
        relevance: float,
        value: float,
        size: int,
        waiting: IdArray,
    ) -> None:
        """Add what a page says of its links, the nodes *nodes*, shape (n,), no node twice.

        *size* is the number of nodes there are now.  Hashed features are those of the page of the
        highest *relevance* that shows the link (not of the highest value, which changes with every
        round: the features must be a function of the pages alone); they stay as they were when the
        link was fetched: *waiting* are the places in *nodes* that are still to be fetched.
        """
        for column in (
            self._sum, self._best, self._votes, self._anchor, self._context, self._shown,
        ):  # fmt: skip
            column.resize(size)
        self._slots.reserve(size, links.features.shape[1])
        if not len(nodes):
            return
        shown, anchor, context = self._shown.view(), self._anchor.view(), self._context.view()
        if links.features.shape[1]:
            better = waiting[shown[nodes[waiting]] < np.float32(relevance)]
            self._slots.put(nodes[better], links.features[better])
        shown[nodes] = np.maximum(shown[nodes], relevance)
        anchor[nodes] = np.maximum(anchor[nodes], links.anchor_similarity)
        context[nodes] = np.maximum(context[nodes], links.context_similarity)
        self.add_value(nodes, value)

    def revalue_steps(self, graph: LinkGraph, values: FloatArray) -> Generator[None, None, None]:
        """Take *values*, shape (R,), for those of the first R fetched pages, a block at a time.

        What later pages said must be added again afterwards, see :meth:`add_value`.
        """
        size = graph.n_nodes
        total, best, votes = (np.zeros(size, dtype=np.float32) for _ in range(3))
        best -= 1
        yield
        for rows in graph.rows(0, len(values)):
            value = np.repeat(values[rows.span], rows.counts).astype(np.float32)
            share = np.repeat(values[rows.span] / np.maximum(rows.counts, 1), rows.counts)
            np.add.at(total, rows.targets, value)
            np.maximum.at(best, rows.targets, value)
            yield
            np.add.at(votes, rows.targets, share.astype(np.float32))
            yield
        for column, new in ((self._sum, total), (self._best, best), (self._votes, votes)):
            view = column.view()
            view[:size] = new
            view[size:] = -1 if column is self._best else 0

    def add_value(self, nodes: IdArray, value: float) -> None:
        """Add the value of a page that links to *nodes* and whose texts are known already."""
        if len(nodes):
            self._sum.view()[nodes] += value
            self._votes.view()[nodes] += value / len(nodes)
            self._best.view()[nodes] = np.maximum(self._best.view()[nodes], value)

    def numbers(self, nodes: IdArray, degree: NDArray[np.int32]) -> FloatArray:
        """The numbers of *nodes*, shape (n, 7), columns as NUMBERS; *degree* is their in-degree.

        1; mean and largest value of the pages that show it; ln(1 + their number); largest
        similarity of anchor and context; square root of Σ value/links of the page, which is one
        step of IPageRank with equal weights.
        """
        count = degree.astype(np.float64)
        return np.stack(
            [
                np.ones(len(nodes)),
                self._sum.view()[nodes] / np.maximum(count, 1),
                np.maximum(self._best.view()[nodes], 0.0),
                np.log1p(count),
                self._anchor.view()[nodes],
                self._context.view()[nodes],
                np.sqrt(np.maximum(self._votes.view()[nodes], 0.0)),
            ],
            axis=1,
        )

    def slots(self, nodes: IdArray) -> SlotArray:
        """The hashed features of *nodes*, shape (n, k), -1 where a row ends."""
        return self._slots.get(nodes)
