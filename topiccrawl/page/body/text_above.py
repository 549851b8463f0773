"""The text above a part that may belong to it: a table, the link to an attachment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Ints

#: Levels above the box of a part in which the text must be (a guess: one or two boxes around a table; a link in a
#: paragraph or list item, and one box around each).
_LEVELS: Final = 3


class TextAbove:
    """The body of a page, to which parts close below its lines are added in document order.

    Parameters
    ----------
    blocks : Blocks
        The blocks of the page, at least one.
    parents : ndarray of int, shape (boxes,)
        The parent of each box, itself for the first.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.
    most_between : int
        Most blocks between the text and a part.
    """

    def __init__(
        self, blocks: Blocks, parents: Ints, body: NDArray[np.bool_], most_between: int
    ) -> None:
        self.body = body.copy()
        self._blocks, self._parents, self._most_between = blocks, parents, most_between
        self._previous = np.maximum.accumulate(np.where(body, np.arange(len(blocks)), -1))
        self._last = -1

    def find(self, first: int, box: int) -> int | None:
        """Return the block of the text close above the part in ``box`` that begins at block ``first``, or None."""
        if first < 1:
            return None
        above = max(self._last, int(self._previous[first - 1]))
        for _ in range(_LEVELS):
            box = int(self._parents[box])
        near = first - 1 - self._most_between <= above < first
        return above if above >= 0 and near and above >= int(self._blocks.first[box]) else None

    def add(self, first: int, end: int) -> None:
        """Add the blocks from ``first`` to before ``end`` to the text."""
        self.body[first:end] = True
        self._last = end - 1
