"""A table of hashed features that grows without moving what it holds."""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import IdArray, SlotArray

BLOCK_ROWS = 1 << 14
"""1.5 MB with 24 features: made in a millisecond, where doubling one array of a million links would
stop the event loop for tens of them."""


class SlotTable:
    """Rows of up to *width* features by node, -1 where a row ends; 4 bytes for each place."""

    def __init__(self) -> None:
        self._width = 0
        self._blocks: list[SlotArray] = []

    @property
    def nbytes(self) -> int:
        """Bytes reserved."""
        return sum(block.nbytes for block in self._blocks)

    def reserve(self, size: int, width: int) -> None:
        """Make room for nodes 0 to *size* - 1 and *width* features; new places hold -1."""
        if width > self._width:
            # Once in a crawl: the width is a constant of who makes the features.
            wider = [np.full((BLOCK_ROWS, width), -1, dtype=np.int32) for _ in self._blocks]
            for new, old in zip(wider, self._blocks, strict=True):
                new[:, : self._width] = old
            self._blocks, self._width = wider, width
        while self._width and len(self._blocks) * BLOCK_ROWS < size:
            self._blocks.append(np.full((BLOCK_ROWS, self._width), -1, dtype=np.int32))

    def put(self, nodes: IdArray, rows: SlotArray) -> None:
        """Set the rows of *nodes*, which there is room for; *rows* is of shape (n, k)."""
        block = nodes // BLOCK_ROWS
        for i in np.unique(block).tolist():
            mine = block == i
            self._blocks[i][nodes[mine] % BLOCK_ROWS, : rows.shape[1]] = rows[mine]

    def get(self, nodes: IdArray) -> SlotArray:
        """The rows of *nodes*, shape (n, width), a copy."""
        found = np.full((len(nodes), self._width), -1, dtype=np.int32)
        block = nodes // BLOCK_ROWS
        for i in np.unique(block).tolist() if self._width else ():
            mine = block == i
            found[mine] = self._blocks[i][nodes[mine] % BLOCK_ROWS]
        return found
