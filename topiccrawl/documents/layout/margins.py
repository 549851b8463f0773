"""Running headers, footers and page numbers: lines at the edges of pages that are not text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from topiccrawl.documents.layout.lines import SAME_BLOCK, Line, PageLines, rows_of

#: Share of a page's height at its top and bottom in which running headers are (a guess: margins of 2.5 cm
#: on A4 are 8 %).
_MARGIN: Final = 0.12
#: Share of the pages on which a running header is, at least: odd and even pages may differ.
_REPEATED: Final = 0.4
#: Size of a running header relative to the text, at most, and share of the page's height that it is from its
#: edge, where only one page has it (a guess).
_SMALL, _OUTER = 0.9, 0.07
_PAGE_NUMBER: Final = re.compile(
    r"[-—–―－·•~\s]*(?:第\s*)?(?:\d{1,4}|[ivxIVX]{1,6}|[一二三四五六七八九十百]{1,5}(?=\s*页))"
    r"(?:\s*页)?(?:\s*[/／,，]?\s*(?:共\s*)?\d{1,4}\s*页?|\s*of\s*\d{1,4})?[-—–―－·•~\s]*|"
    r"[Pp]age\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?"
)
#: Longest line that is a page number (a choice: - 第 12 页 / 共 340 页 - with spaces between).
_LONGEST_NUMBER: Final = 100
_DIGITS: Final = re.compile(r"\d+")
#: Numbers of a line that may count the pages, and their digits, at most (choices: 第 12 页 / 共 340 页, 2024-12).
_MOST_NUMBERS, _PAGE_DIGITS = 4, 4
#: Fewest pieces of a row that is the head of a table and no running header (a guess).
_CELLS: Final = 3


def lines_in_margins(pages: Sequence[PageLines]) -> set[tuple[int, int]]:
    """Return page and position of each line that is a running header, a footer or a page number.

    What repeats must be outermost on its page, row by row: cells of a table repeat as well.
    """
    counted: Counter[tuple[str, int]] = Counter()
    keys: list[dict[int, set[tuple[str, int]]]] = []
    sizes = [line.size for page in pages[:20] for line in page.lines for _ in line.text]
    usual = median(sizes) if sizes else 0.0
    for number, page in enumerate(pages):
        low, high = _MARGIN * page.height, (1 - _MARGIN) * page.height
        keys.append({
            at: {(text, round(line.middle / 6)) for text in _repeatable(line.text, number)}
            for at, line in enumerate(page.lines)
            if not low < line.middle < high
        })  # fmt: skip
        counted.update({key for found in keys[-1].values() for key in found})
    least = max(2, _REPEATED * len(pages))
    dropped: set[tuple[int, int]] = set()
    shown: set[str] = set()
    for number, page in enumerate(pages):
        repeated = {
            at for at, found in keys[number].items() if any(counted[it] >= least for it in found)
        }
        rows = rows_of(page.lines)
        alone = _alone(page, rows, usual)
        for order in (rows, rows[::-1]):
            for row in _outermost(page, order, repeated | alone):
                cells = _DIGITS.sub("#", "\t".join(page.lines[at].text.strip() for at in row))
                # The head of a table that goes over pages is part of it, once.
                if len(row) < _CELLS or cells in shown:
                    dropped.update((number, at) for at in row)
                shown.add(cells)
    return dropped


def _repeatable(text: str, page: int) -> Iterator[str]:
    """Yield what of a line is the same on other pages: all of it, or all but a number that counts pages.

    >>> list(_repeatable("第 7 页", 5)), list(_repeatable("简报", 5))
    (['第7页', '第<2>页'], ['简报'])
    """
    plain = "".join(text.split())
    if not plain:
        return
    yield plain
    for found in list(_DIGITS.finditer(plain))[:_MOST_NUMBERS]:
        if len(found[0]) <= _PAGE_DIGITS:
            yield f"{plain[: found.start()]}<{int(found[0]) - page}>{plain[found.end() :]}"


def _alone(page: PageLines, rows: Sequence[Sequence[int]], usual: float) -> set[int]:
    """Return the first and the last line if each is a page number, or smaller and further out than text."""
    if len(rows) < 2:
        return set()
    low, high = _MARGIN * page.height, (1 - _MARGIN) * page.height
    found = set()
    for row, beside in ((rows[0], rows[1]), (rows[-1], rows[-2])):
        line = page.lines[row[0]]
        apart = abs(line.middle - page.lines[beside[0]].middle) > 0.6 * line.size
        text = line.text.strip()
        numbered = (
            not low < line.middle < high
            and len(text) <= _LONGEST_NUMBER
            and _PAGE_NUMBER.fullmatch(text) is not None
        )
        if len(row) == 1 and apart and (numbered or _is_outer(line, page, usual)):
            found.add(row[0])
    return found


def _outermost(
    page: PageLines, rows: Sequence[Sequence[int]], repeated: set[int]
) -> Iterator[list[int]]:
    """Yield the repeated lines of each row before the first that is none of a margin.

    Beside what repeats may stand what does not, the name of a chapter, if the row is apart from the next.
    """
    middles = [page.lines[row[0]].middle for row in rows]
    steps = [abs(a - b) for a, b in pairwise(middles)]
    usual = median(steps) if steps else 0.0
    for row, step in zip(rows, [*steps, 0.0], strict=False):
        repeating = [at for at in row if at in repeated]
        if len(repeating) < len(row) and not (repeating and step > SAME_BLOCK * usual):
            break
        yield repeating


def _is_outer(line: Line, page: PageLines, usual: float) -> bool:
    """Whether a line is smaller than the text and nearer to the edge of the page than text is."""
    edge = min(line.y0, page.height - line.y1)
    return line.size <= _SMALL * usual and edge < _OUTER * page.height
