"""What the boxes around each block are called, and which blocks stand in like boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.body.blocks import Blocks, Floats, Ints
from topiccrawl.page.body.cue_words import names_of

if TYPE_CHECKING:
    from topiccrawl.page.outline import Boxes

_REMEMBERED = 0.7  # of a good or bad name for the boxes inside (a guess)


@dataclass(frozen=True, slots=True)
class BoxNames:
    """For each block, shape (blocks,), unless it says otherwise."""

    parents: Ints
    """Shape (boxes,): the box around each, itself for the first."""
    regions: Ints
    """Bits, by the place in :data:`topiccrawl.page.regions.REGIONS`."""
    good: Floats
    """Names of content around it, the outer ones fading."""
    bad: Floats
    """Names of menus, tools and the like, so too."""
    depth: Floats
    """Boxes around it."""
    replies: NDArray[np.bool_]
    """Whether it stands in a box named as a reply or comment."""
    groups: Ints
    """Blocks of one number stand in boxes of like tags and names, all the way up."""
    posts: int
    """Boxes of the page that are named as the parts of a thread."""


def box_names(boxes: Boxes, blocks: Blocks) -> BoxNames:
    """Read the names from the outer boxes to the inner ones; linear."""
    count = len(boxes)
    # A box without text holds no block, nor does any box in it.
    filled = (blocks.last > blocks.first).tolist()
    parents, tags, names = boxes.parents, boxes.tags, boxes.names
    regions, depth, path = [0] * count, [0] * count, [0] * count
    good, bad = [0.0] * count, [0.0] * count
    reply = [False] * count
    paths: dict[tuple[int, str], int] = {}
    posts = 0
    for i in range(1, count):
        if not filled[i]:
            continue
        region, is_good, is_bad, is_reply, is_post, signature = names_of(tags[i], names[i])
        parent = parents[i]
        regions[i] = regions[parent] | region
        good[i] = good[parent] * _REMEMBERED + is_good
        bad[i] = bad[parent] * _REMEMBERED + is_bad
        reply[i] = reply[parent] or is_reply
        depth[i] = depth[parent] + 1
        path[i] = paths.setdefault((path[parent], signature), len(paths) + 1)
        posts += is_post
    at = blocks.boxes
    _, groups = np.unique(np.asarray(path)[at], return_inverse=True)
    return BoxNames(
        parents=np.maximum(np.asarray(parents, np.int64), 0),
        regions=np.asarray(regions)[at],
        good=np.asarray(good)[at],
        bad=np.asarray(bad)[at],
        depth=np.asarray(depth, float)[at],
        replies=np.asarray(reply)[at],
        groups=groups,
        posts=posts,
    )
