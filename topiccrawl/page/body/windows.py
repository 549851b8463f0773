"""Sums and shifts over the blocks before and after each one."""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.blocks import Floats


def shifted(values: Floats, by: int) -> Floats:
    """Return the value of the block ``by`` positions later, 0 outside the page.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,)
        One value per block.
    by : int
        Offset, negative for earlier blocks; not 0.
    """
    moved = np.zeros_like(values)
    if by > 0:
        moved[:-by] = values[by:]
    else:
        moved[-by:] = values[:by]
    return moved


def window_sums(values: Floats, reach: int) -> Floats:
    """Return the sum over the blocks at most ``reach`` positions away from each block.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,)
        One value per block.
    reach : int
        Blocks on each side.
    """
    sums = np.concatenate(([0.0], np.cumsum(values)))
    at = np.arange(len(values))
    return sums[np.minimum(at + reach + 1, len(values))] - sums[np.maximum(at - reach, 0)]
