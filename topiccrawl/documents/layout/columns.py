"""The order in which the lines of a page are read: columns, rows of tables, vertical writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from topiccrawl.documents.layout.lines import Line, rows_of

#: Gap between two cells of a row, or two columns, in characters (a guess).
_GAP: Final = 0.9
#: Fewest characters per line of a column of text, in the mean: cells of tables have less (a guess).
_COLUMN_CHARS: Final = 9
#: Distance of two lines of a column relative to their size, at most (a guess).
_DENSE: Final = 2.5
#: Most places that are tried between two columns (a choice).
_MAX_EDGES: Final = 100
#: Fewest lines of a column (a guess).
_COLUMN_LINES: Final = 4


def reading_order(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the blocks of a page in reading order: what spans the columns, and each column.

    Rows of tables stay together: only columns of running text are read one after the other.
    """
    if not lines:
        return
    if _is_vertical(lines):
        yield _vertical(lines)
        return
    rows = sorted(lines, key=lambda line: -line.middle)
    gutter = _gutter(rows)
    if gutter is None:
        yield _joined_rows(rows)
        return
    left: list[Line] = []
    right: list[Line] = []
    for line in rows:
        if line.x0 < gutter < line.x1:
            for column in (left, right):
                yield from reading_order(column)
            left, right = [], []
            yield [line]
        else:
            (left if line.x1 <= gutter else right).append(line)
    for column in (left, right):
        yield from reading_order(column)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Return the position between two columns of running text, ``None`` if there is one column."""
    if len(lines) < 2 * _COLUMN_LINES:
        return None
    if sum(len(line.text) for line in lines) < 0.7 * _COLUMN_CHARS * len(lines):
        return None  # a table
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    size = median(line.size for line in lines)
    best: tuple[int, float] | None = None
    edges = sorted({round(line.x1) for line in lines if x0 + 0.25 * (x1 - x0) < line.x1 < x1 - 8})
    for edge in edges[:: len(edges) // _MAX_EDGES + 1]:
        after = [line.x0 for line in lines if line.x0 >= edge]
        if not after or min(after) - edge < _GAP * size:
            continue
        gutter = (edge + min(after)) / 2
        crossing = sum(1 for line in lines if line.x0 < gutter < line.x1)
        if best is None or crossing < best[0]:
            best = crossing, gutter
    if best is None or best[0] > 0.2 * len(lines):
        return None
    gutter = best[1]
    sides = (
        [line for line in lines if line.x1 <= gutter],
        [line for line in lines if line.x0 >= gutter],
    )
    return gutter if all(map(_is_text, sides)) else None


def _is_text(side: Sequence[Line]) -> bool:
    """Whether the lines are a column of running text, or several."""
    if len(side) < _COLUMN_LINES:
        return False
    if sum(len(line.text) for line in side) / len(side) < _COLUMN_CHARS:
        return False
    steps = [a.middle - b.middle for a, b in pairwise(sorted(side, key=lambda x: -x.middle))]
    if median(steps) > _DENSE * median(line.size for line in side):
        return False  # a column of a table, beside cells of several lines
    width = max(line.x1 for line in side) - min(line.x0 for line in side)
    full = sum(1 for line in side if line.x1 - line.x0 > 0.8 * width)
    return full >= 0.5 * len(side) or _gutter(side) is not None


def _joined_rows(lines: Sequence[Line]) -> list[Line]:
    """Join the pieces of each row from left to right, with a tab between cells."""
    found = []
    for positions in rows_of(lines):
        row = sorted((lines[at] for at in positions), key=lambda line: line.x0)
        whole = row[0]
        for line in row[1:]:
            gap = line.x0 - whole.x1
            wide = gap > _GAP * max(whole.size, line.size)
            mark = "\t" if wide else (" " if gap > 0.15 * line.size else "")
            whole = Line(
                whole.text.rstrip(" ") + mark + line.text.lstrip(" "),
                whole.x0,
                max(whole.x1, line.x1),
                min(whole.y0, line.y0),
                max(whole.y1, line.y1),
                max(whole.size, line.size),
            )
        found.append(whole)
    return found


def _is_vertical(lines: Sequence[Line]) -> bool:
    """Whether the page is written from top to bottom, in lines from right to left."""
    tall = [line for line in lines if line.y1 - line.y0 > 2.5 * max(1.0, line.x1 - line.x0)]
    if sum(len(line.text) for line in tall) > 0.6 * sum(len(line.text) for line in lines):
        return True
    single = [line for line in lines if len(line.text.strip()) == 1]
    if len(single) < 20 or len(single) < 0.7 * len(lines):
        return False
    # Stacked: the next one is below at the same place.
    stacked = sum(
        1
        for a, b in pairwise(single)
        if abs((a.x0 + a.x1) - (b.x0 + b.x1)) < a.size and 0 < a.middle - b.middle < 3 * a.size
    )
    return stacked > 0.6 * len(single)


def _vertical(lines: Sequence[Line]) -> list[Line]:
    size = median(line.size for line in lines)
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -(line.x0 + line.x1)):
        if columns and abs(columns[-1][0].x0 + columns[-1][0].x1 - line.x0 - line.x1) < size:
            columns[-1].append(line)
        else:
            columns.append([line])
    found = []
    top = max(line.y1 for line in lines)
    bottom = min(line.y0 for line in lines)
    for number, column in enumerate(columns):
        column.sort(key=lambda line: -line.y1)
        text = "".join(line.text.strip() for line in column)
        # As if the page were turned: the line runs from the top to the bottom.
        start, end = top - column[0].y1, top - column[-1].y0
        y = -number * 2 * size
        found.append(Line(text, start, min(end, top - bottom), y, y + size, size))
    return found
