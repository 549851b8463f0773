"""Sums and shifts over the blocks before and after each one."""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.blocks import Floats


def shifted(values: Floats, by: int) -> Floats:
    """Return the value of the block ``by`` positions later, 0 outside the page.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,) or (blocks, columns)
        One value or row per block.
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
    sums = np.zeros((len(values) + 1, *values.shape[1:]))
    np.add.accumulate(values, axis=0, out=sums[1:])
    return sums


def window_sums(sums: Floats, reach: int) -> Floats:
    """Return the sums over the blocks at most ``reach`` positions away from each block.

    Parameters
    ----------
    sums : ndarray of float, shape (blocks + 1,) or (blocks + 1, columns)
        As :func:`prefix_sums` returns them.
    reach : int
        Blocks on each side.

    Returns
    -------
    ndarray of float, shape (blocks,) or (blocks, columns)
    """
    # Slices of longer sums are several times as fast as rows by number.
    first, last = np.repeat(sums[:1], reach, axis=0), np.repeat(sums[-1:], reach, axis=0)
    around = np.concatenate((first, sums, last))
    return around[2 * reach + 1 :] - around[: len(sums) - 1]


def best_within(values: Floats, first: int, last: int) -> Floats:
    """Return the largest of 0 and the values of the blocks ``first`` to ``last`` positions later.

    Parameters
    ----------
    values : ndarray of float, shape (blocks,)
        One value per block.
    first, last : int
        Offsets, negative for earlier blocks; ``first <= last``.
    """
    n, margin = len(values), max(-first, last, 0)
    padded = np.zeros(n + 2 * margin)
    padded[margin : margin + n] = values
    best = np.zeros(n)
    for by in range(margin + first, margin + last + 1):
        np.maximum(best, padded[by : by + n], out=best)
    return best
