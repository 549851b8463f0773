"""The text of a page as blocks: one for each line, with what can be counted in it.

A block is the text between two block borders (a paragraph, a table cell, an item, what stands between
two ``<br>``).  All counts are prefix sums over the page's one text, so a page costs a few passes of
numpy however many blocks it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.outline import hidden_spans

if TYPE_CHECKING:
    from topiccrawl.page.outline import Outline

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_BLOCKS = 30_000
"""Blocks that are looked at, the first ones (a guess: books on one page have some thousands)."""
LATIN_SHARE = 1 / 3
"""What a character outside the Han script counts for: a Chinese character says about as much as
three letters (a guess near the ratio of the two scripts' text lengths)."""

_LOW = (1 << 32) - 1
_PUNCTUATION_MARKS = "，。；！？：、,;!?…“”「」『』"
_SENTENCE_MARKS = "。！？!?；;…"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of a page in document order; all arrays of shape (n,)."""

    texts: list[str]
    """Spaces joined, never empty."""
    starts: Ints
    """Offsets in the outline's text."""
    boxes: Ints
    """The innermost box each stands in."""
    first: Ints
    """Shape (boxes,): the first block of each box ..."""
    last: Ints
    """... and the one after its last, so that a box's sums are differences of prefix sums."""
    size: Floats
    """Characters, those outside the Han script counted as :data:`LATIN_SHARE`; at least 1/3."""
    link: Floats
    """Share of its characters in links."""
    punctuation: Floats
    """Number of punctuation marks."""
    sentences: Floats
    """Number of marks that end a sentence."""
    han: Floats
    """Share of Han characters."""
    digits: Floats
    """Share of digits."""

    def __len__(self) -> int:
        return len(self.texts)


@cache
def _classes() -> tuple[Ints, Ints, Ints]:
    """Counts of each character of the basic plane, two classes in one number of 32 bits each.

    (space, Han), (punctuation, sentence end), (digit, 0).  Characters above the plane, which are
    looked up as surrogates, count as Han.
    """
    one, other = np.int64(1), np.int64(1) << 32
    first, second, third = (np.zeros(0x10000, np.int64) for _ in range(3))
    for character in range(0x10000):
        if chr(character).isspace():
            first[character] += one
        elif chr(character).isdigit():
            third[character] += one
    for start, end in ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x3040, 0x30FF), (0xD800, 0xDFFF)):
        first[start : end + 1] += other
    for mark in _PUNCTUATION_MARKS:
        second[ord(mark)] += one
    for mark in _SENTENCE_MARKS:
        second[ord(mark)] += other
    return first, second, third


def _prefix(values: NDArray[np.bool_] | Ints) -> Ints:
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _covered(length: int, spans: list[tuple[int, int]]) -> Ints:
    """Prefix sums of "this character lies in one of the spans"."""
    edges = np.zeros(length + 1, np.int64)
    if spans:
        pairs = np.asarray(spans, np.int64)
        np.add.at(edges, pairs[:, 0], 1)
        np.add.at(edges, pairs[:, 1], -1)
    return _prefix(np.cumsum(edges[:length]) > 0)


def blocks_of(outline: Outline) -> Blocks:
    """Cut the text of a page into blocks; hidden and empty ones are left out. Linear."""
    text = outline.text
    # Lone surrogates cannot come from a decoder, but a caller's own text may hold them.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    found = np.where(codes > 0xFFFF, 0xDFFF, codes)
    first, second, third = (_prefix(table[found]) for table in _classes())
    breaks = np.flatnonzero(codes == 10)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [len(codes)]))
    # A number below 2**32 in each half, so that the halves of a difference do not meet.
    scripts, marks, digits = (x[ends] - x[starts] for x in (first, second, third))
    shown = ends - starts - (scripts & _LOW)
    hidden = _covered(len(codes), hidden_spans(outline))
    kept = (shown > 0) & (2 * (hidden[ends] - hidden[starts]) <= ends - starts)
    where = np.flatnonzero(kept)[:MAX_BLOCKS]
    texts = [" ".join(text[starts[i] : ends[i]].split()) for i in where]
    starts, ends, shown = starts[where], ends[where], shown[where].astype(float)
    han = (scripts[where] >> 32).astype(float)
    linked = _covered(len(codes), outline.anchors)
    link = (linked[ends] - linked[starts]) / np.maximum(1, ends - starts)
    boxes = outline.boxes
    innermost = _innermost(starts.tolist(), boxes.starts, boxes.ends, boxes.parents)
    return Blocks(
        texts=texts,
        starts=starts,
        boxes=np.asarray(innermost, np.int64),
        first=np.searchsorted(starts, boxes.starts),
        last=np.searchsorted(starts, boxes.ends),
        size=han + (shown - han) * LATIN_SHARE,
        link=np.minimum(1.0, link),
        punctuation=(marks[where] & _LOW).astype(float),
        sentences=(marks[where] >> 32).astype(float),
        han=han / np.maximum(1, shown),
        digits=digits[where] / np.maximum(1, shown),
    )


def _innermost(
    starts: list[int], box_starts: list[int], box_ends: list[int], parents: list[int]
) -> list[int]:
    found = []
    at, box, boxes = 1, 0, len(box_starts)
    for start in starts:
        while at < boxes and box_starts[at] <= start:
            box = at
            at += 1
        while box > 0 and box_ends[box] <= start:
            box = parents[box]
        found.append(box)
    return found
