"""Context features for the second model: the first model's probabilities around each block.

Whether a short line is body depends on the blocks around it, and whether a weak candidate is body
depends on whether the page has a better one. The features are the first model's probabilities in the
neighborhood, in the boxes and the group, and relative to the best of the page.
"""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats
from topiccrawl.page.body.features import PageFeatures
from topiccrawl.page.body.windows import best_within, prefix_sums, window_sums

# Least probability, so that its logit is finite.
_FLOOR = 1e-3
# A box gains by its probable text less this share of its text; the one that gains most is taken for the
# body's (a guess).
_COST = 0.35


def context_features(blocks: Blocks, features: PageFeatures, first: Floats) -> Floats:
    """Compute the context features of all blocks of a page.

    Parameters
    ----------
    blocks : Blocks
        The blocks, at least one.
    features : PageFeatures
        Their features.
    first : ndarray of float, shape (blocks,)
        The first model's probability of each block to be body, in [0, 1].

    Returns
    -------
    ndarray of float, shape (blocks, 30)
    """
    n = len(blocks)
    p = np.clip(first, _FLOOR, 1 - _FLOOR)
    logit = np.log(p / (1 - p))
    best = float(p.max())
    columns = [p, logit, p / best, logit - logit.max(), np.full(n, best)]
    sums = prefix_sums(np.column_stack((p, np.ones(n), p * blocks.size, blocks.size)))
    for reach in (1, 3, 8):
        near = window_sums(sums, reach)
        columns += [near[:, 0] / near[:, 1], near[:, 2] / near[:, 3]]
    for reach in (2, 6):
        columns += [best_within(p, -reach, -1), best_within(p, 1, reach)]
    mass, size = sums[:, 2], sums[:, 3]
    total = mass[-1]
    box = blocks.boxes
    for _ in range(5):
        start, end = blocks.first[box], blocks.last[box]
        inside = mass[end] - mass[start]
        columns += [inside / (size[end] - size[start]), inside / total]
        box = features.parents[box]
    gained = (mass[blocks.last] - mass[blocks.first]) - _COST * (
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
