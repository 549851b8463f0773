"""Tables and lists: which of them are content in that form, and the cells of a table as a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.page.markdown.nodes import Line, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Most lines of a cell on average, from which the table is one of the layout (a guess).
_LINES = 3.0
#: Most lines of an item on average, from which a list is one of boxes (a guess: a point has a name and a
#: paragraph or two).
_ITEM_LINES = 4.0
#: Most characters of a cell that is not the only one of its row (a guess: cells of remarks have some 300).
_LONG = 1_200
#: Most cells that a table is filled up to: spans could make millions.
MAX_CELLS = 20_000
_INNER = frozenset(("table", "form", "h1", "h2", "h3", "iframe", "article", "nav"))


def rows_of(table: Node) -> list[list[Node]]:
    """Return the cells of a table by rows, empty ones included, without those of inner tables."""
    rows = []
    for row in _find(table, "tr"):
        cells = [x for x in row.children if isinstance(x, Node) and x.tag in ("td", "th")]
        if cells:
            rows.append(cells)
    return rows


def _find(node: Node, tag: str) -> Iterator[Node]:
    for child in node.children:
        if isinstance(child, Node) and child.tag != "table":
            if child.tag == tag:
                yield child
            else:
                yield from _find(child, tag)


def is_data(table: Node) -> bool:
    """Whether a table holds data: two rows and columns or more, in short cells, without boxes in them."""
    rows = rows_of(table)
    if len(rows) < 2 or max(len(row) for row in rows) < 2:
        return False
    cells = [cell for row in rows for cell in row]
    if any(cell.size > _LONG for cell in cells) and not any(c.tag == "th" for c in cells):
        return False
    if any(_has_inner(cell) or _has_code(cell) for cell in cells):
        return False
    lines = sum(_count_lines(cell) for cell in cells)
    filled = sum(1 for cell in cells if cell.size)
    wide = sum(1 for row in rows if len(row) > 1)
    return 2 * wide > len(rows) and filled >= 3 and lines <= _LINES * filled


def is_list(node: Node) -> bool:
    """Whether the items of a list are points of a text: not posts, cards or whole sections."""
    items = [x for x in node.children if isinstance(x, Node) and x.tag == "li" and x.size]
    lines = sum(_own_lines(item) for item in items)
    return lines <= _ITEM_LINES * len(items) and not any(_has_inner(item) for item in items)


def _own_lines(node: Node) -> int:
    return sum(
        1
        if isinstance(child, Line)
        else _own_lines(child)
        if isinstance(child, Node) and child.tag not in ("ul", "ol", "pre")
        else 0
        for child in node.children
    )


def _has_inner(node: Node) -> bool:
    return any(
        isinstance(child, Node) and (child.tag in _INNER or _has_inner(child))
        for child in node.children
    )


def _has_code(node: Node) -> bool:
    return any(
        isinstance(child, Node) and (child.tag == "pre" or _has_code(child))
        for child in node.children
    )


def _count_lines(node: Node) -> int:
    return sum(
        1 if isinstance(child, Line) else _count_lines(child) if isinstance(child, Node) else 0
        for child in node.children
    )


def grid_of(table: Node) -> list[list[Node | None]]:
    """Return the cells of a table on their grid; ``None`` where a cell covers more than one place.

    The cell stands at its first place. All rows have the same length.
    """
    rows = rows_of(table)
    taken: set[tuple[int, int]] = set()
    grid: list[dict[int, Node]] = []
    width = 0
    for r, row in enumerate(rows):
        places: dict[int, Node] = {}
        column = 0
        for cell in row:
            while (r, column) in taken:
                column += 1
            places[column] = cell
            columns, down = cell.span
            down = min(down, len(rows) - r)
            if len(taken) + columns * down <= MAX_CELLS:
                taken.update((r + i, column + j) for i in range(down) for j in range(columns))
            column += columns
        width = max(width, column)
        grid.append(places)
    width = min(width, max(1, MAX_CELLS // max(1, len(grid))))
    return [[places.get(column) for column in range(width)] for places in grid]
