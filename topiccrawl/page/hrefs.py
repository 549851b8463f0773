"""From what stands in ``href`` to a URL that can be requested."""

from __future__ import annotations

import re

from w3lib.url import safe_url_string

MAX_URL_CHARACTERS = 2_083
"""Longer URLs are dropped: Scrapy's limit (URLLENGTH_LIMIT), once Internet Explorer's."""

_INSIDE = re.compile(r"[\t\n\r]+")  # browsers remove these everywhere in a URL
_AROUND = "".join(map(chr, range(0x21))) + "\u3000\xa0"
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
# A URL that needs no further care, in lower case where case means nothing.
_PLAIN = re.compile(
    r"(https?://[a-z0-9](?:[a-z0-9._\-]*[a-z0-9])?\.?(?::([0-9]{1,5}))?)"
    r"([/?][A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*)?"
)
_DOTS = re.compile(r"/\.{1,2}(?:[/?]|$)")
_ORIGIN = re.compile(r"(https?)://([^/?]*)(.*)", re.IGNORECASE | re.DOTALL)
# Second-level domains under which names are registered in two-letter domains.
_SECOND_LEVEL = frozenset(["ac", "co", "com", "edu", "gov", "mil", "net", "or", "org", "ne", "go"])
_ADDRESS = re.compile(r"[0-9.]+")


class Resolver:
    """Turns the hrefs of one page into absolute http(s) URLs, remembering what it did.

    ``base`` is the page's base URL, ``encoding`` the page's encoding, which queries use as in a
    browser (paths are always UTF-8).
    """

    def __init__(self, base: str, encoding: str = "utf-8") -> None:
        self.base = base
        self.encoding = "utf-8" if encoding.startswith(("utf-16", "utf-32")) else encoding
        match = _ORIGIN.match(base)
        self._origin = match.group(1) + "://" + match.group(2) if match else ""
        self._scheme = match.group(1).lower() if match else "http"
        self._page = base.partition("#")[0].partition("?")[0]
        folder = self._page[len(self._origin) :].rpartition("/")[0]
        self._folder = f"{self._origin}{folder}/"
        self._known: dict[str, str | None] = {}

    def resolve(self, href: str) -> str | None:
        """Absolute URL without fragment, or None if the href leads to no http(s) page."""
        try:
            return self._known[href]
        except KeyError:
            url = self._known[href] = self._resolve(href)
            return url

    def _resolve(self, href: str) -> str | None:
        href = href.strip(_AROUND)
        if not href or href[0] == "#" or len(href) > 4 * MAX_URL_CHARACTERS:
            return None
        href = _INSIDE.sub("", href).partition("#")[0]
        if "\\" in href:
            path, mark, query = href.partition("?")
            href = path.replace("\\", "/") + mark + query
        scheme = _SCHEME.match(href)
        if scheme is not None:
            name = scheme.group(1).lower()
            if name not in {"http", "https"}:
                return None  # also "news.html:8080": a scheme to a browser too
            rest = href[scheme.end() :]
            foreign = rest.startswith("//") or name != self._scheme
            url = f"{name}://{rest.lstrip('/')}" if foreign else self._join(rest)
        else:
            url = self._join(href)
        if _DOTS.search(url):
            url = _without_dots(url)
        return clean(url, self.encoding)

    def _join(self, reference: str) -> str:
        """As RFC 3986 5.2.2; dot segments are removed by the caller."""
        if reference.startswith("//"):
            return f"{self._scheme}:{reference}"
        if reference.startswith("/"):
            return self._origin + reference
        if not reference:
            return self.base
        return (self._page if reference.startswith("?") else self._folder) + reference


def _without_dots(url: str) -> str:
    match = _ORIGIN.match(url)
    if match is None:
        return url
    path, mark, query = match.group(3).partition("?")
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments and segments[-1] in {".", ".."}:
        kept.append("")
    return f"{match.group(1)}://{match.group(2)}/{'/'.join(kept)}{mark}{query}"


def clean(url: str, encoding: str = "utf-8") -> str | None:
    """A URL with only safe characters, scheme and host in lower case; None if it is none."""
    parts = _PLAIN.fullmatch(url)
    if parts is None:
        try:
            url = _escape(url, encoding)
        except (ValueError, UnicodeError):
            return None
        match = _ORIGIN.match(url)
        if match is None:
            return None
        url = f"{match.group(1).lower()}://{match.group(2).lower()}{match.group(3)}"
        parts = _PLAIN.fullmatch(url)
        if parts is None:
            return None  # no host, an IPv6 address or a password in the link
    if len(url) > MAX_URL_CHARACTERS:
        return None
    origin, port, rest = parts.groups()
    if port is not None and int(port) > 65_535:
        return None
    if rest is None:
        return f"{origin}/"
    return url if rest[0] == "/" else f"{origin}/{rest}"


def _escape(url: str, encoding: str) -> str:
    try:
        return safe_url_string(url, encoding=encoding)
    except UnicodeEncodeError:  # a character that the page's encoding has not
        return safe_url_string(url, encoding="utf-8")


def registered_host(host: str) -> str:
    """The part of a host name that a site registers.

    An approximation without the public suffix list: two labels, or three under ``com.cn`` and
    the like.

    >>> registered_host("news.sina.com.cn"), registered_host("a.b.example.org")
    ('sina.com.cn', 'example.org')
    """
    host = host.lower().rstrip(".")
    labels = host.split(".")
    if _ADDRESS.fullmatch(host):
        return host
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
