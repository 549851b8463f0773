"""The blocks of a page and their counts.

A block is the text between two block borders: a paragraph, a table cell, a list item, the text between
two ``<br>``. All counts are differences of prefix sums over the page's text, so a page costs a few
passes of numpy however many blocks it has.
"""

from __future__ import annotations

import re
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

#: Only the first blocks of a page are used (a guess: books on one page have some thousands).
MAX_BLOCKS = 30_000
#: Weight of a character outside the Han script: a Chinese character carries about as much as three
#: letters (a guess near the ratio of the two scripts' text lengths).
LATIN_SHARE = 1 / 3

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff]")
# A block has fewer characters than fit into so many bits.
_WIDTH = 21
_LOW = (1 << _WIDTH) - 1
_PUNCTUATION_MARKS = "，。；！？：、,;!?…“”「」『』"
_SENTENCE_MARKS = "。！？!?；;…"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of a page in document order; arrays of shape (blocks,) unless stated otherwise."""

    texts: list[str]
    """Texts with white space collapsed, never empty."""
    starts: Ints
    """Offsets in the outline's text."""
    boxes: Ints
    """The innermost box around each block."""
    first: Ints
    """Shape (boxes,): the first block of each box."""
    last: Ints
    """Shape (boxes,): the block after the last one of each box."""
    size: Floats
    """Characters, those outside the Han script counted as :data:`LATIN_SHARE`; at least 1/3."""
    link: Floats
    """Share of characters in links."""
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
def _classes() -> tuple[NDArray[np.uint8], Ints]:
    """Return the class of each character of the basic plane, and what a character of each class counts.

    A class is a set of bits: space, Han, punctuation, end of a sentence, digit. The counts have the shape (2,
    classes); each entry holds several bits in 21 bits each: (space, Han, punctuation), (sentence end, digit).
    A small table stays in the cache of the processor. Characters beyond the plane, which are looked up as
    surrogates, count as Han.
    """
    classes = np.zeros(0x10000, np.uint8)
    for character in range(0x10000):
        classes[character] = chr(character).isspace() | chr(character).isdigit() << 4
    for start, end in ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x3040, 0x30FF), (0xD800, 0xDFFF)):
        classes[start : end + 1] |= 2
    for mark in _PUNCTUATION_MARKS:
        classes[ord(mark)] |= 4
    for mark in _SENTENCE_MARKS:
        classes[ord(mark)] |= 8
    bits = np.arange(32)[:, None] >> np.arange(5) & 1
    return classes, np.stack((_packed(bits[:, :3]), _packed(bits[:, 3:])))


def _packed(bits: Ints) -> Ints:
    return np.asarray((bits << _WIDTH * np.arange(bits.shape[1])).sum(axis=1), np.int64)


def han_length(text: str) -> float:
    """Return the length of a text as that of a block: a third for characters outside Han."""
    han = len(_HAN.findall(text))
    return han + (len("".join(text.split())) - han) * LATIN_SHARE


def _prefix(values: NDArray[np.bool_] | Ints) -> Ints:
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _covered(length: int, spans: list[tuple[int, int]]) -> Ints:
    """Return prefix sums of "this character is in one of the spans"."""
    edges = np.zeros(length + 1, np.int64)
    if not spans:
        return edges
    pairs = np.asarray(spans, np.int64)
    np.add.at(edges, pairs[:, 0], 1)
    np.add.at(edges, pairs[:, 1], -1)
    return _prefix(np.cumsum(edges[:length]) > 0)


def blocks_of(outline: Outline) -> Blocks:
    """Split the text of a walked page into blocks, without hidden and empty ones. Linear."""
    text = outline.text
    # Decoders return no lone surrogates, but a caller's own text may contain them.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    found = np.where(codes > 0xFFFF, 0xDFFF, codes)
    classes, counts = _classes()
    found = classes.take(found)
    first, second = (_prefix(count.take(found)) for count in counts)
    breaks = np.flatnonzero(codes == 10)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [len(codes)]))
    scripts, ends_and_digits = (x[ends] - x[starts] for x in (first, second))
    shown = ends - starts - (scripts & _LOW)
    hidden = _covered(len(codes), hidden_spans(outline))
    kept = (shown > 0) & (2 * (hidden[ends] - hidden[starts]) <= ends - starts)
    where = np.flatnonzero(kept)[:MAX_BLOCKS]
    starts, ends, shown = starts[where], ends[where], shown[where].astype(float)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    texts = [" ".join(text[start:end].split()) for start, end in spans]
    scripts, ends_and_digits = scripts[where], ends_and_digits[where]
    han = (scripts >> _WIDTH & _LOW).astype(float)
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
        punctuation=(scripts >> 2 * _WIDTH).astype(float),
        sentences=(ends_and_digits & _LOW).astype(float),
        han=han / np.maximum(1, shown),
        digits=(ends_and_digits >> _WIDTH) / np.maximum(1, shown),
    )


def _innermost(
    starts: list[int], box_starts: list[int], box_ends: list[int], parents: list[int]
) -> list[int]:
    """Return the innermost box at each block's start."""
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
