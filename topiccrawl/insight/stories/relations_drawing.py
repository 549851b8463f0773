"""Positions for a graph of relations: springs between related names, repulsion between all.

References
----------
[Fruchterman 1991] T. Fruchterman, E. Reingold: Graph drawing by force-directed placement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from topiccrawl.insight.stories.relations import Name, Relation, Relations

#: Names and relations of a drawing: more lines cannot be distinguished (a choice).
MOST_NAMES: Final = 40
MOST_EDGES: Final = 80
WIDTH: Final = 760.0
HEIGHT: Final = 520.0
_MARGIN: Final = 40.0
#: Room for names at the right.
_TEXT: Final = 110.0
_ROUNDS: Final = 220
_LABEL: Final = 17.0


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name with its position and radius."""

    name: Name
    count: int
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """A relation with the ends of its line."""

    relation: Relation
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class Graph:
    """A drawing of the strongest relations."""

    names: Sequence[PlacedName]
    edges: Sequence[PlacedEdge]


def draw_relations(found: Relations, chosen: Sequence[Relation] | None = None) -> Graph | None:
    """Return the drawing of the strongest relations, or of those *chosen*; ``None`` without any.

    The same relations always have the same drawing.
    """
    edges: list[Relation] = []
    degree: Counter[Name] = Counter()
    for relation in found.relations if chosen is None else chosen:
        new = {relation.first, relation.second} - degree.keys()
        if len(degree) + len(new) > MOST_NAMES:
            continue
        edges.append(relation)
        degree.update((relation.first, relation.second))
        if len(edges) >= MOST_EDGES:
            break
    if not edges:
        return None
    names = sorted(degree)
    number = {name: at for at, name in enumerate(names)}
    ends = np.array([(number[it.first], number[it.second]) for it in edges])
    strong = np.array([it.strength for it in edges])
    points = _apart(_placed(len(names), ends, np.sqrt(strong / strong.max())))
    top = max(found.names.get(name, 1) for name in names)
    placed = [
        PlacedName(
            name,
            found.names.get(name, 1),
            round(float(points[at, 0]), 1),
            round(float(points[at, 1]), 1),
            round(4 + 7 * math.sqrt(found.names.get(name, 1) / top), 1),
        )
        for at, name in enumerate(names)
    ]
    lines = [
        PlacedEdge(
            it,
            placed[number[it.first]].x,
            placed[number[it.first]].y,
            placed[number[it.second]].x,
            placed[number[it.second]].y,
            round(0.8 + 3 * float(share), 1),
        )
        for it, share in zip(edges, np.sqrt(strong / strong.max()), strict=True)
    ]
    return Graph(placed, lines)


def _placed(
    count: int, ends: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return positions inside the drawing by the forces of [Fruchterman 1991], from a spiral as start."""
    turn = np.arange(count) * 2.399963
    points = (
        np.stack([np.cos(turn), np.sin(turn)], 1) * np.sqrt((np.arange(count) + 1) / count)[:, None]
    )
    ideal = 1.4 / math.sqrt(count)
    for step in range(_ROUNDS):
        apart = points[:, None, :] - points[None, :, :]
        squared = np.maximum((apart**2).sum(2), 1e-4)
        force = (apart * (ideal**2 / squared)[:, :, None]).sum(1)
        along = points[ends[:, 0]] - points[ends[:, 1]]
        pull = along * (np.sqrt((along**2).sum(1)) / ideal * (0.4 + weights))[:, None]
        np.subtract.at(force, ends[:, 0], pull)
        np.add.at(force, ends[:, 1], pull)
        # Parts without a connection stay in sight.
        force -= points * 0.35 * ideal
        length = np.maximum(np.sqrt((force**2).sum(1)), 1e-9)
        heat = 0.12 * (1 - step / _ROUNDS)
        points = points + force / length[:, None] * np.minimum(length, heat)[:, None]
    low, high = points.min(0), points.max(0)
    room = np.array([WIDTH - 2 * _MARGIN - _TEXT, HEIGHT - 2 * _MARGIN])
    inside: NDArray[np.float64] = (points - low) / np.maximum(high - low, 1e-9) * room + _MARGIN
    return inside


def _apart(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move points down until their labels do not cover each other."""
    order = np.lexsort((points[:, 0], points[:, 1]))
    moved = points.copy()
    for place, at in enumerate(order):
        for other in order[:place]:
            if (
                abs(moved[at, 0] - moved[other, 0]) < _TEXT
                and abs(moved[at, 1] - moved[other, 1]) < _LABEL
            ):
                moved[at, 1] = moved[other, 1] + _LABEL
    over = moved[:, 1].max() - (HEIGHT - _MARGIN / 2)
    if over > 0:
        moved[:, 1] = moved[:, 1] * (HEIGHT - _MARGIN / 2) / moved[:, 1].max()
    return moved
