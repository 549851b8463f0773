"""Items: boxes of one sort side by side that have text, such as teasers, posts, or further articles.

A short article followed by a feed of others of the same template differs from them by its place only: it
is the first item or none, it contains the title, and its heading is not a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.windows import prefix_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Floats, Ints
    from topiccrawl.page.outline import Boxes

#: Tags of headings of items and articles.
HEADINGS: Final = ("h1", "h2", "h3", "h4")
#: Fewest blocks of an item: a paragraph is none.
_LEAST: Final = 2
#: Least share of links, and least size, of a block that links to another page by its title (guesses).
_LINKED, _TITLE_SIZE = 0.8, 5.0
#: Blocks at the beginning of an item among which its title is (a guess).
_TOP: Final = 3
#: Items are counted up to this number (a guess).
_MOST_RANK: Final = 5.0
#: Blocks over which the nearest heading above loses its weight (a guess).
_NEAR: Final = 10.0


def in_headings(tags: list[str], blocks: Blocks) -> NDArray[np.bool_]:
    """Return which blocks are headings, shape (blocks,), given the tags of the boxes of the page."""
    return np.asarray([tags[box] in HEADINGS for box in blocks.boxes.tolist()], dtype=np.bool_)


def item_features(
    boxes: Boxes, sorts: list[int], blocks: Blocks, running: Floats, dated: Floats, title: int
) -> dict[str, Floats]:
    """Return the features of the item around each block, and of the headings above it, by name. Linear.

    Of the items around a block, in each other, those with most running text count.

    Parameters
    ----------
    boxes : Boxes
        The boxes of the walked page.
    sorts : list of int
        The sort of each box; see :class:`topiccrawl.page.body.containers.Containers`.
    blocks : Blocks
        The blocks of the same page, at least one.
    running : ndarray of float, shape (blocks,)
        Size of the running text of each block.
    dated : ndarray of float, shape (blocks,)
        1 for each block with a date, else 0.
    title : int
        The first block with the page's title, -1 if there is none.
    """
    heading = in_headings(boxes.tags, blocks)
    links = (blocks.link > _LINKED) & (blocks.size >= _TITLE_SIZE)
    sums = prefix_sums(np.column_stack((running, heading, links, dated)))
    members, numbers = _items_of(sorts, blocks, sums[:, 0])
    columns = np.zeros((len(boxes), 10))
    if len(members):
        columns[members] = _describe(blocks, sums, members, numbers, title)
    around = columns[_largest(boxes, columns[:, -1])[blocks.boxes]]
    total = max(1.0, float(sums[-1, 0]))
    found = {name: around[:, i] for i, name in enumerate(_COLUMNS)}
    found["item before"] /= total
    found["items share"] /= total
    return found | _headings_above(heading, blocks.link, title)


_COLUMNS: Final = (
    "items", "item rank", "item first", "item share", "items headed", "items linked", "items dated",
    "item titled", "item before", "items share",
)  # fmt: skip


def _items_of(sorts: list[int], blocks: Blocks, sums: Floats) -> tuple[Ints, Ints]:
    """Return the boxes that are items, in document order, and the number of the sort of each."""
    text = sums[blocks.last] - sums[blocks.first]
    candidates = np.flatnonzero((blocks.last - blocks.first >= _LEAST) & (text > 0))
    candidates = candidates[candidates > 0]
    numbers = np.asarray(sorts, np.int64)[candidates]
    several = np.bincount(numbers)[numbers] >= _LEAST
    return candidates[several], numbers[several]


def _describe(blocks: Blocks, sums: Floats, members: Ints, sorts: Ints, title: int) -> Floats:
    """Return the columns of all items, shape (items, 10), of which the last one is the text of their sort."""
    count = np.bincount(sorts)
    first, last = blocks.first[members], blocks.last[members]
    inside = sums[last] - sums[first]
    top = sums[np.minimum(first + _TOP, last), 2] > sums[first, 2]
    titled = (first <= title) & (title < last)

    def total(values: Floats | NDArray[np.bool_]) -> Floats:
        return np.bincount(sorts, values)[sorts].astype(float)

    number = count[sorts].astype(float)
    order = np.argsort(sorts, kind="stable")
    starts = np.cumsum(count) - count
    rank = np.empty(len(members))
    rank[order] = np.arange(len(members)) - np.repeat(starts, count)
    text = total(inside[:, 0])
    return np.column_stack(
        (
            np.log1p(number),
            np.minimum(rank, _MOST_RANK) / _MOST_RANK,
            rank == 0,
            inside[:, 0] / text,
            total(inside[:, 1] > 0) / number,
            total(top) / number,
            total(inside[:, 3] > 0) / number,
            np.where(titled, 2.0, total(titled) > 0),
            sums[first, 0],
            text,
        )
    )


def _largest(boxes: Boxes, values: Floats) -> Ints:
    """Return for each box the one of itself and those around it with the largest value, else box 0."""
    best = [0] * len(boxes)
    known, parents = values.tolist(), boxes.parents
    for i in range(1, len(best)):
        above = best[parents[i]]
        best[i] = i if known[i] > known[above] else above
    return np.asarray(best, np.int64)


def _headings_above(heading: NDArray[np.bool_], link: Floats, title: int) -> dict[str, Floats]:
    """Return features of the nearest heading above each block."""
    at = np.arange(len(heading))
    last = np.maximum.accumulate(np.where(heading, at, -1))
    found, row = last >= 0, np.maximum(last, 0)
    count = np.cumsum(heading)
    since = count - count[title] if title >= 0 else count
    return {
        "heading linked": np.where(found, link[row], 0.0),
        "heading near": np.where(found, np.exp(-(at - row) / _NEAR), 0.0),
        "heading title": (found & (row == title)).astype(float),
        "headings since": np.sign(since) * np.log1p(np.abs(since)),
    }
