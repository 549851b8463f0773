"""A table of data close below the text belongs to it as a whole: its cells are short and improbable by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.cue_words import is_section_break
from topiccrawl.page.body.text_above import TextAbove

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Ints

_CELLS: Final = ("td", "th")
#: Fewest blocks, and fewest rows, of a table of data.
_LEAST_BLOCKS, _LEAST_ROWS = 4, 2
#: Least share of its rows with two blocks or more, and of its blocks that are directly in cells (guesses: the cells of
#: a layout contain boxes).
_WIDE, _IN_CELLS = 0.5, 0.8
#: Most share of links, and largest median size of its blocks, in Han characters (guesses: others are menus, layouts).
_LINKED, _MOST_SIZE = 0.3, 30.0
#: Share of a table above the text from which all of it is body, and most of the body that such a table has (guesses).
_MOSTLY, _MOST_OF_BODY = 0.5, 0.5
#: Most blocks between the text and the table (a guess: a caption, a unit).
_MOST_BETWEEN: Final = 2


def with_tables(
    tags: list[str], blocks: Blocks, parents: Ints, body: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the body with the tables of data close below its lines, whole. Linear.

    A table with a line that begins a part after the article, such as 相关链接, above or in its first cell is
    none of the text.

    Parameters
    ----------
    tags : list of str, shape (boxes,)
        The tags of the boxes of the page.
    blocks : Blocks
        Its blocks, at least one.
    parents : ndarray of int, shape (boxes,)
        The parent of each box, itself for the first.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    if "table" not in tags:
        return body
    above = TextAbove(blocks, parents, body, _MOST_BETWEEN)
    for table in _tables_of_data(tags, blocks, parents):
        first, end = int(blocks.first[table]), int(blocks.last[table])
        last = above.find(first, table)
        if last is None:
            # Half of an info box is worse than all of it; a table with most of the text is a layout.
            inside = blocks.size[first:end] @ body[first:end]
            is_box = inside < _MOST_OF_BODY * (blocks.size @ body)
            if is_box and inside >= _MOSTLY * blocks.size[first:end].sum():
                above.add(first, end)
            continue
        if not any(is_section_break([it.lower() for it in blocks.texts[last + 1 : first + 1]])):
            above.add(first, end)
    return above.body


def _tables_of_data(tags: list[str], blocks: Blocks, parents: Ints) -> list[int]:
    """Return the boxes of the tables of data, in document order: with rows of short cells, without links."""
    around = [0] * len(tags)
    wide: dict[int, list[bool]] = {}
    nested = set()
    for i, (tag, parent) in enumerate(zip(tags, parents.tolist(), strict=True)):
        around[i] = i if tag == "table" else around[parent]
        if tag == "table":
            nested.add(around[parent])
            wide[i] = []
        elif tag == "tr" and around[i] and blocks.last[i] > blocks.first[i]:
            wide[around[i]].append(bool(blocks.last[i] - blocks.first[i] >= 2))
    is_cell = np.asarray([tag in _CELLS for tag in tags])
    in_cell = is_cell[blocks.boxes] | is_cell[parents[blocks.boxes]]
    found = []
    for table, rows in wide.items():
        inside = slice(int(blocks.first[table]), int(blocks.last[table]))
        if table in nested or len(rows) < _LEAST_ROWS or sum(rows) < _WIDE * len(rows):
            continue
        size = blocks.size[inside]
        if len(size) < _LEAST_BLOCKS or np.median(size) > _MOST_SIZE:
            continue
        linked = float(blocks.link[inside] @ size) > _LINKED * float(size.sum())
        if not linked and in_cell[inside].mean() >= _IN_CELLS:
            found.append(table)
    return found
