"""Archives by date: the issues of a newspaper at addresses that differ in their date only.

``/html/2024-03/15/node_1.htm``, ``/paper/20240315/``, ``/2024/03/15/``, ``?date=2024-03-15``: an address with a
date, and without the number of an article, is that of an issue; the issue before is at the same address
with another date.  Weeklies and holidays leave gaps, so that several dates are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

#: Days between two issues of a paper at most.  A guess: weeklies have seven; papers pause at the New Year
#: (除夕 to 初七) for eight.
MOST_DAYS: Final = 10
#: Months between two issues of a periodical at most: quarterlies.
MOST_MONTHS: Final = 3
#: Equal steps, one after the other, that are a rule (a choice: the pairs of holidays are none).
RULE: Final = 3
#: First year of an issue (a guess: digitized papers of the Republic begin in 1872, 申报).
_FIRST_YEAR: Final = 1872

_DATE: Final = re.compile(
    r"(?<![0-9])((?:18|19|20)[0-9]{2})([-_/.]?)([0-9]{1,2})(?:([-_/.]?)([0-9]{1,2}))?(?![0-9])"
)
#: Numbers of articles; the codes of papers in Founder's system (nbs.D110000renmrb_01.htm) are none.
_ID: Final = re.compile(r"[0-9]{4,}")
_CODE: Final = re.compile(r"\bnbs\.D[0-9]{6}", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"/(?:content|nw\.|article|detail|show|view)", re.IGNORECASE)
#: What may follow the date of an issue's front or page: node_1.htm, node_A01.html, node_2-1.htm, index.html, A01,
#: list.php?…
_FRONT: Final = re.compile(
    r"(?:index|node|default|page|list|paper|main|layout|col|nbs\.D[0-9]{6}\w{0,20}|[a-z])?"
    r"[-_]?[a-z]?[0-9]{0,3}(?:-[0-9]{1,2})?(?:\.(?:s?html?|jspx?|aspx?|php))?",
    re.IGNORECASE,
)
_LAST_NUMBER: Final = re.compile(r"[0-9]{1,3}(?![0-9])(?=[^0-9/]*$)")


@dataclass(frozen=True, slots=True)
class Issue:
    """The address of an issue, or of one page of it."""

    url: str
    day: date
    """The first of the month if the address has no day."""
    unit: Literal["day", "month"]
    pieces: tuple[str, ...]
    """The address around its dates."""
    dates: tuple[tuple[str, ...], ...]
    """Each date in it: separators and whether numbers have a leading zero."""
    page: int
    """Number of the page within the issue, 0 if the address has none."""
    stem: tuple[str, ...]
    """:attr:`pieces` without the number of the page: equal for all pages of all issues."""
    front: bool
    """Whether what follows the date can be a front or a page, and no name of an article."""

    def at(self, day: date) -> str:
        """Return the address of the same page of the issue of *day*."""
        parts = [self.pieces[0]]
        for style, piece in zip(self.dates, self.pieces[1:], strict=True):
            parts += [_written(day, style), piece]
        return "".join(parts)

    def step(self, steps: int) -> date | None:
        """Return the date so many days, or months, later (earlier if negative), if there is one."""
        try:
            if self.unit == "day":
                found = self.day + timedelta(days=steps)
            else:
                months = self.day.year * 12 + self.day.month - 1 + steps
                found = date(months // 12, months % 12 + 1, 1)
        except (OverflowError, ValueError):
            return None
        return found if found.year >= _FIRST_YEAR else None

    @property
    def most(self) -> int:
        """Days or months between two issues at most."""
        return MOST_DAYS if self.unit == "day" else MOST_MONTHS


def issue_of(url: str) -> Issue | None:
    """Return how canonical *url* reads as that of an issue, ``None`` if it is none.

    >>> issue = issue_of("http://a.cn/html/2024-03/15/node_1.htm")
    >>> issue.at(date(2024, 2, 29)), issue.page
    ('http://a.cn/html/2024-02/29/node_1.htm', 1)
    """
    start = url.find("/", 8)
    if start < 0 or _ARTICLE.search(url, start):
        return None
    found = [it for it in _DATE.finditer(url, start) if _is_date(it)]
    if not found:
        return None
    with_day = [it for it in found if it[5]]
    days = {_day(it) for it in with_day} or {_day(it) for it in found}
    if len(days) != 1:
        return None
    day = days.pop()
    if any((int(it[1]), int(it[3])) != (day.year, day.month) for it in found):
        return None
    bounds = [0, *(at for it in found for at in it.span()), len(url)]
    pieces = tuple(url[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    rest = "/".join((pieces[0][start:], *pieces[1:]))
    if _ID.search(_CODE.sub("", rest)):
        return None
    after = pieces[-1].partition("?")[0]
    number = _LAST_NUMBER.search(_CODE.sub(lambda code: "x" * len(code[0]), after))
    stem = pieces
    if number is not None:
        stem = (*pieces[:-1], pieces[-1][: number.start()] + "#" + pieces[-1][number.end() :])
    return Issue(
        url,
        day,
        "day" if with_day else "month",
        pieces,
        tuple(_style(it) for it in found),
        int(number[0]) if number is not None else 0,
        stem,
        "?" in "".join(pieces[:-1]) or _is_front(after),
    )


def other_dates(issue: Issue, stride: int = 1, times: int = 0) -> list[int]:
    """Return the steps to the next issue in the order in which they are tried.

    The last *times* issues were *stride* apart.  Once that is a rule, it is tried first: before, a date that is
    left out might be an issue's (after a weekend, a daily is three days apart once).

    >>> other_dates(issue_of("http://a.cn/paper/20240315/"), 7, 3)
    [7, 1, 2, 3, 4, 5, 6, 8, 9, 10]
    """
    if times < RULE:
        stride = 1
    return [stride, *(step for step in range(1, issue.most + 1) if step != stride)]


def is_first_page(issue: Issue, links: Iterable[str]) -> bool:
    """Whether no link leads to an earlier page of the issue; its later pages are linked from there."""
    return not any(
        other.stem == issue.stem and other.day == issue.day and other.page < issue.page
        for other in _issues(links)
    )


def links_of_day(issue: Issue, links: Iterable[str]) -> int:
    """Return how many of *links* have the date of *issue* in its own form."""
    if not issue.dates:
        return 0
    written = _written(issue.day, issue.dates[-1])
    return len({url for url in links if url != issue.url and written in url})


def _issues(links: Iterable[str]) -> Iterator[Issue]:
    for url in links:
        if (found := issue_of(url)) is not None:
            yield found


def _is_front(after: str) -> bool:
    folders = [part for part in after.split("/") if part]
    return len(folders) <= 2 and all(_FRONT.fullmatch(part) for part in folders)


def _is_date(found: re.Match[str]) -> bool:
    _, first, month, second, day = found.groups()
    if not first and (len(month) != 2 or (day and len(day) != 2)):
        return False
    if not first and not day and found.string[found.end() : found.end() + 1].isalnum():
        return False
    if not second and day and len(day) != 2:
        return False
    try:
        date(int(found[1]), int(month), int(day or 1))
    except ValueError:
        return False
    return True


def _day(found: re.Match[str]) -> date:
    return date(int(found[1]), int(found[3]), int(found[5] or 1))


def _style(found: re.Match[str]) -> tuple[str, ...]:
    """Return the separators, and "0" where the numbers have two digits."""
    _, first, month, second, day = found.groups()
    short = len(month) == 1 or (day is not None and len(day) == 1)
    zero = "" if short else "0"
    return (first, second or "", zero) if day else (first, zero)


def _written(day: date, style: tuple[str, ...]) -> str:
    month, number = str(day.month), str(day.day)
    if style[-1]:
        month, number = month.zfill(2), number.zfill(2)
    if len(style) == 2:
        return f"{day.year}{style[0]}{month}"
    return f"{day.year}{style[0]}{month}{style[1]}{number}"
