"""The title of a document, as the layout of its first lines shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from topiccrawl.documents.layout.lines import PageLines, join, tidy


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
