"""Where title, running text, other pages and literature are among the visible lines of a page."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.landmarks import split_title, starts_other_pages

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

#: Lines that are searched at most: a bound of the time (a guess).
MAX_LINES = 3_000
# Headings of literature: the dates below it are those of other texts.
_REFERENCES = re.compile(
    r"\W*(?:references|notes|citations|sources|bibliography|further reading|works cited"
    r"|参考(?:资料|文献|来源)|參考(?:資料|文獻|來源)|引用来源|脚注|腳註|注释|註釋|注解|资料来源|延伸阅读|擴展閱讀)\W*",
    re.IGNORECASE,
)
# Lines from the title at which a date without label belongs to something else (a guess).
_FAR = 20
# Most characters of the heading of literature (a guess).
_SHORT_HEADING = 24
# Fewest characters of a line that may be a paragraph (a guess).
_RUNNING = 60


@dataclass(frozen=True, slots=True)
class LineParts:
    """Where the title, the running text and what follows it are, by the numbers of lines."""

    copies: Sequence[int]
    """Lines that are the title, or contain it."""
    text: int
    """First line of the running text."""
    others: int
    """First line of other pages."""
    literature: int
    """Where a list of literature begins."""

    def distances(self, number: int) -> tuple[int | None, int | None]:
        """Return how many lines a line is below and above the nearest copies of the title."""
        place = bisect_right(self.copies, number)
        after = number - self.copies[place - 1] if place else None
        return after, self.copies[place] - number if place < len(self.copies) else None

    def score_at(self, number: int, score: float, *, labeled: bool, is_today: bool) -> float:
        """Return the *score* of a date with what its line takes from it."""
        after, before = self.distances(number)
        in_text = number > self.text
        away = min((it for it in (after, before) if it is not None), default=None)
        if away is not None:
            if away > _FAR and not labeled:
                score -= 2.0
            score -= min(0.1 * away, 2.0) + (0.5 if after is None else 0.0)
        if number >= self.others:
            score -= 2.0
        if in_text and not labeled:
            score -= 1.5
        # A clock in the head of the page shows the day of the visit.
        if is_today and not labeled and not in_text and after is None:
            score -= 2.0
        return score


def line_parts(lines: Sequence[str], copies: Sequence[int], dated: Container[int]) -> LineParts:
    """Return where the parts of a page are; *dated* are the lines with dates."""
    below = range(copies[0] if copies else 0, min(len(lines), MAX_LINES))
    others = next((number for number in below if starts_other_pages(lines[number])), len(lines))
    running = (
        number
        for number in below
        if len(lines[number]) >= _RUNNING and _is_sentence(lines[number]) and number not in dated
    )
    text = next(running, len(lines))
    return LineParts(copies, text, others, _literature(lines, text))


def copies_of(lines: Sequence[str], title: str) -> list[int]:
    """Return the numbers of the lines that are the title, or contain it and little else."""
    if len(title) < 2:
        return []
    head = title[:20]
    found = [
        number
        for number, line in enumerate(lines[:MAX_LINES])
        if head in line and len(line) < len(title) + 40
    ]
    same = [number for number in found if lines[number] == title]
    return same or found or list(split_title(lines[:MAX_LINES], title))[:1]


def _literature(lines: Sequence[str], text: int) -> int:
    """Return the number of the last line below the beginning of the text, line ``text``, that heads literature."""
    last = min(len(lines), MAX_LINES)
    for number in range(last - 1, text, -1):
        if len(lines[number]) <= _SHORT_HEADING and _REFERENCES.fullmatch(lines[number]):
            return number
    return last


def _is_sentence(line: str) -> bool:
    return line.count("，") + line.count("。") + line.count(", ") >= 2
