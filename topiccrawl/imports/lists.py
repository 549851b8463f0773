"""Lists of URLs, of which a crawl begins: one in a line of a text, or in a row of a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from topiccrawl.urls.fetchable import fetchable_url

__all__ = ["ListedUrl", "csv_lines", "is_url_list", "listed_urls"]

#: Share of the lines of a list that have a URL (a choice: notes between them are comments).
_SHARE: Final = 0.8
_URL: Final = re.compile(r"(?:https?|ftp)://|www\.\w", re.IGNORECASE)
_COMMENT: Final = "#"
#: Around URLs in texts, and no part of them.
_MARKS: Final = "<>\"',;"


@dataclass(frozen=True, slots=True)
class ListedUrl:
    """One line of a list."""

    line: int
    """Its number, from 1."""
    url: str
    """Empty if the line has no URL that can be fetched."""
    text: str
    """The line."""


def is_url_list(lines: Sequence[str]) -> bool:
    """Return whether a text of these *lines* is a list of URLs.

    The cells of a table are separated by tabs.  Blank lines, comments and the head of a table do not count.

    >>> is_url_list(["# 侨网", "http://a.cn/", "https://b.cn/x 标题"]), is_url_list(["http"])
    (True, False)
    >>> is_url_list(["标题\\t网址", "侨网\\twww.a.cn"])
    True
    """
    found = [bool(_url(text)) for _, text in _counted(lines)]
    return any(found) and sum(found) >= _SHARE * len(found)


def listed_urls(lines: Iterable[str]) -> Iterator[ListedUrl]:
    """Yield the lines of a list that count; of each the first URL, the rest is a note."""
    for number, text in _counted(lines):
        url = _url(text)
        try:
            yield ListedUrl(number, fetchable_url(url) if url else "", text)
        except ValueError:
            yield ListedUrl(number, "", text)


def csv_lines(lines: Sequence[str]) -> list[str]:
    """Return the rows of a table of comma-separated values, or of other separators, with tabs instead.

    Lines that are no such table are returned as they are.
    """
    head = lines[0] if lines else ""
    separator = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error:  # a NUL, or an endless quotation
        return list(lines)
    return ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]


def _counted(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield numbers and texts of the lines without blank ones, comments and the head of a table."""
    for number, line in enumerate(lines, 1):
        text = line.strip().strip("\ufeff")
        is_head = number == 1 and "\t" in text and not _url(text)
        if text and not text.startswith(_COMMENT) and not is_head:
            yield number, text


def _url(text: str) -> str:
    """Return what a cell of a line begins with, if it is written like a URL, else ``""``."""
    for cell in text.split("\t"):
        word = next(iter(cell.split()), "").strip(_MARKS)
        if _URL.match(word):
            return f"http://{word}" if word[:4].lower() == "www." else word
    return ""
