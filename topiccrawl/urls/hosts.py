"""The host name of a URL; imports the standard library only, so that every package may use it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

#: Longest URL whose host is kept, in characters, and the number of these (choices: of a page, its links and
#: its requests, the host is asked for a dozen times, and longer URLs are few).
_KEPT_CHARACTERS: Final = 250
_KEPT: Final = 4_096


def host_of(url: str) -> str:
    """Return the host name of *url*, without user and port; ``""`` if it has none or is malformed.

    The name is in lower case and otherwise as written: a trailing dot stays, an internationalized
    name is not converted, and an IPv6 address loses its brackets.  For the URL of a Scrapy request it
    is the name of the downloader slot, unless the request's meta sets another one.

    >>> host_of("http://user@WWW.Example.cn:8080/x"), host_of("mailto:a@example.cn")
    ('www.example.cn', '')
    """
    return _kept(url) if len(url) <= _KEPT_CHARACTERS else _read(url)


def is_below(host: str, sites: Iterable[str]) -> bool:
    """Return whether *host* is one of *sites* or lies below one.

    >>> is_below("news.example.cn", ["example.cn"]), is_below("myexample.cn", ["example.cn"])
    (True, False)
    """
    return any(f".{host}".endswith(f".{site}") for site in sites)


def _read(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


_kept = lru_cache(_KEPT)(_read)
