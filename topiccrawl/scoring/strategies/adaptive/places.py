"""The places of known links: how often their host and their domain were visited, and who links there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FeatureIdArray, GrowingArray, IdArray
from topiccrawl.scoring.strategy import PageView

IndexArray = NDArray[np.int32]

#: Columns of ``LinkBatch.places`` that are numbered here.
_DOMAIN, _HOST, _DEPTH = 0, 1, 3


class _Numbered:
    """Places of one kind, numbered from 0 in order of appearance, and their visits."""

    def __init__(self) -> None:
        self._index: dict[int, int] = {}
        self.visits = GrowingArray(np.int32)

    def __len__(self) -> int:
        return len(self._index)

    def numbers(self, hashes: FeatureIdArray) -> list[int]:
        index = self._index
        found = [index.setdefault(each, len(index)) for each in hashes.tolist()]
        self.visits.resize(len(index))
        return found


class KnownPlaces:
    """Host, domain and depth of each node of a link graph.

    Memory: 12 bytes per node, some 100 per host, and 100 for each pair of linked domains.
    """

    def __init__(self) -> None:
        self._hosts, self._domains = _Numbered(), _Numbered()
        self._host = GrowingArray(np.int32, fill=-1)
        self._domain = GrowingArray(np.int32, fill=-1)
        self._depth = GrowingArray(np.int32)
        self._popularity = GrowingArray(np.int32)
        #: Weight of the links from one domain, in the upper bits, to another.
        self._linked: dict[int, int] = {}

    @property
    def hosts(self) -> int:
        """Number of hosts that are known, visited or not."""
        return len(self._hosts)

    @property
    def domains(self) -> int:
        """Number of registered domains that are known, visited or not."""
        return len(self._domains)

    def add(self, page: PageView, nodes: IdArray, size: int, weight: int = 1) -> int:
        """Count a visit of the page's place, and note the places of its links.

        Parameters
        ----------
        nodes
            Nodes of its links, shape (n,), in the order of ``page.links``.
        size
            Number of nodes of the graph.
        weight
            What its links say for other domains, > 0.

        Returns
        -------
        int
            Number of earlier visits of the page's domain.
        """
        self.resize(size)
        domain, earlier = self.number(page), 0
        if domain >= 0:
            (host,) = self._hosts.numbers(page.place[_HOST : _HOST + 1])
            earlier = int(self._domains.visits.view()[domain])
            self._domains.visits.view()[domain] += 1
            self._hosts.visits.view()[host] += 1
        places = page.links.places
        if places.shape[1] and len(nodes):
            new = np.flatnonzero(self._host.view()[nodes] < 0)
            self._host.view()[nodes[new]] = self._hosts.numbers(places[new, _HOST])
            self._domain.view()[nodes[new]] = self._domains.numbers(places[new, _DOMAIN])
            self._depth.view()[nodes[new]] = places[new, _DEPTH]
        self._popularity.resize(len(self._domains))
        if domain >= 0:
            self._link(domain, nodes, weight)
        return earlier

    def resize(self, size: int) -> None:
        """Prepare for a graph of *size* nodes."""
        for column in (self._host, self._domain, self._depth):
            column.resize(size)

    def number(self, page: PageView) -> int:
        """Return the number of the page's registered domain, -1 if unknown."""
        return (
            self._domains.numbers(page.place[_DOMAIN : _DOMAIN + 1])[0] if len(page.place) else -1
        )

    def _link(self, domain: int, nodes: IdArray, weight: int) -> None:
        for target in np.unique(self._domain.view()[nodes]).tolist():
            # One number takes half the memory of a tuple of two.
            pair = domain << 32 | target
            more = weight - self._linked.get(pair, 0)
            if target not in (domain, -1) and more > 0:
                self._linked[pair] = weight
                self._popularity.view()[target] += more

    def count_miss(self, nodes: IdArray) -> None:
        """Count a visit of the hosts of *nodes*, which were to be fetched and were not."""
        np.add.at(self._hosts.visits.view(), self._host.view()[nodes], 1)

    def unseen_hosts(self, most_visits: int) -> int:
        """Return the number of known hosts with at most *most_visits* visits."""
        return int(np.count_nonzero(self._hosts.visits.view() <= most_visits))

    def host(self, nodes: IdArray) -> IndexArray:
        """Return the number of each node's host, -1 if unknown, shape (n,)."""
        return self._host.view()[nodes]

    def domain(self, nodes: IdArray) -> IndexArray:
        """Return the number of each node's registered domain, -1 if unknown, shape (n,)."""
        return self._domain.view()[nodes]

    def host_visits(self, nodes: IdArray) -> IndexArray:
        """Return how often the host of each node was visited, shape (n,); the host must be known."""
        return self._hosts.visits.view()[self.host(nodes)]

    def domain_visits(self, nodes: IdArray) -> IndexArray:
        """Return the same of the registered domain."""
        return self._domains.visits.view()[self.domain(nodes)]

    def popularity(self, nodes: IdArray) -> IndexArray:
        """Return how popular the domain of each node is, shape (n,).

        The sum over the other domains that link there, each with the largest weight of such a page.
        """
        return self._popularity.view()[self.domain(nodes)]

    def depth(self, nodes: IdArray) -> IndexArray:
        """Return the number of path segments of each node, shape (n,)."""
        return self._depth.view()[nodes]
