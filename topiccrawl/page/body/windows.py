"""Sums and shifts over the blocks before and after each one."""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.blocks import Floats


def shifted(values: Floats, by: int) -> Floats:
    """Values of the block *by* places on (back if negative; not 0); 0 outside the page."""
    moved = np.zeros_like(values)
    if by > 0:
        moved[:-by] = values[by:]
    else:
        moved[-by:] = values[:by]
    return moved


def window(values: Floats, reach: int) -> Floats:
    """Sums over the blocks up to *reach* places away."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    at = np.arange(len(values))
    return sums[np.minimum(at + reach + 1, len(values))] - sums[np.maximum(at - reach, 0)]
