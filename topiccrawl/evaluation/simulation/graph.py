"""The link graph of a stored web as a crawler that reads every page would see it.

For the judge's side only: what can be reached, and the orders of the oracle and of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.crawl.requests import may_be_page
from topiccrawl.evaluation.simulation.pages import request_url
from topiccrawl.evaluation.webs.addresses import canonical

if TYPE_CHECKING:
    from topiccrawl.evaluation.simulation.pages import StoredPages

__all__ = ["WebGraph", "build_graph", "read_links"]

IntArray = NDArray[np.int64]

_MAX_HOPS = 20


@dataclass(frozen=True, slots=True)
class WebGraph:
    """Stored pages (status 200) and the links between them, redirects followed."""

    urls: Sequence[str]
    index: dict[str, int]
    """Place in *urls* of each address, redirects included: that of the page they lead to."""
    out: Sequence[IntArray]
    """Targets of each page in page order, none twice, the page itself left out."""

    def nodes(self, urls: Iterable[str]) -> list[int]:
        """Return the pages behind stored addresses, each once; others are left out."""
        found = (self.index.get(canonical(url) or "") for url in urls)
        return list(dict.fromkeys(node for node in found if node is not None))

    def reachable(self, seeds: Iterable[str]) -> NDArray[np.bool_]:
        """Return for each page whether links lead to it from *seeds*, seeds included, shape (n,)."""
        done = np.zeros(len(self.urls), dtype=bool)
        waiting = self.nodes(seeds)
        done[waiting] = True
        while waiting:
            for target in self.out[waiting.pop()].tolist():
                if not done[target]:
                    done[target] = True
                    waiting.append(target)
        return done


def read_links(
    pages: StoredPages, urls: Iterable[str], *, follow_nofollow: bool = False
) -> dict[str, tuple[int, list[str]]]:
    """Return status and followed addresses of stored pages; a redirect has one."""
    found: dict[str, tuple[int, list[str]]] = {}
    for url in urls:
        links = pages.links(url)
        if links is None:
            continue
        status, targets = links
        wanted = (
            canonical(request_url(link.url))
            for link in targets
            if (follow_nofollow or not link.nofollow) and may_be_page(link.url)
        )
        found[url] = status, list(dict.fromkeys(target for target in wanted if target))
    return found


def build_graph(
    links: dict[str, tuple[int, list[str]]], tick: Callable[[int], object] = lambda done: None
) -> WebGraph:
    """Join what :func:`read_links` read of all stored addresses, in their order."""
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
        tick(i)
    return WebGraph(urls, index, out)
