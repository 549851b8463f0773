"""How many pages a list has, and which of them its scripts can open."""

from __future__ import annotations

import math
import re
from typing import Final

from topiccrawl.page.patterns import words

#: Most pages of one list (a choice: at 20 entries each, twice the budget of a site).
MOST_PAGES: Final = 1_000
#: Names of the parameter, field or variable with the number of a page; what follows ``page`` is free.
PAGE_NAME: Final = (
    r"(?:p|pn|pg|pno|page[_-]?\w{0,10}|paged|cur(?:rent)?_?page\w{0,5}|now_?page|nextpage)"
)

# All are searched in lower case.
_IN_TAGS: Final = r"(?:\s|&nbsp;|</?\w{1,10}(?:\s[^<>]{0,80})?>)*+"
_COUNTED: Final = "|".join(
    rf"(?<=\b{word}{mark}page)"
    for word in ("total", "count", "max", "sum", "all", "n")
    for mark in ("", "[_-]")
)
_TOTALS: Final = (
    # 共 50 页, 共<b>50</b>页, 共有50頁
    re.compile(rf"[共总總][有计計]?{_IN_TAGS}([0-9]{{1,5}}){_IN_TAGS}[页頁]"),
    # 第 1/50 页, 页次：1/50页
    re.compile(
        rf"[0-9](?=[\s&</]){_IN_TAGS}/{_IN_TAGS}[共]?{_IN_TAGS}([0-9]{{1,5}}){_IN_TAGS}[页頁]"
    ),
    # var countPage = 50; totalPages: "50"; data-page-count="50"; laypage's pages: 50
    re.compile(
        rf"page(?:(?:{_COUNTED})s?(?:count|num|s)?|(?<!\wpage)(?:s?[_-]?(?:count|total|sum|max|all)|s))"
        r"[\"']?\s*[=:]\s*[\"']?([0-9]{1,5})\b"
    ),
)
_RECORDS: Final = re.compile(
    rf"(?:{words('total', 'count', 'total_?count', 'total_?records?', 'record_?count')})[\"']?\s*[=:]\s*"
    r"[\"']?([0-9]{1,7})\b"
)
_PER_PAGE: Final = re.compile(
    rf"(?:{words('page_?size', 'limit', 'per_?page', 'rows', 'items_?on_?page')})[\"']?\s*[=:]\s*"
    r"[\"']?([0-9]{1,4})\b"
)
# javascript:goPage(2), onclick="toPage('3', this)", onclick="return page_turn(4);", data-page="5"
_CALLS: Final = re.compile(
    rf"(?:javascript:|{words('on')}[a-z]{{4,10}}\s*=\s*[\"'])\s*(?:return\s+)?(?:this\.)?"
    r"(?=\w{0,30}(?:page|go|jump|turn|fanye|load|list|query|search))\w{2,30}\(\s*[\"']?([0-9]{1,5})\b"
)
_DATA: Final = re.compile(
    rf"{words('data-')}(?:page|page-?(?:no|num|index|number)|p|pn|num|ci-pagination-page)\s*=\s*"
    r"[\"']?([0-9]{1,5})\b"
)


def total_pages(text: str) -> int:
    """Return the number of pages that a list states, 0 if it states none.

    >>> total_pages("共<b>12</b>页"), total_pages("laypage({count: 95, limit: 10})"), total_pages("2/7页")
    (12, 10, 7)
    """
    text = text.lower()
    stated = [int(found[1]) for pattern in _TOTALS if (found := pattern.search(text)) is not None]
    if not stated:
        records = _RECORDS.search(text)
        size = None if records is None else _PER_PAGE.search(text)
        if records is not None and size is not None and int(size[1]):
            stated = [math.ceil(int(records[1]) / int(size[1]))]
    return min(max(stated, default=0), MOST_PAGES)


def called_pages(text: str) -> list[int]:
    """Return the numbers of pages that the page opens by scripts, sorted.

    >>> called_pages('<a href="javascript:goPage(3)">3</a><a data-page="2">2</a>')
    [2, 3]
    """
    text = text.lower()
    found = {int(it[1]) for pattern in (_CALLS, _DATA) for it in pattern.finditer(text)}
    return sorted(number for number in found if 0 < number <= MOST_PAGES)
