"""The link graph of a stored web, as a crawler would see it that fetches every page.

Used for judging only: to find the reachable pages and to compute the reference orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topiccrawl.evaluation.webs.urls import web_key

IntArray = NDArray[np.int64]

#: Redirects followed at most: Scrapy's ``REDIRECT_MAX_TIMES``.
_MAX_HOPS = 20


@dataclass(frozen=True, slots=True)
class WebGraph:
    """Stored pages (status 200) and the links between them, with redirects resolved."""

    urls: Sequence[str]
    index: dict[str, int]
    """Position in *urls* of each stored URL; a redirect has the position of its target."""
    out: Sequence[IntArray]
    """Targets of each page in page order, without duplicates and self-links."""

    def nodes(self, urls: Iterable[str]) -> list[int]:
        """Return the pages behind *urls* without duplicates; URLs that are not stored are skipped."""
        found = (self.index.get(web_key(url) or "") for url in urls)
        return list(dict.fromkeys(node for node in found if node is not None))

    def reachable(self, seeds: Iterable[str]) -> NDArray[np.bool_]:
        """Return which pages can be reached from *seeds*, seeds included, shape (n,)."""
        done = np.zeros(len(self.urls), dtype=bool)
        waiting = self.nodes(seeds)
        done[waiting] = True
        while waiting:
            for target in self.out[waiting.pop()].tolist():
                if not done[target]:
                    done[target] = True
                    waiting.append(target)
        return done


def build_graph(links: dict[str, tuple[int, list[str]]]) -> WebGraph:
    """Build the graph from status and link targets by stored URL, in the order of *links*."""
    urls = [url for url, (status, _) in links.items() if status == 200]
    place = {url: i for i, url in enumerate(urls)}
    index: dict[str, int] = {}
    for url in links:
        here = url
        for _ in range(_MAX_HOPS):
            status, targets = links.get(here, (404, []))
            if status == 200:
                index[url] = place[here]
                break
            if not targets:
                break
            here = targets[0]
    out: list[IntArray] = []
    for i, url in enumerate(urls):
        nodes = dict.fromkeys(index[target] for target in links[url][1] if target in index)
        nodes.pop(i, None)
        out.append(np.fromiter(nodes, dtype=np.int64, count=len(nodes)))
    return WebGraph(urls, index, out)
