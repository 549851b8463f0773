"""Reference orders: an oracle that sees all labels, and random selection.

Both work on the link graph of the whole web, not on a crawl.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from topiccrawl.evaluation.judging.graph import WebGraph

#: Distance of pages from which no relevant page can be reached.
_FAR = np.iinfo(np.int64).max


def oracle_order(
    graph: WebGraph, seeds: Sequence[int], relevant: NDArray[np.bool_], pages: int
) -> list[int]:
    """Return the order of a greedy crawler that sees the label of every page and all links.

    Seeds come first, then relevant pages in the order of discovery.  If no relevant page is
    discovered, it takes the discovered page that is the fewest links away from a relevant page not
    yet fetched (ties: the web's order).  If no relevant page can be reached any more, it takes the
    first discovered page in the web's order.  The order is not optimal (it does not look beyond the
    next relevant page), but no strategy in this project comes close to it.
    """
    crawl = _Oracle(graph, relevant)
    for seed in seeds:
        crawl.see(seed)
    for seed in seeds:
        if len(crawl.order) < pages and not crawl.done[seed]:
            crawl.fetch(seed)
    while len(crawl.order) < pages and (node := crawl.choose()) is not None:
        crawl.fetch(node)
    return crawl.order


def random_order(graph: WebGraph, seeds: Sequence[int], pages: int, seed: int) -> list[int]:
    """Return an order that fetches the seeds, then discovered pages uniformly at random."""
    draw = random.Random(seed)
    seen = set(seeds)
    order: list[int] = []
    frontier: list[int] = []
    start = deque(dict.fromkeys(seeds))
    while len(order) < pages and (start or frontier):
        if start:
            node = start.popleft()
        else:
            i = draw.randrange(len(frontier))
            frontier[i], frontier[-1] = frontier[-1], frontier[i]
            node = frontier.pop()
        order.append(node)
        for target in graph.out[node].tolist():
            if target not in seen:
                seen.add(target)
                frontier.append(target)
    return order


class _Oracle:
    def __init__(self, graph: WebGraph, relevant: NDArray[np.bool_]) -> None:
        self._graph = graph
        self._relevant = relevant
        n = len(graph.urls)
        self.done = np.zeros(n, dtype=bool)
        self.order: list[int] = []
        self._known = np.zeros(n, dtype=bool)
        self._good: deque[int] = deque()
        self._hopeless = False
        counts = [len(targets) for targets in graph.out]
        sources = np.repeat(np.arange(n), counts)
        targets = np.concatenate(graph.out) if n else np.zeros(0, dtype=np.int64)
        by_target = np.argsort(targets, kind="stable")
        self._into = sources[by_target]
        self._starts = np.searchsorted(targets[by_target], np.arange(n + 1))

    def see(self, node: int) -> None:
        if not self._known[node]:
            self._known[node] = True
            if self._relevant[node]:
                self._good.append(node)

    def fetch(self, node: int) -> None:
        self.done[node] = True
        self.order.append(node)
        for target in self._graph.out[node].tolist():
            self.see(target)

    def choose(self) -> int | None:
        while self._good and self.done[self._good[0]]:
            self._good.popleft()
        if self._good:
            return self._good.popleft()
        frontier = np.flatnonzero(self._known & ~self.done)
        if not len(frontier):
            return None
        if not self._hopeless:
            distance = self._distances()[frontier]
            best = int(np.argmin(distance))
            if distance[best] < _FAR:
                return int(frontier[best])
            self._hopeless = True
        return int(frontier[0])

    def _distances(self) -> NDArray[np.int64]:
        """Return the links to the nearest relevant page not fetched.

        The search stops at the first distance at which there is a discovered page.
        """
        distance = np.full(len(self.done), _FAR, dtype=np.int64)
        level = np.flatnonzero(self._relevant & ~self.done)
        distance[level] = 0
        steps = 0
        while len(level):
            steps += 1
            parts = [self._into[self._starts[i] : self._starts[i + 1]] for i in level.tolist()]
            level = np.unique(np.concatenate(parts))
            level = level[(distance[level] == _FAR) & ~self.done[level]]
            distance[level] = steps
            if self._known[level].any():
                break
        return distance
