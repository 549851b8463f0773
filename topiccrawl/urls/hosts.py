"""The host name of a URL; imports the standard library only, so that every package may use it."""

from __future__ import annotations

from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """Return the host name of *url*, without user and port; ``""`` if it has none or is malformed.

    The name is in lower case and otherwise as written: a trailing dot stays, an internationalized
    name is not converted, and an IPv6 address loses its brackets.  For the URL of a Scrapy request it
    is the name of the downloader slot, unless the request's meta sets another one.

    >>> host_of("http://user@WWW.Example.cn:8080/x"), host_of("mailto:a@example.cn")
    ('www.example.cn', '')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
