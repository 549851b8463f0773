"""Repeated records of a page: posts, comments, reviews, each with a name, a time or the like, and some text.

Records are found without the meaning of class names.  Lines with the same place in the tree of tags that have text
between them are the heads or feet of records; the place of a line is the path of tags and first names above it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.containers import name_cues

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.features import Flags
    from topiccrawl.page.outline import Boxes

#: Most columns of a table that are told apart (a guess).
_MOST_COLUMNS: Final = 9
#: Boxes above a box among which one of its sort is that of the reply that it answers (a guess: replies have a list or
#: two around them).
_REACH: Final = 4
#: Boxes that contain others of their sort as replies do, though they have no names.
_NESTED: Final = frozenset(("li.", "dl.", "blockquote.", "article."))
#: Least share of different texts among the lines at the heads of records: buttons are all alike (a guess).
_DIFFERENT: Final = 0.4
#: Longest name (a guess: most user names of forums have up to 8 Han characters).
_NAME: Final = 16
#: Ends of labels in tables of one letter, order or post, which are no names of members.
_FIELD: Final = re.compile(
    r"(?:时间|時間|日期|标题|標題|主题|主題|内容|內容|单位|單位|部门|部門|状态|狀態|编号|編號|类型|類型|类别|類別|结果|結果)\s*[:：]?$"
)
#: Share of records whose box has text from which the boxes are the records (a guess).
_BOXED: Final = 0.6
#: Most blocks of a single record without a box (a guess).
_SINGLE: Final = 6


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a page; arrays of shape (records,)."""

    first: NDArray[np.intp]
    """The first block of each."""
    last: NDArray[np.intp]
    """The block after the last one of each."""

    def __len__(self) -> int:
        return len(self.first)

    def inside(self, sums: Floats) -> Floats:
        """Return the sums of blocks in each record, given those before each block."""
        return np.asarray(sums[self.last] - sums[self.first])


def places_of(boxes: Boxes, blocks: Blocks) -> list[int]:
    """Return a number for the place of each block: equal for lines of posts, also of those that answer each other.

    Boxes of one sort in each other have one path, and cells that of their column.
    """
    parents, tags, names = boxes.parents, boxes.tags, boxes.names
    path = [0] * len(boxes)
    columns: dict[int, int] = {}
    signatures: dict[tuple[str, str], str] = {}
    numbers: dict[tuple[int, str], int] = {}
    above, last = [0], [""]
    for i in np.flatnonzero(blocks.last > blocks.first).tolist():
        if i == 0:
            continue
        parent, tag = parents[i], tags[i]
        if tag in ("td", "th"):
            column = columns[parent] = columns.get(parent, 0) + 1
            signature = f"td{min(column, _MOST_COLUMNS)}"
        else:
            named = tag, names[i]
            signature = signatures.get(named, "")
            if not signature:
                signature = signatures[named] = name_cues(*named).signature
        key = path[parent], signature
        number = numbers.get(key)
        if number is None:
            number = _answered(key[0], signature, above, last)
            if number == 0:
                number = len(above)
                above.append(key[0])
                last.append(signature)
            numbers[key] = number
        path[i] = number
    return [path[box] for box in blocks.boxes.tolist()]


def _answered(at: int, signature: str, above: list[int], last: list[str]) -> int:
    """Return the path of the same sort around a box inside of another one, 0 if there is none."""
    if signature[-1] == "." and signature not in _NESTED:
        return 0
    for _ in range(_REACH):
        at = above[at]
        if last[at] == signature:
            return at
    return 0


def may_be_names(blocks: Blocks) -> Flags:
    """Return which blocks may be the name of a member by their text, shape (blocks,)."""
    short = np.asarray([2 <= len(it) <= _NAME and not _FIELD.search(it) for it in blocks.texts])
    return np.asarray(short & (blocks.punctuation == 0))


def records_of(
    boxes: Boxes,
    blocks: Blocks,
    places: list[int],
    head: Flags,
    dated: Flags,
    named: Flags,
    sums: Floats,
) -> Records | None:
    """Return the records that have most text, None if there are none. A single one has a time.

    Parameters
    ----------
    boxes, blocks
        Boxes and blocks of a page.
    places : list of int
        As :func:`places_of` returns them.
    head : ndarray of bool, shape (blocks,)
        The short lines, of which some stand at the beginnings or ends of records.
    dated : ndarray of bool, shape (blocks,)
        The lines with a time.
    named : ndarray of bool, shape (blocks,)
        As :func:`may_be_names` returns them.
    sums : ndarray of float, shape (blocks + 1,)
        Sizes of the text before each block.
    """
    # Where posts have no boxes, all lines have one place, but one of each post has a time.
    lines: dict[tuple[int, bool], list[int]] = {}
    for i in np.flatnonzero(head).tolist():
        lines.setdefault((places[i], bool(dated[i])), []).append(i)
    before = sums.tolist()
    best, most = list[int](), 0.0
    for some in lines.values():
        value, members = _value(some, blocks.texts, before, dated, named)
        if value > most:
            best, most = members, value
    if not best:
        best = np.flatnonzero(dated & head & (sums[:-1] > 0)).tolist()[-1:]
    return _ranges(best, boxes, blocks, before) if best else None


def _value(
    some: list[int], texts: list[str], before: list[float], dated: Flags, named: Flags
) -> tuple[float, list[int]]:
    """Return how much of the text is between lines of one place, and the first one above each piece of it."""
    if len(some) < 2 or before[some[-1]] == before[some[0]]:
        return 0.0, some
    members = some[:1]
    for i in some[1:]:
        # Several lines of one record count once.
        if before[i] > before[members[-1]]:
            members.append(i)
        elif before[i] == 0:
            # The head of a table is none of its rows.
            members[-1] = i
    different = len({texts[i] for i in members}) / len(members)
    if different < _DIFFERENT:
        return 0.0, members
    pieces = [before[b] - before[a] for a, b in pairwise(members)]
    # What follows the last line may be something else.
    inside = sum(pieces) + min(before[-1] - before[members[-1]], 2 * max(pieces) + 20)
    certain = max(float(dated[members].mean()), 0.8 * float(named[members].mean()))
    value = inside * (0.3 + 0.7 * certain) * different * min(1.0, 0.5 + 0.1 * len(members))
    return value, members


def _ranges(lines: list[int], boxes: Boxes, blocks: Blocks, before: list[float]) -> Records:
    """Return the largest boxes around each line that contain no other one, or else what follows each line."""
    parents = boxes.parents
    first, last = blocks.first.tolist(), blocks.last.tolist()
    ranges = list[tuple[int, int]]()
    above, boxed = -1, 0
    for line, below in zip(lines, (*lines[1:], len(blocks)), strict=True):
        box, found = int(blocks.boxes[line]), (line, line)
        while box > 0 and above < first[box] and last[box] <= below:
            # A single record has the text that it answers above it.
            if len(lines) == 1 and before[first[box]] == 0:
                break
            found = (first[box], last[box])
            box = parents[box]
        boxed += before[found[1]] > before[found[0]]
        ranges.append(found if found[1] > line else (line, below))
        above = line
    if boxed < _BOXED * len(lines):
        end = int(last[box]) if box > 0 else len(blocks)
        longest = max((b - a for a, b in pairwise(lines)), default=_SINGLE // 2)
        end = min(end, lines[-1] + 2 * longest)
        ranges = [*pairwise(lines), (lines[-1], max(end, lines[-1] + 1))]
    starts, ends = np.asarray(ranges, np.intp).T
    return Records(starts, ends)
