"""Lists of URLs, of which a crawl begins: one in a line of a text, or in a row of a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from topiccrawl.urls.domains import has_known_suffix
from topiccrawl.urls.fetchable import fetchable_url

#: Share of the lines of a list that have a URL (a choice: notes between them are comments).
_SHARE: Final = 0.8
#: The same of a file that the user has named as one, possibly with typing errors (a choice).
_SHARE_OF_NAMED: Final = 0.5
#: A character of a URL: no white space, and no punctuation that no URL contains unescaped.
_CHARACTER: Final = r"[^\s<>\"'|，、；。（）【】]"
#: A URL in a line.
_URL: Final = re.compile(
    rf"(?:(?:https?|ftp)://|(?<![\w./@-])www\.(?=\w))(?:(?!,https?://){_CHARACTER})+",
    re.ASCII | re.IGNORECASE,
)
#: An address without a scheme, at the beginning of a cell or after a name: example.cn/news.
_PLAIN: Final = re.compile(
    r"(?:^|(?<=[\s:：,，、]))(?P<host>(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?P<last>[a-z]{2,24}))(?::\d+)?"
    rf"(?P<path>/{_CHARACTER}*)?(?![\w@-]|\.\w)",
    re.ASCII | re.IGNORECASE,
)
#: An address of a host of numbers without a scheme, such as those of intranets.
_NUMBERS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\S*)?", re.ASCII)
#: The sign behind the scheme as Chinese input methods write it: http：//, https:／／.
_WIDE_SCHEME: Final = re.compile(r"(?<![a-z])(https?)[:：][/／]{2}", re.ASCII | re.IGNORECASE)
#: Characters of a cell in which such addresses are searched (a choice).
_PLAIN_CELL: Final = 500
#: Top-level domains that are mostly the endings of file names (a choice).
_FILE_ENDINGS: Final = frozenset({"md", "mov", "pl", "ps", "py", "rs", "sh", "zip"})
#: After URLs in texts, and no part of them.
_AFTER: Final = ",;)]"
#: Most characters of a name before its URL: in a line of a text, URLs come later (a choice).
_NAME_CHARACTERS: Final = 40
#: A name in a line of its own, above its URL.
_NAME: Final = re.compile(rf"[^:/.]{{1,{_NAME_CHARACTERS}}}")
_COMMENT: Final = "#"


@dataclass(frozen=True, slots=True)
class ListedUrl:
    """One line of a list."""

    line: int
    """Its number, from 1."""
    url: str
    """Empty if the line has no URL that can be fetched."""
    text: str
    """The line."""


def is_url_list(lines: Sequence[str], *, named: bool = False) -> bool:
    """Return whether a text of these *lines* is a list of URLs; *named*: of a file that the user has named.

    The cells of a table are separated by tabs.  Blank lines, comments, names above their URLs and title and head
    of a table do not count.

    >>> is_url_list(["# 侨网", "http://a.cn/", "https://b.cn/x 标题"]), is_url_list(["http"])
    (True, False)
    >>> is_url_list(["标题\\t网址", "侨网\\twww.a.cn"]), is_url_list(["侨网：http：//a.cn", "2. http://b.cn"])
    (True, True)
    >>> is_url_list(["网站一览表", "序号\\t网址", "1\\twww.a.cn"])
    True
    >>> is_url_list(["example.cn 侨网", "侨网 example.com.cn/news/"]), is_url_list(["readme.md", "report.pdf"])
    (True, False)
    """
    found = [bool(_urls(text)) for _, text in _counted(lines)]
    return any(found) and sum(found) >= (_SHARE_OF_NAMED if named else _SHARE) * len(found)


def listed_urls(lines: Iterable[str]) -> Iterator[ListedUrl]:
    """Yield the URLs of the lines that count; what is beside them is a note."""
    for number, text in _counted(lines):
        for url in _urls(text) or [""]:
            try:
                yield ListedUrl(number, fetchable_url(url) if url else "", text)
            except ValueError:
                yield ListedUrl(number, "", text)


def narrow_schemes(text: str) -> str:
    """Return *text* with ``://`` behind the schemes of URLs, where a Chinese input method wrote its own signs.

    >>> narrow_schemes("侨网：http：//a.cn，HTTPS:／／b.cn")
    '侨网：http://a.cn，HTTPS://b.cn'
    """
    return _WIDE_SCHEME.sub(r"\1://", text)


def csv_lines(lines: Sequence[str]) -> list[str]:
    """Return the rows of a table of comma-separated values, or of other separators, with tabs instead.

    Lines that are not such a table are returned as they are.
    """
    head = lines[0] if lines else ""
    separator = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error:  # a NUL, or an endless quotation
        return list(lines)
    return ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]


def _counted(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield numbers and texts of the lines that count."""
    name: tuple[int, str] | None = None
    above = True
    for number, line in enumerate(lines, 1):
        text = narrow_schemes(line.strip().strip("\ufeff"))
        if not text or text.startswith(_COMMENT):
            continue
        if above and not _urls(text) and "\t" in text:
            above, name = False, None  # the head of a table, and the title above it
            continue
        above = above and not _urls(text)
        if name is not None and not (_URL.match(text) or _plain(text) == [text]):
            yield name  # above no URL
        name = None
        if _NAME.fullmatch(text):
            name = number, text
        else:
            yield number, text
    if name is not None:
        yield name


def _urls(text: str) -> list[str]:
    """Return what is written like URLs in a line, if it begins with one or with a name or number of it."""
    for cell in text.split("\t"):
        first = _URL.search(cell)
        if first is not None and first.start() <= _NAME_CHARACTERS:
            return [_whole(it.group()) for it in _URL.finditer(cell)]
        plain = _plain(cell)
        if plain and cell.index(plain[0]) <= _NAME_CHARACTERS:
            return [_whole(it) for it in plain]
    return []


def _plain(text: str) -> list[str]:
    """Return the addresses without a scheme in *text*."""
    return [
        it.group()
        for it in _PLAIN.finditer(text, 0, _PLAIN_CELL)
        if has_known_suffix(it["host"]) and (it["path"] or it["last"].lower() not in _FILE_ENDINGS)
    ]


def _whole(url: str) -> str:
    """Return *url* with a scheme, and without what follows it in a text."""
    end = url.rstrip(_AFTER)
    if url[len(end) : len(end) + 1] == ")" and "(" in end:
        end += ")"
    return with_scheme(end)


def with_scheme(address: str) -> str:
    """Return *address* as a URL if only ``http://`` is missing, else as it is.

    >>> with_scheme("www.example.cn"), with_scheme("example.cn/news"), with_scheme("侨网")
    ('http://www.example.cn', 'http://example.cn/news', '侨网')
    >>> with_scheme("10.1.2.3:8080/news")
    'http://10.1.2.3:8080/news'
    """
    known = (
        address[:4].lower() == "www."
        or _plain(address) == [address]
        or _NUMBERS.fullmatch(address) is not None
    )
    return f"http://{address}" if address and known else address
