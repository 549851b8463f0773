"""The lines of a page as its layout has them, and how two of them are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: Distance of two lines of a paragraph relative to the usual distance, at most (a guess).
SAME_BLOCK: Final = 1.45
#: Distance of the middles of two lines of a row relative to their size, at most (a guess).
_SAME_ROW: Final = 0.4
_HAN: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK: Final = f"{_HAN}\u3000-\u3004\u3008-\u30ff\u2014\u2018\u2019\u201c\u201d\u2026\uff00-\uffef"
_BLANK_IN_CJK: Final = re.compile(f"(?<=[{_CJK}])[ \u3000]+(?=[{_CJK}])")
_CJK_AT_END: Final = re.compile(f"[{_CJK}]$")
_CJK_AT_START: Final = re.compile(f"[{_CJK}]")


@dataclass(slots=True)
class Line:
    """A piece of text on a page, in points from its lower left corner."""

    text: str
    x0: float
    x1: float
    y0: float
    y1: float
    size: float
    """Height of its characters."""

    @property
    def middle(self) -> float:
        """Height of its middle."""
        return (self.y0 + self.y1) / 2


@dataclass(slots=True)
class PageLines:
    """The lines of a page, as they come."""

    width: float
    height: float
    lines: list[Line]


def rows_of(lines: Sequence[Line]) -> list[list[int]]:
    """Return the positions of the lines of a page by rows, from its top."""
    rows: list[list[int]] = []
    for at in sorted(range(len(lines)), key=lambda at: -lines[at].middle):
        line = lines[at]
        first = lines[rows[-1][0]] if rows else None
        if first and abs(first.middle - line.middle) < _SAME_ROW * max(first.size, line.size):
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def tidy(text: str) -> str:
    """Return *text* without the blanks that justified lines have between Han characters."""
    return _BLANK_IN_CJK.sub("", " ".join(text.split(" "))).strip(" \u3000\t\r\n")


def join(first: str, second: str) -> str:
    """Join two lines of a paragraph: without a blank between Han characters, hyphens removed.

    >>> join("侨务工作", "会议"), join("over-", "seas Chinese"), join("overseas", "Chinese")
    ('侨务工作会议', 'overseas Chinese', 'overseas Chinese')
    """
    first, second = first.rstrip(" "), second.lstrip(" ")
    if first.endswith(("\x02", "\u00ad")) or re.search(r"[a-z]-$", first):
        return first[:-1] + second if second[:1].islower() else first.rstrip("\x02\u00ad") + second
    if not first or not second or _CJK_AT_END.search(first) or _CJK_AT_START.match(second):
        return first + second
    return f"{first} {second}"
