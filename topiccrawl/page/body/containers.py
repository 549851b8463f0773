"""Containers of the blocks: what the class names of the boxes around a block indicate, and which
blocks have the same containers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.body.blocks import Blocks, Floats, Ints
from topiccrawl.page.regions import CACHED_NAMES, CLASS_CHARACTERS, REGIONS, region_by_names

if TYPE_CHECKING:
    from topiccrawl.page.outline import Boxes

# Longest tag with a meaning, and room.
_MAX_TAG = 16
# Share of the score of a good or bad name that is passed on to the boxes inside (a guess).
_INHERITED = 0.7
_GOOD = re.compile(
    r"article|content|detail|zhengwen|(?<![a-z])text|post|entry|message"
    r"|(?<![a-z])(?:t_f|txt|body|story|main|answer|topic|rich)"
)
_BAD = re.compile(
    r"foot|head|nav|menu|side|recommend|related?|share|copyright|tags?(?![a-z])|hot|rank|list|login"
    r"|crumb|(?<![a-z])ad(?:s|vert)?(?![a-z])|banner|tool|widget|sponsor|social|pagination|pager"
    r"|author|meta|info|sign|popup|modal|dialog|qr"
)
_REPLY = re.compile(r"comment|repl(?:y|ies)|pinglun|huifu|liuyan|answer|floor|lzl")
_POST = re.compile(
    r"repl|(?<![a-z])post(?!e)|answer|floor|thread|topic|comment|(?<![a-z])lzl|quote|signature|message"
)
# Many names contain no word of any of them: one search instead of four.
_ANY_CUE = re.compile("|".join(it.pattern for it in (_GOOD, _BAD, _REPLY, _POST)))
_NUMBERS = re.compile(r"[\d_-]+")


class NameCues(NamedTuple):
    """Meaning of the class and id of a box."""

    region: int
    """A bit, by the position in :data:`REGIONS`; 0 for none."""
    good: bool
    """Content: article, text, post ..."""
    bad: bool
    """Parts around it: menus, tools, sharing ..."""
    reply: bool
    """Comments and answers."""
    post: bool
    """Parts of a thread."""
    signature: str
    """Tag and first name without numbers, equal for boxes of one sort."""


def name_cues(tag: str, names: str) -> NameCues:
    """Return what the tag, class and id of a box indicate.

    >>> name_cues("div", "nav-main top").region == 1 << REGIONS.index("nav")
    True
    """
    return _name_cues(tag[:_MAX_TAG], names[:CLASS_CHARACTERS])


@lru_cache(maxsize=CACHED_NAMES)
def _name_cues(tag: str, names: str) -> NameCues:
    region = tag if tag in ("nav", "header", "footer", "aside") else region_by_names(names)[0]
    plain = names.lower()
    first = _NUMBERS.sub("", plain.split(" ", 1)[0])
    bit = 1 << REGIONS.index(region) if region in REGIONS else 0
    if _ANY_CUE.search(plain) is None:
        return NameCues(bit, tag == "article", False, False, False, f"{tag}.{first}")
    return NameCues(
        bit,
        tag == "article" or _GOOD.search(plain) is not None,
        _BAD.search(plain) is not None,
        _REPLY.search(plain) is not None,
        _POST.search(plain) is not None,
        f"{tag}.{first}",
    )


@dataclass(frozen=True, slots=True)
class Containers:
    """Containers of each block; arrays of shape (blocks,) unless stated otherwise."""

    parents: Ints
    """Shape (boxes,): the parent of each box, itself for the first."""
    regions: Ints
    """Bits of the regions around the block, by position in :data:`topiccrawl.page.regions.REGIONS`."""
    good: Floats
    """Score of the names of content around the block, outer ones fading."""
    bad: Floats
    """The same for names of menus, tools and the like."""
    depth: Floats
    """Number of boxes around the block."""
    replies: NDArray[np.bool_]
    """Whether the block is in a box named as a reply or comment."""
    groups: Ints
    """Blocks with the same number are in boxes of the same tags and names, all the way up."""
    sorts: list[int]
    """Number of each box with text: those in the same box with one tag and first name have the same; else 0."""
    posts: int
    """Number of boxes of the page that are named as parts of a thread."""


def containers_of(boxes: Boxes, blocks: Blocks, title: str = "") -> Containers:
    """Return the containers of all blocks of a page. Linear.

    Parameters
    ----------
    boxes : Boxes
        The boxes of the walked page.
    blocks : Blocks
        The blocks of the same page.
    title : str, optional
        Its title: what is around it is no reply, whatever it is named.
    """
    count = len(boxes)
    # A box without text contains no block, and neither does any box in it.
    filled = (blocks.last > blocks.first).tolist()
    parents, tags, names = boxes.parents, boxes.tags, boxes.names
    regions, depth, path = [0] * count, [0] * count, [0] * count
    good, bad = [0.0] * count, [0.0] * count
    reply = [False] * count
    sorts = [0] * count
    numbers: dict[tuple[int, str], int] = {}
    paths: dict[tuple[int, str], int] = {}
    known: dict[tuple[str, str], NameCues] = {}
    posts = 0
    around = _around_title(boxes, blocks, title)
    for i in range(1, count):
        if not filled[i]:
            continue
        key = tags[i], names[i]
        cues = known.get(key)
        if cues is None:
            cues = known[key] = name_cues(*key)
        region, is_good, is_bad, is_reply, is_post, signature = cues
        parent = parents[i]
        regions[i] = regions[parent] | region
        good[i] = good[parent] * _INHERITED + is_good
        bad[i] = bad[parent] * _INHERITED + is_bad
        reply[i] = reply[parent] or (is_reply and i not in around)
        depth[i] = depth[parent] + 1
        path[i] = paths.setdefault((path[parent], signature), len(paths) + 1)
        sorts[i] = numbers.setdefault((parent, signature), len(numbers) + 1)
        posts += is_post
    innermost = blocks.boxes
    groups = _numbered(np.asarray(path)[innermost], len(paths) + 1)
    return Containers(
        parents=np.maximum(np.asarray(parents, np.int64), 0),
        regions=np.asarray(regions)[innermost],
        good=np.asarray(good)[innermost],
        bad=np.asarray(bad)[innermost],
        depth=np.asarray(depth, float)[innermost],
        replies=np.asarray(reply)[innermost],
        groups=groups,
        sorts=sorts,
        posts=posts,
    )


def _around_title(boxes: Boxes, blocks: Blocks, title: str) -> set[int]:
    """Return the boxes around the first block that is the title."""
    around = set[int]()
    if title and title in blocks.texts:
        box = int(blocks.boxes[blocks.texts.index(title)])
        while box > 0:
            around.add(box)
            box = boxes.parents[box]
    return around


def _numbered(values: Ints, count: int) -> Ints:
    """Return the rank of each value among those that occur, of values below ``count``."""
    occurs = np.zeros(count, np.intp)
    occurs[values] = 1
    return (np.cumsum(occurs) - 1)[values]
