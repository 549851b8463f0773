"""Lines of a terminal or of a file in a fixed-width font, where a Chinese character takes two columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

#: A word of letters or one Chinese character, with punctuation that must not begin or end a line.
_PIECE = re.compile(r"（*(?:[^\s\u3000-\u9fff\uff00-\uffef]+|[^\s（])[，。；：、）！？]*|（+")


def columns(text: str) -> int:
    """Return the number of columns that *text* takes.

    >>> columns("选项 -h")
    7
    """
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield *text* in lines of at most *width* columns, as far as its words are not longer.

    >>> list(wrapped("写到哪里，- 为标准输出", 10))
    ['写到哪里，', '- 为标准输', '出']
    """
    line = ""
    end = 0
    for piece in _PIECE.finditer(text):
        blank = " " if piece.start() > end else ""
        end = piece.end()
        if line and columns(line + blank + piece[0]) > width:
            yield line
            line, blank = "", ""
        line += blank + piece[0]
    if line:
        yield line
