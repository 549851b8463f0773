"""Geometry of a spread as a drawing: time to the right, one line for each page, curves from source to copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from topiccrawl.insight.stories.spread_tree import TreeRow

#: Lines of a drawing: more do not fit on a screen (a choice).
MOST_DRAWN: Final = 36
#: Sizes in units of the drawing.
ROW: Final = 22.0
WIDTH: Final = 720.0
_LEFT: Final = 12.0
#: Room for names at the right.
_RIGHT: Final = 190.0
_TOP: Final = 14.0
#: A copy is at least so far to the right of its source.
_STEP: Final = 14.0


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A point of the drawing, and the curve from its source."""

    row: TreeRow
    x: float
    y: float
    path: str
    """Path of an SVG; empty for a root or if the source is not drawn."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes with positions; the axis goes from *start* to *end*."""

    nodes: Sequence[DrawnNode]
    width: float
    height: float
    left: float
    right: float
    start: datetime | None
    end: datetime | None


def spread_drawing(rows: Sequence[TreeRow]) -> Drawing | None:
    """Return the drawing of the first rows of a tree, ``None`` if there is nothing to see.

    A page without a time stands right of its source; one whose clock is before its source's, too.
    """
    shown = rows[:MOST_DRAWN]
    if len(shown) < 2:
        return None
    times = _shown_times(shown)
    known = times.values()
    start, end = (min(known), max(known)) if known else (None, None)
    seconds = (end - start).total_seconds() if start and end else 0.0
    inner = WIDTH - _LEFT - _RIGHT
    places: dict[str, tuple[float, float]] = {}
    nodes = []
    for number, row in enumerate(shown):
        source = places.get(row.edge.source) if row.edge else None
        x = source[0] + _STEP if source else _LEFT
        if start and seconds and row.id in times:
            x = max(x, _LEFT + inner * (times[row.id] - start).total_seconds() / seconds)
        y = _TOP + number * ROW
        places[row.id] = (x, y)
        path = ""
        if source:
            from_x, from_y = source
            bend = min(from_x + 8, x)
            path = (
                f"M{from_x:.1f} {from_y:.1f}V{y - 8:.1f}"
                f"Q{from_x:.1f} {y:.1f} {bend:.1f} {y:.1f}H{x:.1f}"
            )
        nodes.append(DrawnNode(row, round(x, 1), y, path))
    return Drawing(
        nodes,
        WIDTH,
        _TOP + len(shown) * ROW,
        _LEFT,
        WIDTH - _RIGHT,
        start,
        end,
    )


def _shown_times(rows: Sequence[TreeRow]) -> dict[str, datetime]:
    """Return the times at which pages are drawn, by id: never before that of the source."""
    found: dict[str, datetime] = {}
    for row in rows:
        source = found.get(row.edge.source) if row.edge else None
        times = [at for at in (row.published, source) if at]
        if times:
            found[row.id] = max(times)
    return found
