"""From lines on pages to paragraphs: wrapped lines are joined, across columns and pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from topiccrawl.documents.layout.columns import reading_order
from topiccrawl.documents.layout.lines import SAME_BLOCK, Line, PageLines, join, tidy
from topiccrawl.documents.layout.margins import lines_in_margins

#: Height of a line relative to another that belongs to the same paragraph, at most (a guess).
_SAME_SIZE: Final = 1.15
#: Distance from the right margin, in characters, up to which a line is full: punctuation is not left alone
#: at the beginning of a line (a guess).
_FULL: Final = 2.2
#: Share of the width that a line of a Western paragraph has at least (a guess).
_RAGGED: Final = 0.75
#: Indentation that begins a paragraph, in characters: two are usual, some have one (a guess).
_INDENT: Final = 0.8
_ENDS: Final = re.compile(r"[。！？!?：:；;…][”’」』）)]*$")
_ITEM: Final = re.compile(
    r"(?:[（(]?[一二三四五六七八九十]{1,3}[、)）.．]|第[一二三四五六七八九十百\d]{1,4}[章节条款编]|"
    r"[（(]?\d{1,2}[、)）.．]|[①-⑳]|附件|附：|[•·●■◆])"
)


def paragraphs(pages: Sequence[PageLines]) -> list[str]:
    """Return the paragraphs of *pages* in reading order, without running headers and page numbers."""
    margins = lines_in_margins(pages)
    found: list[str] = []
    last: Line | None = None
    for number, page in enumerate(pages):
        kept = [line for at, line in enumerate(page.lines) if (number, at) not in margins]
        for block in reading_order(kept):
            texts, first_joins, full = _joined(block)
            if not texts:
                continue
            if last is not None and first_joins and _continues(last, found[-1], block[0]):
                found[-1] = join(found[-1], texts.pop(0))
            found += texts
            last = block[-1] if full else None
    return [text for text in map(tidy, found) if text]


def _continues(last: Line, text: str, first: Line) -> bool:
    """Whether a paragraph that ends with a full line goes on in the next column or page."""
    same = max(last.size, first.size) <= _SAME_SIZE * min(last.size, first.size)
    return same and not _ENDS.search(text) and not _ITEM.match(first.text)


def _joined(block: Sequence[Line]) -> tuple[list[str], bool, bool]:
    """Join the lines of a block to paragraphs.

    Returns
    -------
    tuple
        The paragraphs; whether the first line may continue one; whether the last line is full.
    """
    if not block:
        return [], False, False
    size = median(line.size for line in block)
    left = min(line.x0 for line in block)
    right = max(line.x1 for line in block)
    steps = [a.middle - b.middle for a, b in pairwise(block)]
    usual = median([step for step in steps if step > 0] or [size])
    texts = [block[0].text]
    for before, line, step in zip(block, block[1:], steps, strict=False):
        if (
            "\t" not in before.text
            and "\t" not in line.text
            and max(before.size, line.size) <= _SAME_SIZE * min(before.size, line.size)
            and 0 < step <= SAME_BLOCK * usual
            and (before.x1 >= right - _FULL * size or _is_ragged(before, line, left, right))
            and line.x0 <= left + _INDENT * size
            and not line.text.startswith(("\u3000\u3000", "  "))
        ):
            texts[-1] = join(texts[-1], line.text)
        else:
            texts.append(line.text)
    begins = block[0].x0 <= left + _INDENT * size and not block[0].text.startswith("\u3000")
    wide = right - left > 10 * size
    last = block[-1]
    return texts, begins, wide and "\t" not in last.text and last.x1 >= right - _FULL * size


def _is_ragged(before: Line, line: Line, left: float, right: float) -> bool:
    """Whether a line of a Western text goes on: lines of whole words end anywhere."""
    long = before.x1 > left + _RAGGED * (right - left)
    return long and line.text[:1].islower() and not _ENDS.search(before.text)
