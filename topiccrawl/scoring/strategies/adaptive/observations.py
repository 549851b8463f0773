"""Observations of every known link on the fetched pages, as sums and maxima updated page by page."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.strategies.adaptive.channels import KnownChannels
from topiccrawl.scoring.strategies.adaptive.features import FeatureTable
from topiccrawl.scoring.strategy import LinkBatch

#: Columns of :meth:`LinkObservations.numbers`.
NUMBERS = (
    "bias", "mean", "best", "degree", "anchor", "context", "ipagerank", "metadata", "url",
    "channel", "front", "other",
)  # fmt: skip


class LinkObservations:
    """Numbers and hashed features of each node of a link graph.

    Memory: 32 bytes per node, and 4 more for each feature.
    """

    def __init__(self) -> None:
        self._sum = GrowingArray(np.float32)
        self._best = GrowingArray(np.float32, fill=-1.0)
        self._anchor = GrowingArray(np.float32)
        self._context = GrowingArray(np.float32)
        self._metadata = GrowingArray(np.float32)
        self._url = GrowingArray(np.float32)
        self._shown = GrowingArray(np.float32, fill=-1.0)
        self._channels = KnownChannels()
        self._features = FeatureTable()

    def add(
        self,
        nodes: IdArray,
        links: LinkBatch,
        *,
        relevance: float,
        value: float,
        size: int,
        waiting: IdArray,
        site: int = 0,
    ) -> None:
        """Add the links of a page.

        A link takes its hashed features from the page of the highest relevance that shows it, not of
        the highest value: values change with every round, and the features must be a function of the
        pages alone.  They stay as they were when the link was fetched.

        Parameters
        ----------
        nodes
            Nodes of the links, shape (n,), without repetitions.
        links
            The links, n of them.
        relevance
            Relevance of the page, in [0, 1].
        value
            Value of the page, in [0, 1].
        size
            Number of nodes of the graph.
        waiting
            Indices into *nodes* of the links that are not yet fetched.
        site
            The page's registered domain as in ``LinkBatch.places``; 0 if unknown.
        """
        self.resize(size)
        self._features.reserve(size, links.features.shape[1])
        if not len(nodes):
            return
        shown, anchor, context = self._shown.view(), self._anchor.view(), self._context.view()
        if links.features.shape[1]:
            better = waiting[shown[nodes[waiting]] < np.float32(relevance)]
            self._features.put(nodes[better], links.features[better])
        shown[nodes] = np.maximum(shown[nodes], relevance)
        anchor[nodes] = np.maximum(anchor[nodes], links.anchor_similarity)
        context[nodes] = np.maximum(context[nodes], links.context_similarity)
        metadata = self._metadata.view()
        metadata[nodes] = np.maximum(metadata[nodes], links.rw_relevance)
        self._url.view()[nodes[links.url_hit]] = 1.0
        self._channels.add(nodes, links, site)
        self.add_value(nodes, value)

    def resize(self, size: int) -> None:
        """Prepare for a graph of *size* nodes."""
        for column in (
            self._sum, self._best, self._anchor, self._context, self._metadata, self._url,
            self._shown,
        ):  # fmt: skip
            column.resize(size)
        self._channels.resize(size)

    def revalue_steps(self, graph: LinkGraph, values: FloatArray) -> Generator[None, None, None]:
        """Replace the values of the first R fetched pages by *values*, shape (R,), block by block.

        Pages that were added later must be added again afterwards, see :meth:`add_value`.
        """
        size = graph.n_nodes
        total, best = (np.zeros(size, dtype=np.float32) for _ in range(2))
        best -= 1
        yield
        for rows in graph.rows(0, len(values)):
            value = np.repeat(values[rows.span], rows.counts).astype(np.float32)
            np.add.at(total, rows.targets, value)
            np.maximum.at(best, rows.targets, value)
            yield
        for column, new in ((self._sum, total), (self._best, best)):
            view = column.view()
            view[:size] = new
            view[size:] = -1 if column is self._best else 0

    def add_value(self, nodes: IdArray, value: float) -> None:
        """Add the value of a page that links to *nodes*, whose similarities are already included."""
        if len(nodes):
            self._sum.view()[nodes] += value
            self._best.view()[nodes] = np.maximum(self._best.view()[nodes], value)

    def numbers(
        self, nodes: IdArray, degree: NDArray[np.int32], ipagerank: FloatArray
    ) -> FloatArray:
        """Return the numbers of links.

        Parameters
        ----------
        nodes
            Nodes of the links, shape (n,).
        degree
            Their in-degrees, shape (n,).
        ipagerank
            Their places by IPageRank-RWB, in [0, 1], shape (n,).

        Returns
        -------
        FloatArray
            Shape (n, 12), columns as in ``NUMBERS``: 1; mean and largest value of the pages that show
            the link; ln(1 + their number); largest similarity of anchor and of context; place by
            IPageRank-RWB ([thesis] 9.5); R(u), the largest relevance of a word in the link's metadata
            ([thesis] 4.5); UH, whether a word or URL token of the topic is in the URL ([thesis] 4.1); then
            those of :class:`KnownChannels`.
        """
        count = degree.astype(np.float64)
        own = np.stack(
            [
                np.ones(len(nodes)),
                self._sum.view()[nodes] / np.maximum(count, 1),
                np.maximum(self._best.view()[nodes], 0.0),
                np.log1p(count),
                self._anchor.view()[nodes],
                self._context.view()[nodes],
                ipagerank,
                self._metadata.view()[nodes],
                self._url.view()[nodes],
            ],
            axis=1,
        )
        return np.concatenate([own, self._channels.numbers(nodes)], axis=1)

    def promises(self, nodes: IdArray) -> FloatArray:
        """Return R(u) of links, in [0, 1], shape (n,): what they promise."""
        return self._metadata.view()[nodes].astype(np.float64)

    def feature_ids(self, nodes: IdArray) -> FeatureIdArray:
        """Return the hashed features of *nodes*, shape (n, k), rows filled up with -1."""
        return self._features.get(nodes)
