"""Lists of URLs: one in a line, of which a crawl begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from topiccrawl.page.decoding import decode
from topiccrawl.urls.fetchable import fetchable_url

__all__ = ["ListedUrl", "is_url_list", "listed_urls"]

#: Share of the lines of a list that are URLs (a choice: notes between them are comments).
_SHARE: Final = 0.8
_URL: Final = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_COMMENT: Final = "#"


@dataclass(frozen=True, slots=True)
class ListedUrl:
    """One line of a list."""

    line: int
    """Its number, from 1."""
    url: str
    """Empty if the line is not a URL that can be fetched."""
    text: str
    """The line."""


def is_url_list(head: bytes) -> bool:
    """Return whether a text that begins with *head* is a list of URLs.

    >>> is_url_list("# 侨网\\nhttp://a.cn/\\nhttps://b.cn/x 标题\\n".encode()), is_url_list(b"http")
    (True, False)
    """
    lines = [line for line in _lines(head) if not line.startswith(_COMMENT)]
    found = sum(_URL.match(line) is not None for line in lines)
    return bool(lines) and found >= _SHARE * len(lines)


def listed_urls(raw: bytes) -> Iterator[ListedUrl]:
    """Yield the lines of a list but for blank ones and comments; what follows a URL is a note."""
    for number, line in enumerate(decode(raw).text.splitlines(), 1):
        text = line.strip().strip("\ufeff")
        if not text or text.startswith(_COMMENT):
            continue
        try:
            yield ListedUrl(number, fetchable_url(text.split()[0].strip("<>\"',;")), text)
        except ValueError:
            yield ListedUrl(number, "", text)


def _lines(raw: bytes) -> list[str]:
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return [line.strip() for line in text.splitlines() if line.strip()]
