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

# Classes of characters; of each block the number of its characters in a class is counted.
_SPACE, _HAN, _PUNCTUATION, _SENTENCE, _DIGIT = range(5)
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
def _classes() -> NDArray[np.uint8]:
    """Class bits of each character of the basic plane; those above count as Han."""
    table = np.zeros(0x10000, np.uint8)
    for character in range(0x10000):
        if chr(character).isspace():
            table[character] |= 1 << _SPACE
        elif chr(character).isdigit():
            table[character] |= 1 << _DIGIT
    for first, last in ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x3040, 0x30FF), (0xD800, 0xDFFF)):
        table[first : last + 1] |= 1 << _HAN
    for marks, bit in ((_PUNCTUATION_MARKS, _PUNCTUATION), (_SENTENCE_MARKS, _SENTENCE)):
        for mark in marks:
            table[ord(mark)] |= 1 << bit
    return table


def _prefix(flags: NDArray[np.bool_]) -> Ints:
    sums = np.zeros(len(flags) + 1, np.int64)
    np.cumsum(flags, out=sums[1:])
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
    bits = _classes()[np.minimum(codes, 0xDFFF)]
    space, han, punctuation, sentences, digits = (
        _prefix((bits >> k & 1).astype(bool)) for k in range(5)
    )
    breaks = np.flatnonzero(codes == 10)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [len(codes)]))
    shown = ends - starts - (space[ends] - space[starts])
    hidden = _covered(len(codes), hidden_spans(outline))
    kept = (shown > 0) & (2 * (hidden[ends] - hidden[starts]) <= ends - starts)
    # A block starts at its first character, not at the space before it, which may be outside its box.
    where = np.flatnonzero(kept)[:MAX_BLOCKS]
    texts = [" ".join(text[starts[i] : ends[i]].split()) for i in where]
    starts, ends, shown = starts[where], ends[where], shown[where].astype(float)
    linked = _covered(len(codes), outline.anchors)
    count = {
        name: (sums[ends] - sums[starts]).astype(float)
        for name, sums in (
            ("han", han),
            ("punctuation", punctuation),
            ("sentences", sentences),
            ("digits", digits),
            ("link", linked),
        )
    }
    boxes = outline.boxes
    innermost = _innermost(starts.tolist(), boxes.starts, boxes.ends, boxes.parents)
    return Blocks(
        texts=texts,
        starts=starts,
        boxes=np.asarray(innermost, np.int64),
        first=np.searchsorted(starts, boxes.starts),
        last=np.searchsorted(starts, boxes.ends),
        size=count["han"] + (shown - count["han"]) * LATIN_SHARE,
        link=np.minimum(1.0, count["link"] / np.maximum(1, ends - starts)),
        punctuation=count["punctuation"],
        sentences=count["sentences"],
        han=count["han"] / shown if len(where) else shown,
        digits=count["digits"] / shown if len(where) else shown,
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
