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


def prefix_sums(values: Floats) -> Floats:
    """Return the sums over the blocks before each one, and over all.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,) or (blocks, columns)

    Returns
    -------
    ndarray of float, shape (blocks + 1,) or (blocks + 1, columns)
        The sum over the blocks from ``a`` to ``b - 1`` is the difference of rows ``b`` and ``a``.
    """
    return np.concatenate((np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)))


def window_sums(values: Floats, reach: int) -> Floats:
    """Return the sum over the blocks at most ``reach`` positions away from each block.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,)
        One value per block.
    reach : int
        Blocks on each side.
    """
    sums = prefix_sums(values)
    at = np.arange(len(values))
    return sums[np.minimum(at + reach + 1, len(values))] - sums[np.maximum(at - reach, 0)]
