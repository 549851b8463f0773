"""Where the running text of a page begins, and in which of the boxes around that each line above it stands.

A headline is in the box of its article, often as the first line of it; menus, the name of the site and its
slogan are in boxes further out, whatever their names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from topiccrawl.page.landmarks import find_text_start, running_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import Boxes, Outline

#: Least share that a group of paragraphs has of the text of the largest one to be the beginning of the running text: an
#: offer or a notice above the headline has less (a guess).
_LEAST_SHARE: Final = 0.25


def places_of(outline: Outline, lines: Sequence[str]) -> list[int]:
    """Return where each line begins in the text of the outline, or where the one before it does if it is not there.

    Parameters
    ----------
    outline : Outline
        The walked page.
    lines : sequence of str
        Its first visible lines.

    >>> from topiccrawl.page.outline import Outline
    >>> places_of(Outline("首页\\n某  事\\n来源"), ["首页", "某 事", "别的", "来源"])
    [0, 3, 3, 8]
    """
    text = outline.text
    found = []
    at = end = 0
    for line in lines:
        word = line.partition(" ")[0]
        place = text.find(word, end)
        if place >= 0:
            at, end = place, place + len(word)
        found.append(at)
    return found


def levels_above(boxes: Boxes, places: Sequence[int], start: int) -> list[int]:
    """Return how many boxes around the beginning of the running text each line above it is in.

    Parameters
    ----------
    boxes : Boxes
        Boxes of the page.
    places : sequence of int
        Where the lines begin, in order.
    start : int
        Number of the line with which the running text begins.
    """
    box = _box_at(boxes, places[start])
    around = []
    while box > 0:
        around.append(boxes.starts[box])
        box = boxes.parents[box]
    around.reverse()
    return [bisect_right(around, place) for place in places[:start]]


def text_start(boxes: Boxes, lines: Sequence[str], places: Sequence[int]) -> int | None:
    """Return the number of the first line of the running text, ``None`` if there is none.

    Paragraphs in one box belong together; one that stands alone above larger groups, a notice or a long headline
    for example, is not the beginning of the text.

    Parameters
    ----------
    boxes : Boxes
        Boxes of the page.
    lines : sequence of str
        Its visible lines.
    places : sequence of int
        Where the first of them begin; the others are not looked at if two of these are running text.
    """
    running = list(running_lines(lines[: len(places)]))
    if len(running) < 2:
        return find_text_start(lines)
    parents = [boxes.parents[_box_at(boxes, places[number])] for number in running]
    together = Counter(parents)
    # Paragraphs with a box around each are compared by the box around these.
    groups = [box if together[box] > 1 or box <= 0 else boxes.parents[box] for box in parents]
    sizes: Counter[int] = Counter()
    for group, number in zip(groups, running, strict=True):
        sizes[group] += len(lines[number])
    least = _LEAST_SHARE * max(sizes.values())
    return next(it for group, it in zip(groups, running, strict=True) if sizes[group] >= least)


def _box_at(boxes: Boxes, place: int) -> int:
    """Return the innermost box around a place in the text."""
    box = bisect_right(boxes.starts, place) - 1
    while box > 0 and boxes.ends[box] <= place:
        box = boxes.parents[box]
    return box
