"""A second look: what the first opinion of all blocks says about each one.

Whether a short line is body depends on what stands around it, and whether a weak candidate is body on
whether the page has a better one.  The first model's probabilities answer both: their values in the
neighbourhood, in the boxes and the group, and against the best of the page.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats
from topiccrawl.page.body.features import PageFeatures
from topiccrawl.page.body.windows import shifted, window

_FLOOR = 1e-3  # of a probability, so that its logit is finite
_ODDS = 0.35  # a box is the body's if it gains more than this share of its text (a guess)


def _mean(values: Floats, weights: Floats, reach: int) -> Floats:
    return window(values * weights, reach) / window(weights, reach)


def _best_of(values: Floats, offsets: range) -> Floats:
    """Largest value among the blocks at the offsets; 0 outside the page."""
    best = np.zeros_like(values)
    for by in offsets:
        best = np.maximum(best, shifted(values, by))
    return best


def context(blocks: Blocks, features: PageFeatures, first: Floats) -> Floats:
    """Columns of shape (blocks, 30) made of the first model's probabilities."""
    n = len(blocks)
    p = np.clip(first, _FLOOR, 1 - _FLOOR)
    logit = np.log(p / (1 - p))
    best = float(p.max())
    columns = [p, logit, p / best, logit - logit.max(), np.full(n, best)]
    ones = np.ones(n)
    for reach in (1, 3, 8):
        columns += [_mean(p, ones, reach), _mean(p, blocks.size, reach)]
    for reach in (2, 6):
        columns += [_best_of(p, range(-reach, 0)), _best_of(p, range(1, reach + 1))]
    mass = np.concatenate(([0.0], np.cumsum(p * blocks.size)))
    size = np.concatenate(([0.0], np.cumsum(blocks.size)))
    total = mass[-1]
    box = blocks.boxes
    for _ in range(5):
        start, end = blocks.first[box], blocks.last[box]
        inside = mass[end] - mass[start]
        columns += [inside / (size[end] - size[start]), inside / total]
        box = features.parents[box]
    gained = (mass[blocks.last] - mass[blocks.first]) - _ODDS * (
        size[blocks.last] - size[blocks.first]
    )
    winner = int(np.argmax(gained))
    at = np.arange(n)
    inside_winner = (at >= blocks.first[winner]) & (at < blocks.last[winner])
    share = (mass[blocks.last[winner]] - mass[blocks.first[winner]]) / total
    columns += [inside_winner.astype(float), np.full(n, share)]
    groups = features.groups
    group_mass, group_size = np.bincount(groups, p * blocks.size), np.bincount(groups, blocks.size)
    columns += [(group_mass / group_size)[groups], (group_mass / total)[groups]]
    columns.append(mass[:-1] / total)
    return np.column_stack(columns)
