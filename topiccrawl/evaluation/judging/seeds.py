"""Seed sets drawn by chance, to see how far the figures depend on the seeds."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import seed_group
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.evaluation.judging.graph import WebGraph
    from topiccrawl.evaluation.webs.web import WebTopic

#: Groups of drawn seed sets.
_NEAR, _FAR = "drawn-near", "drawn-far"
#: Pages in a drawn seed set, as in the stored webs' own seed sets.
_PAGES = 5
#: Least number of links between a far seed and the nearest relevant page.
_FAR_LINKS = 2
_DRAWN = re.compile(r"drawn:(\d{1,4})")


def drawn_names(name: str) -> list[str]:
    """Return the names of the seed sets that ``drawn:N`` stands for; none for another name.

    >>> drawn_names("drawn:2")
    ['drawn-near#1', 'drawn-near#2', 'drawn-far#1', 'drawn-far#2']

    Raises:
        ConfigurationError: N is not a number from 1 to 9,999.
    """
    if not name.startswith("drawn:"):
        return []
    found = _DRAWN.fullmatch(name)
    if found is None or not int(found[1]):
        raise ConfigurationError(
            _("--seeds: drawn:N needs a number N from 1 to 9999 of seed sets, got {name!r}").format(
                name=name
            )
        )
    return [f"{group}#{k}" for group in (_NEAR, _FAR) for k in range(1, int(found[1]) + 1)]


def draw_seeds(graph: WebGraph, topic: WebTopic, seeds: str) -> tuple[str, ...]:
    """Return the drawn seed set *seeds* of a topic; empty if the web has no such pages.

    Near seeds are relevant pages with links; far seeds are pages from which the nearest relevant page
    is at least two links away, but can be reached.  The draw depends on the names of topic and seed
    set only, so it is the same for all strategies and in every evaluation.
    """
    relevant = np.array([url in topic.relevant for url in graph.urls], dtype=bool)
    if seed_group(seeds) == _NEAR:
        linked = np.array([len(targets) > 0 for targets in graph.out], dtype=bool)
        nodes = np.flatnonzero(relevant & linked)
    else:
        nodes = np.flatnonzero(_links_to(graph, relevant) >= _FAR_LINKS)
    candidates = nodes.tolist()
    draw = random.Random(f"{topic.name} {seeds}")
    chosen = draw.sample(candidates, min(_PAGES, len(candidates)))
    return tuple(graph.urls[node] for node in chosen)


def _links_to(graph: WebGraph, relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the links from each page to the nearest relevant one; -1 if none can be reached."""
    into: list[list[int]] = [[] for _ in graph.urls]
    for source, targets in enumerate(graph.out):
        for target in targets.tolist():
            into[target].append(source)
    distance = np.full(len(graph.urls), -1, dtype=np.int64)
    level = np.flatnonzero(relevant).tolist()
    steps = 0
    while level:
        distance[level] = steps
        steps += 1
        level = sorted({s for node in level for s in into[node] if distance[s] < 0})
    return distance
