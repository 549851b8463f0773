"""Addresses of pages of strangers as targets of links in files."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from topiccrawl.reporting.markup import is_web_link

#: Longest address that becomes a link: Word and Excel take 2,083 characters at most.
MOST_CHARACTERS: Final = 2_000
#: Characters that stay as they are in a path or a query; all others are percent-encoded, also those that
#: end an address in Markdown, HTML or XML.
_SAFE: Final = "/:@!$&+,;=?%~-._"


def href(url: str) -> str | None:
    """Return *url* in ASCII, as the target of a link; ``None`` if it must not become one.

    Only http and https with a host; user names and passwords are left out.

    >>> href("http://例子.cn/新闻?编号=1")
    'http://xn--fsqu00a.cn/%E6%96%B0%E9%97%BB?%E7%BC%96%E5%8F%B7=1'
    >>> href("javascript:alert(1)") is None
    True
    """
    if len(url) > MOST_CHARACTERS or not is_web_link(url):
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if ":" in host:
            host = f"[{quote(host, safe=':.')}]"
        elif not host.isascii():
            host = host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return None
    if not all(c.isalnum() or c in "-._:[]" for c in host):
        return None
    whole = urlunsplit(
        (
            parts.scheme,
            host if port is None else f"{host}:{port}",
            _quoted(parts.path),
            _quoted(parts.query),
            _quoted(parts.fragment),
        )
    )
    return whole if len(whole) <= MOST_CHARACTERS else None


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe=_SAFE)
