"""The spread of a story as rows of a table and as a drawing: who was first, and who took it from whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.stories.representative import Traces
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from topiccrawl.dedup.compared import ComparedPage
    from topiccrawl.stories.spread import Edge, Spread

#: Rows of a tree that are shown; of the others, only their number (a choice: 150 KB for a view).
MOST_ROWS: Final = 150


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A node of the spread, in the order of a walk from the root."""

    id: str
    """URL, or ``outlet:`` and a name."""
    name: str
    """Name of the outlet."""
    depth: int
    published: datetime | None
    fetched: bool
    """Whether it is a page of the store; else an outlet that is only named."""
    edge: Edge | None
    """Its source; ``None`` for a root."""
    below: int
    """Pages that come from it, directly or not."""
    copies: int
    """Pages that were taken from it directly."""
    last: bool = False
    """Whether it is the last shown copy of its source."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The shown rows, and how many nodes are not."""

    rows: Sequence[TreeRow]
    hidden: int
    sources: Mapping[str, int]
    """Outlets by the number of pages that were taken from them directly, most first."""


def spread_tree(
    spread: Spread, published: Mapping[str, datetime | None], most: int = MOST_ROWS
) -> Tree:
    """Return the tree of *spread*, the branches with most pages first; *published* is by URL.

    If there are more nodes than *most*, those with the most pages below them are shown.
    """
    children = spread.children()
    depth = _depths(spread, children)
    below: dict[str, int] = {}
    for at in reversed(depth):
        below[at] = sum(1 + below[child] for child in children.get(at, ()))

    def rank(node: str) -> tuple[bool, int, float, str]:
        at = published.get(node)
        return node != spread.first, -below[node], at.timestamp() if at else float("inf"), node

    ranked = sorted(depth, key=lambda node: (rank(node)[:2], depth[node], rank(node)))
    shown = _with_sources(spread, ranked[:most])
    rows: list[TreeRow] = []
    roots = (node for node in depth if node in shown and node not in spread.edges)
    pending = [(root, True) for root in sorted(roots, key=rank, reverse=True)]
    while pending:
        at, last = pending.pop()
        found = spread.nodes[at]
        copies = children.get(at, [])
        rows.append(
            TreeRow(
                id=at,
                name=found.name,
                depth=depth[at],
                published=published.get(at),
                fetched=found.page is not None,
                edge=spread.edges.get(at),
                below=below[at],
                copies=len(copies),
                last=last,
            )
        )
        following = sorted((it for it in copies if it in shown), key=rank, reverse=True)
        pending.extend((child, number == 0) for number, child in enumerate(following))
    taken = Counter(spread.nodes[edge.source].name for edge in spread.edges.values())
    return Tree(rows, len(depth) - len(rows), dict(taken.most_common()))


def _depths(spread: Spread, children: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the distance of each node from its root, sources before their copies."""
    depth: dict[str, int] = {}
    stack = [(node, 0) for node in spread.nodes if node not in spread.edges]
    while stack:
        at, level = stack.pop()
        depth[at] = level
        stack.extend((child, level + 1) for child in children.get(at, ()))
    return depth


def _with_sources(spread: Spread, nodes: Sequence[str]) -> set[str]:
    """Return *nodes* and all their sources."""
    found = set(nodes)
    for node in nodes:
        while node in spread.edges and spread.edges[node].source not in found:
            node = spread.edges[node].source
            found.add(node)
    return found


@dataclass(frozen=True, slots=True)
class FirstEvidence:
    """The evidence for the first publisher."""

    named_by: int
    """Sites whose members name its outlet."""
    names_another: bool
    """Whether it names another member's outlet, which speaks against it."""
    is_own: bool
    """Whether it says that the text is its own."""
    earlier: int | None
    """Members certainly published before it, by times that can be trusted; ``None`` if its own cannot."""
    dated: int
    """Members whose time can be trusted."""


def first_evidence(members: Sequence[ComparedPage], first: str) -> FirstEvidence:
    """Return the evidence that the member *first* published a story first."""
    traces = Traces.of(members)
    page = next(it for it in traces.members if it.url == first)
    here = traces.spans.get(first)
    earlier = (
        None
        if here is None
        else sum(span.end <= here.first for url, span in traces.spans.items() if url != first)
    )
    own = {
        outlet for outlet, held in traces.holders.items() if any(url == first for url, _ in held)
    }
    naming = {
        registered_domain(it.site)
        for it in traces.members
        if it.url != first and any(claim.outlet in own for claim in traces.claims[it.url].named)
    }
    return FirstEvidence(
        named_by=len(naming),
        names_another=traces.names_another(page) < 0,
        is_own=traces.is_by_own_outlet(page),
        earlier=earlier,
        dated=len(traces.spans),
    )
