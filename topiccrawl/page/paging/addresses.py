"""Addresses that differ in the number of a part only: ``5468.html``, ``5468_2.html``, ``?id=7&page=2``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: Largest number of a part in an address (a choice: larger ones are ids).
_DIGITS: Final = r"([0-9]{1,3})"
_ENDING: Final = r"(\.[A-Za-z]{2,5})?"
# 5468_2.html, c1002-31545-2.html, 5468_p2.shtml, 5468,2.htm, 5468.html_2
_SUFFIX: Final = re.compile(rf"(.+?)([_,.-](?:p|page|pg)?[_-]?){_DIGITS}{_ENDING}")
# /5468/2.html, /5468/p2.html, /2020/01/name/2
_FOLDER: Final = re.compile(rf"(?:p|page|pg)?[_-]?{_DIGITS}{_ENDING}")
_PARAMETER: Final = re.compile(
    rf"(p|pn|pg|pno|page|page_?no|page_?num|paged|page_?index|page_?id|cur_?page|current_?page)={_DIGITS}",
    re.IGNORECASE,
)
_ID: Final = re.compile(r"[0-9]{4}|[?&][a-z_]*id=[0-9]", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.[A-Za-z]{2,5}(?=$|\?)")
_INDEX: Final = re.compile(r"/index(?=$|\?)")
#: Folders of a year, a month or a day.
_DATE_FOLDER: Final = re.compile(r"(?:19|20)[0-9]{2}(?:-?[0-9]{2}){0,2}|[0-9]{1,2}")
_LIST_WORDS: Final = re.compile(
    r"(?<![a-z])(?:list|lists|category|cate|channel|column|class|tag|tags|search|archive|archives/page|page"
    r"|comment|comments|reply|node|forum|thread|board|viewthread|author|user)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """One way to read an address as that of a part."""

    stem: str
    """The address without the number, comparable with that of the first part."""
    style: str
    """How the number is written; empty for an address without a number."""
    number: int | None
    first: str
    """The address without the number as it would be written: what the first part may have."""


def readings(url: str) -> Iterator[Numbered]:
    """Yield all ways to read canonical *url*, the one without a number first.

    >>> [(it.stem, it.style, it.number) for it in readings("http://a.cn/n/54_2.html")]
    [('http://a.cn/n/54_2', '', None), ('http://a.cn/n/54', '_', 2)]
    """
    yield Numbered(_stem(url), "", None, url)
    path, mark, query = url.partition("?")
    if query:
        parts = query.split("&")
        for i, part in enumerate(parts):
            found = _PARAMETER.fullmatch(part)
            if found is not None:
                rest = "&".join(parts[:i] + parts[i + 1 :])
                first = f"{path}?{rest}" if rest else path
                yield Numbered(_stem(first), f"?{found[1].lower()}", int(found[2]), first)
    folder, _, leaf = path.rstrip("/").rpartition("/")
    if folder.count("/") < 2:
        return
    if (found := _SUFFIX.fullmatch(leaf)) is not None:
        first = f"{folder}/{found[1]}{found[4] or ''}{mark}{query}"
        yield Numbered(_stem(first), found[2], int(found[3]), first)
    elif (found := _FOLDER.fullmatch(leaf)) is not None and folder.count("/") > 2:
        first = f"{folder}{'' if '.' in folder.rpartition('/')[2] else '/'}{mark}{query}"
        yield Numbered(_stem(first), "/", int(found[1]), first)


def names_single_page(reading: Numbered) -> bool:
    """Whether the address can be an article's: not a front's, a list's, or that of comments."""
    path, _, query = _path_of(reading.stem).partition("?")
    if _LIST_WORDS.search(f"{path}?{query}"):
        return False
    leaf = path.rpartition("/")[2]
    if reading.style.startswith("?") or not path:
        return any(c.isdigit() for c in f"{leaf}?{query}")
    plain = _EXTENSION.sub("", reading.first)
    if _INDEX.search(plain) or (reading.first.endswith("/") and reading.style != "/"):
        return not _DATE_FOLDER.fullmatch(leaf) and any(c.isdigit() for c in leaf)
    if sum(c.isdigit() for c in leaf) >= 2 or any(c.isdigit() for c in query):
        return True
    return has_id(reading) or plain != reading.first


def has_id(reading: Numbered) -> bool:
    """Whether the address without the number still has a date or the number of a record."""
    return _ID.search(_path_of(reading.stem)) is not None


def _path_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[2]


def _stem(url: str) -> str:
    path, mark, query = url.partition("?")
    path = _EXTENSION.sub("", path.rstrip("/"))
    if not query:
        path = _INDEX.sub("", path).rstrip("/")
    return f"{path}{mark}{query}"
