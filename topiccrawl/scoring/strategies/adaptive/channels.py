"""The channels of sites: which links lie in one that a keyword names, and which lead to others."""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.strategy import IN_CHANNEL, NAMED_FRONT, OTHER_FRONT, LinkBatch

#: States of a node whose channel a keyword names; those of front pages of other channels are their domains.
_INSIDE, _FRONT = -1, -2


class KnownChannels:
    """The channel of each node of a link graph, by the pages of its own site alone.

    Nobody names the channels of other sites: a comment could name those of an attacker.

    Memory: 4 bytes per node.
    """

    def __init__(self) -> None:
        self._state = GrowingArray(np.int32)
        #: Registered domains with a channel that a keyword names.
        self._named: set[int] = set()

    def resize(self, size: int) -> None:
        """Prepare for a graph of *size* nodes."""
        self._state.resize(size)

    def add(self, nodes: IdArray, links: LinkBatch, site: int) -> None:
        """Add the links of a page.

        *nodes*, shape (n,), are theirs, *site* is the page's registered domain as in ``LinkBatch.places``.
        """
        if not (links.channels.size and links.places.size):
            return
        kind, domain = links.channels[:, 0], links.places[:, 0]
        own = (kind >= IN_CHANNEL) & (domain == site)
        if own.any():
            self._named.add(site)
        state = self._state.view()
        inside = np.where(kind[own] == NAMED_FRONT, _FRONT, _INSIDE)
        state[nodes[own]] = np.minimum(state[nodes[own]], inside)
        other = (kind == OTHER_FRONT) & (state[nodes] == 0)
        state[nodes[other]] = domain[other]

    def numbers(self, nodes: IdArray) -> FloatArray:
        """Return the numbers of links, shape (n, 3), each 0 or 1.

        Whether the link lies in a channel that a keyword names; whether it leads to its front page; whether it leads
        to the front page of another channel of a site that has one.
        """
        state = self._state.view()[nodes]
        others = state > 0
        # Few links lead to front pages: a search for all would take longer than all other numbers.
        others[others] = [domain in self._named for domain in state[others].tolist()]
        return np.stack([state == _INSIDE, state == _FRONT, others], axis=1).astype(np.float64)
