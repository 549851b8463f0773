"""A table of hashed features that grows without moving its content."""

from __future__ import annotations

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, IdArray

#: 1.5 MB with 24 features, allocated in a millisecond.  Doubling one array of a million links would
#: block the event loop for tens of milliseconds.
BLOCK_ROWS = 1 << 14


class FeatureTable:
    """Rows of up to *width* feature ids by node, filled up with -1; 4 bytes per entry."""

    def __init__(self) -> None:
        self._width = 0
        self._blocks: list[FeatureIdArray] = []

    def reserve(self, size: int, width: int) -> None:
        """Make room for nodes 0 to *size* - 1 and *width* features; new entries are -1."""
        if width > self._width:
            # Once in a crawl: the width is a constant of the code that makes the features.
            wider = [np.full((BLOCK_ROWS, width), -1, dtype=np.int32) for _ in self._blocks]
            for new, old in zip(wider, self._blocks, strict=True):
                new[:, : self._width] = old
            self._blocks, self._width = wider, width
        while self._width and len(self._blocks) * BLOCK_ROWS < size:
            self._blocks.append(np.full((BLOCK_ROWS, self._width), -1, dtype=np.int32))

    def put(self, nodes: IdArray, rows: FeatureIdArray) -> None:
        """Set the rows of *nodes*, which must have been reserved; *rows* has shape (n, k)."""
        block = nodes // BLOCK_ROWS
        for i in np.unique(block).tolist():
            chosen = block == i
            self._blocks[i][nodes[chosen] % BLOCK_ROWS, : rows.shape[1]] = rows[chosen]

    def get(self, nodes: IdArray) -> FeatureIdArray:
        """Return a copy of the rows of *nodes*, shape (n, width)."""
        found = np.full((len(nodes), self._width), -1, dtype=np.int32)
        block = nodes // BLOCK_ROWS
        for i in np.unique(block).tolist() if self._width else ():
            chosen = block == i
            found[chosen] = self._blocks[i][nodes[chosen] % BLOCK_ROWS]
        return found
