"""Resolve ``href`` attributes to URLs that can be requested."""

from __future__ import annotations

import re
from collections.abc import Iterable

from w3lib.url import safe_url_string

from topiccrawl.urls.routes import is_route, split_route, with_route

#: Longer URLs are dropped: the default of Scrapy's URLLENGTH_LIMIT, once Internet Explorer's limit.
MAX_URL_CHARACTERS = 2_083

# Addresses of members: ``/u/5c1e``, ``/people/muzhang``, ``//space.bilibili.com/7``, ``space-uid-7.html``,
# ``user-7.htm``, ``space.php?uid=7``.
_MEMBER = re.compile(
    r"(?:^|/)(?:u|users?|people|members?|authors?|profiles?)/(?![^?#]*(?:log|sign|reg|pwd|pass|edit))[^?#]"
    r"|(?:^|/)u\?\w+=|//space\.[^/]+/\d|(?:^|/)(?:space-uid|user|member)-\d|[?&]uid=\d"
    r"|(?:^|/)space/\d|(?:^|/)profile(?:\.\w+)?\?(?:id|u)=|(?:^|//[^/]+/)@[^/?#]",
    re.IGNORECASE,
)

# In each of them, behind a line break: the pattern takes ten times as long.
_MEMBER_HINTS = (
    "/u", "\nu", "uid=", "user", "people", "member", "author", "space", "profile", "/@",
)  # fmt: skip

# Browsers remove these everywhere in a URL.
_INSIDE = re.compile(r"[\t\n\r]+")
_AROUND = "".join(map(chr, range(0x21))) + "\u3000\xa0"
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
# A URL that needs no escaping, in lower case where case does not matter.
_PLAIN = re.compile(
    r"(https?://[a-z0-9](?:[a-z0-9._\-]*[a-z0-9])?\.?(?::([0-9]{1,5}))?)"
    r"([/?][A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*)?"
)
_DOTS = re.compile(r"/\.{1,2}(?:[/?]|$)")
_ORIGIN = re.compile(r"(https?)://([^/?]*)(.*)", re.IGNORECASE | re.DOTALL)
# Second-level domains of country domains under which names are registered.
_SECOND_LEVEL = frozenset(["ac", "co", "com", "edu", "gov", "mil", "net", "or", "org", "ne", "go"])
_ADDRESS = re.compile(r"[0-9.]+")


def leads_to_member(href: str) -> bool:
    """Return whether an address is that of a member of a site, as far as it shows.

    >>> leads_to_member("/u/5c1e"), leads_to_member("/user/login"), leads_to_member("/news/5.html")
    (True, False, False)
    """
    return may_lead_to_members((href,)) and _MEMBER.search(href.lower()) is not None


def may_lead_to_members(hrefs: Iterable[str]) -> bool:
    """Return whether any of some addresses may be that of a member: False if :func:`leads_to_member` is for none."""
    text = "\n".join(("", *hrefs)).lower()
    return any(hint in text for hint in _MEMBER_HINTS)


class Resolver:
    """Resolves the hrefs of one page to absolute http(s) URLs, with a cache.

    Parameters
    ----------
    base : str
        Base URL of the page.
    encoding : str
        Encoding of the page, in which queries are escaped as in browsers; paths are always UTF-8.
    routes : bool
        Whether routes of scripts are pages (:mod:`topiccrawl.urls.routes`).
    """

    def __init__(self, base: str, encoding: str = "utf-8", *, routes: bool = False) -> None:
        base = split_route(base)[0] if routes else base
        self.base = base
        self._routes = routes
        self.encoding = "utf-8" if encoding.startswith(("utf-16", "utf-32")) else encoding
        match = _ORIGIN.match(base)
        self._origin = match.group(1) + "://" + match.group(2) if match else ""
        self._scheme = match.group(1).lower() if match else "http"
        self._page = base.partition("#")[0].partition("?")[0]
        folder = self._page[len(self._origin) :].rpartition("/")[0]
        self._folder = f"{self._origin}{folder}/"
        self._known: dict[str, str | None] = {}

    def resolve(self, href: str) -> str | None:
        """Return the absolute URL without fragment, None if the href does not lead to an http(s) page."""
        try:
            return self._known[href]
        except KeyError:
            # Most links are absolute and need nothing but a check.
            plain = _PLAIN.fullmatch(href)
            url = self._resolve(href) if plain is None or "/." in href else _checked(plain)
            self._known[href] = url
            return url

    def _resolve(self, href: str) -> str | None:
        href = href.strip(_AROUND)
        if self._routes and "#" in href:
            address, _, fragment = href.partition("#")
            if is_route(fragment):
                url = self._resolve(address) if address else self.base.partition("#")[0]
                return None if url is None else clean(with_route(url, fragment), self.encoding)
        if not href or href[0] == "#" or len(href) > 4 * MAX_URL_CHARACTERS:
            return None
        if "\n" in href or "\r" in href or "\t" in href:
            href = _INSIDE.sub("", href)
        if "#" in href:
            href = href.partition("#")[0]
        if "\\" in href:
            path, mark, query = href.partition("?")
            href = path.replace("\\", "/") + mark + query
        scheme = _SCHEME.match(href)
        if scheme is not None:
            name = scheme.group(1).lower()
            if name not in {"http", "https"}:
                return None  # includes "news.html:8080", which browsers also take for a scheme
            rest = href[scheme.end() :]
            foreign = rest.startswith("//") or name != self._scheme
            url = f"{name}://{rest.lstrip('/')}" if foreign else self._join(rest)
        else:
            url = self._join(href)
        if "/." in url and _DOTS.search(url):
            url = _without_dots(url)
        return clean(url, self.encoding)

    def _join(self, reference: str) -> str:
        """Join as in RFC 3986, section 5.2.2; the caller removes dot segments."""
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
    """Return an http(s) URL with only safe characters, scheme and host in lower case.

    Parameters
    ----------
    url : str
        An absolute URL without fragment.
    encoding : str
        Encoding in which the query is escaped.

    Returns
    -------
    str or None
        None for an invalid URL, one longer than :data:`MAX_URL_CHARACTERS`, or one with a user name.
    """
    parts = _PLAIN.fullmatch(url)
    if parts is None:
        if "://" not in url:
            return None  # a relative link on a page whose URL is unknown
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
            return None  # no host, an IPv6 address or a user name
    return _checked(parts)


def _checked(parts: re.Match[str]) -> str | None:
    """Return the URL of a match of ``_PLAIN`` with a path, None if it is too long or has no such port."""
    url = parts[0]
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
    except UnicodeEncodeError:  # a character outside the page's encoding
        return safe_url_string(url, encoding="utf-8")


def registered_host(host: str) -> str:
    """Return the registered domain of a host.

    An approximation without the public suffix list: two labels, or three under ``com.cn`` and the
    like.

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
