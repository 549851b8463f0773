"""From lines on pages to paragraphs: columns, running headers, wrapped lines, the title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

#: Share of a page's height at its top and bottom in which running headers are (a guess: margins of 2.5 cm
#: on A4 are 8 %).
_MARGIN: Final = 0.12
#: Share of the pages on which a running header is, at least: odd and even pages may differ.
_REPEATED: Final = 0.4
#: Height of a line relative to another that belongs to the same paragraph, at most (a guess).
_SAME_SIZE: Final = 1.15
#: Distance of two lines of a paragraph relative to the usual distance, at most (a guess).
_SAME_BLOCK: Final = 1.45
#: Distance from the right margin, in characters, up to which a line is full: punctuation is not left alone
#: at the beginning of a line (a guess).
_FULL: Final = 2.2
#: Share of the width that a line of a Western paragraph has at least (a guess).
_RAGGED: Final = 0.75
#: Indentation that begins a paragraph, in characters: two are usual, some have one (a guess).
_INDENT: Final = 0.8
#: Gap between two cells of a row, or two columns, in characters (a guess).
_GAP: Final = 0.9
#: Fewest characters per line of a column of text, in the mean: cells of tables have less (a guess).
_COLUMN_CHARS: Final = 9
#: Distance of two lines of a column relative to their size, at most (a guess).
_DENSE: Final = 2.5
#: Most places that are tried between two columns (a choice).
_MAX_EDGES: Final = 100
#: Size of a running header relative to the text, at most, and share of the page's height that it is from its
#: edge, where only one page has it (a guess).
_SMALL, _OUTER = 0.9, 0.07
#: Fewest lines of a column (a guess).
_COLUMN_LINES: Final = 4
_HAN: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK: Final = f"{_HAN}\u3000-\u3004\u3008-\u30ff\u2014\u2018\u2019\u201c\u201d\u2026\uff00-\uffef"
_BLANK_IN_CJK: Final = re.compile(f"(?<=[{_CJK}])[ \u3000]+(?=[{_CJK}])")
_CJK_AT_END: Final = re.compile(f"[{_CJK}]$")
_CJK_AT_START: Final = re.compile(f"[{_CJK}]")
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
_ENDS: Final = re.compile(r"[。！？!?：:；;…][”’」』）)]*$")
_ITEM: Final = re.compile(
    r"(?:[（(]?[一二三四五六七八九十]{1,3}[、)）.．]|第[一二三四五六七八九十百\d]{1,4}[章节条款编]|"
    r"[（(]?\d{1,2}[、)）.．]|[①-⑳]|附件|附：|[•·●■◆])"
)


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


def paragraphs(pages: Sequence[PageLines]) -> list[str]:
    """Return the paragraphs of *pages* in reading order, without running headers and page numbers."""
    running = _running(pages)
    found: list[str] = []
    last: Line | None = None
    for number, page in enumerate(pages):
        kept = [line for at, line in enumerate(page.lines) if (number, at) not in running]
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


def title_of(lines: Sequence[tuple[str, float, bool]], usual: float) -> str:
    """Return the title that the layout of the first lines shows, empty if none.

    It is the largest text at the beginning, all of its lines; the name of the office in red letters above
    it (××市人民政府文件) is not.

    Parameters
    ----------
    lines
        Text, size and whether it is centered, of the first lines.
    usual
        Size of the body.
    """
    best: tuple[float, str] | None = None
    at = 0
    while at < len(lines):
        text, size, centered = lines[at]
        whole, end = text, at + 1
        while end < len(lines) and abs(lines[end][1] - size) < 0.05 * size and end - at < 4:
            if not (centered and lines[end][2]) and size < 1.25 * usual:
                break
            whole, end = join(whole, lines[end][0]), end + 1
        at = end
        plain = tidy(whole)
        points = size + (0.15 * usual if centered else 0.0)
        if size < 1.12 * usual and not (centered and size >= 1.02 * usual):
            continue
        if not 4 <= len(plain) <= 120 or re.search(r"(?:文件|公报|简报|专报)$", plain):
            continue
        if re.fullmatch(r"附件\s*[\d一二三四五六七八九十]*[:：]?", plain):
            continue
        if best is None or points > best[0]:
            best = points, plain
    return "" if best is None else best[1]


def title_of_page(page: PageLines, *others: PageLines) -> str:
    """Return the title at the top of *page*; *others* count for the usual size, too."""
    sizes = [line.size for it in (page, *others) for line in it.lines for _ in line.text]
    lines = sorted(page.lines, key=lambda line: -line.middle)[:25]
    if not lines:
        return ""
    upper = [
        (line.text, line.size, abs(line.x0 + line.x1 - page.width) < 0.06 * page.width)
        for line in lines
        if line.middle > 0.4 * page.height
    ]
    return title_of(upper, median(sizes))


def reading_order(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the blocks of a page in reading order: what spans the columns, and each column.

    Rows of tables stay together: only columns of running text are read one after the other.
    """
    if not lines:
        return
    if _is_vertical(lines):
        yield _vertical(lines)
        return
    rows = sorted(lines, key=lambda line: -line.middle)
    gutter = _gutter(rows)
    if gutter is None:
        yield _rows(rows)
        return
    left: list[Line] = []
    right: list[Line] = []
    for line in rows:
        if line.x0 < gutter < line.x1:
            for column in (left, right):
                yield from reading_order(column)
            left, right = [], []
            yield [line]
        else:
            (left if line.x1 <= gutter else right).append(line)
    for column in (left, right):
        yield from reading_order(column)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Return the position between two columns of running text, ``None`` if there is one column."""
    if len(lines) < 2 * _COLUMN_LINES:
        return None
    if sum(len(line.text) for line in lines) < 0.7 * _COLUMN_CHARS * len(lines):
        return None  # a table
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    size = median(line.size for line in lines)
    best: tuple[int, float] | None = None
    edges = sorted({round(line.x1) for line in lines if x0 + 0.25 * (x1 - x0) < line.x1 < x1 - 8})
    for edge in edges[:: len(edges) // _MAX_EDGES + 1]:
        after = [line.x0 for line in lines if line.x0 >= edge]
        if not after or min(after) - edge < _GAP * size:
            continue
        gutter = (edge + min(after)) / 2
        crossing = sum(1 for line in lines if line.x0 < gutter < line.x1)
        if best is None or crossing < best[0]:
            best = crossing, gutter
    if best is None or best[0] > 0.2 * len(lines):
        return None
    gutter = best[1]
    sides = (
        [line for line in lines if line.x1 <= gutter],
        [line for line in lines if line.x0 >= gutter],
    )
    return gutter if all(map(_is_text, sides)) else None


def _is_text(side: Sequence[Line]) -> bool:
    """Whether the lines are a column of running text, or several."""
    if len(side) < _COLUMN_LINES:
        return False
    if sum(len(line.text) for line in side) / len(side) < _COLUMN_CHARS:
        return False
    steps = [a.middle - b.middle for a, b in pairwise(sorted(side, key=lambda x: -x.middle))]
    if median(steps) > _DENSE * median(line.size for line in side):
        return False  # a column of a table, beside cells of several lines
    width = max(line.x1 for line in side) - min(line.x0 for line in side)
    full = sum(1 for line in side if line.x1 - line.x0 > 0.8 * width)
    return full >= 0.5 * len(side) or _gutter(side) is not None


def _rows(lines: Sequence[Line]) -> list[Line]:
    """Join the pieces of each row from left to right, with a tab between cells."""
    rows: list[list[Line]] = []
    for line in lines:
        row = rows[-1] if rows else None
        if row and abs(row[0].middle - line.middle) < 0.4 * max(row[0].size, line.size):
            row.append(line)
        else:
            rows.append([line])
    found = []
    for row in rows:
        row.sort(key=lambda line: line.x0)
        whole = row[0]
        for line in row[1:]:
            gap = line.x0 - whole.x1
            wide = gap > _GAP * max(whole.size, line.size)
            mark = "\t" if wide else (" " if gap > 0.15 * line.size else "")
            whole = Line(
                whole.text.rstrip(" ") + mark + line.text.lstrip(" "),
                whole.x0,
                max(whole.x1, line.x1),
                min(whole.y0, line.y0),
                max(whole.y1, line.y1),
                max(whole.size, line.size),
            )
        found.append(whole)
    return found


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
            and 0 < step <= _SAME_BLOCK * usual
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


def _is_vertical(lines: Sequence[Line]) -> bool:
    """Whether the page is written from top to bottom, in lines from right to left."""
    tall = [line for line in lines if line.y1 - line.y0 > 2.5 * max(1.0, line.x1 - line.x0)]
    if sum(len(line.text) for line in tall) > 0.6 * sum(len(line.text) for line in lines):
        return True
    single = [line for line in lines if len(line.text.strip()) == 1]
    if len(single) < 20 or len(single) < 0.7 * len(lines):
        return False
    # Stacked: the next one is below at the same place.
    stacked = sum(
        1
        for a, b in pairwise(single)
        if abs((a.x0 + a.x1) - (b.x0 + b.x1)) < a.size and 0 < a.middle - b.middle < 3 * a.size
    )
    return stacked > 0.6 * len(single)


def _vertical(lines: Sequence[Line]) -> list[Line]:
    size = median(line.size for line in lines)
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -(line.x0 + line.x1)):
        if columns and abs(columns[-1][0].x0 + columns[-1][0].x1 - line.x0 - line.x1) < size:
            columns[-1].append(line)
        else:
            columns.append([line])
    found = []
    top = max(line.y1 for line in lines)
    bottom = min(line.y0 for line in lines)
    for number, column in enumerate(columns):
        column.sort(key=lambda line: -line.y1)
        text = "".join(line.text.strip() for line in column)
        # As if the page were turned: the line runs from the top to the bottom.
        start, end = top - column[0].y1, top - column[-1].y0
        y = -number * 2 * size
        found.append(Line(text, start, min(end, top - bottom), y, y + size, size))
    return found


def _running(pages: Sequence[PageLines]) -> set[tuple[int, int]]:
    """Return page and position of the lines that are running headers, footers and page numbers.

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
        rows = _row_positions(page)
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


def _row_positions(page: PageLines) -> list[list[int]]:
    """Return the positions of the lines of a page by rows, from its top."""
    rows: list[list[int]] = []
    for at in sorted(range(len(page.lines)), key=lambda at: -page.lines[at].middle):
        line = page.lines[at]
        first = page.lines[rows[-1][0]] if rows else None
        if first and abs(first.middle - line.middle) < 0.4 * max(first.size, line.size):
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


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
        if len(repeating) < len(row) and not (repeating and step > _SAME_BLOCK * usual):
            break
        yield repeating


def _is_outer(line: Line, page: PageLines, usual: float) -> bool:
    """Whether a line is smaller than the text and nearer to the edge of the page than text is."""
    edge = min(line.y0, page.height - line.y1)
    return line.size <= _SMALL * usual and edge < _OUTER * page.height
