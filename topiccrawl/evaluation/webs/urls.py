"""Keys of stored webs: the same key for URLs that a stored web does not distinguish."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

#: Not encoded in paths: the reserved and unreserved characters of RFC 3986, and ``%``.
_SAFE_PATH = "!$%&'()*+,/:;=@[]~"
_SAFE_QUERY = _SAFE_PATH + "?"
_BRACKETS = re.compile("%5[bd]", re.IGNORECASE)
_DEFAULT_PORTS = frozenset({None, 0, 80, 443})


def web_key(url: str) -> str | None:
    """Return the key of *url* in a stored web; ``None`` if it is not an http(s) URL.

    https becomes http; ports 80 and 443, user name and password, the fragment and a trailing dot of
    the host are removed; the host is lowercased and IDNA-encoded; an empty path becomes ``/``;
    characters that are not allowed in a URL are percent-encoded as UTF-8.  Square brackets are never
    encoded, and a backslash in the path becomes a slash, because pages and clients write both
    differently.  Nothing else is changed: URLs that differ may be different pages.

    >>> web_key("HTTPS://WWW.Example.cn:443/a b?q=侨#top")
    'http://www.example.cn/a%20b?q=%E4%BE%A8'
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    host = _ascii(host.rstrip("."))
    if not host:
        return None
    if ":" in host:  # an IPv6 address loses its brackets in ``hostname``
        host = f"[{host}]"
    place = host if port in _DEFAULT_PORTS else f"{host}:{port}"
    path = _quoted(parts.path.replace("\\", "/") or "/", _SAFE_PATH)
    query = f"?{_quoted(parts.query, _SAFE_QUERY)}" if parts.query else ""
    key = f"http://{place}{path}{query}"
    return _BRACKETS.sub(_bracket, key) if "%5" in key else key


def _bracket(found: re.Match[str]) -> str:
    return "[" if found[0].lower() == "%5b" else "]"


def _ascii(host: str) -> str:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:  # not a valid host name, but the URL still needs a key
        return _quoted(host, "")


def _quoted(text: str, safe: str) -> str:
    # A lone surrogate (from a broken page) becomes "?", as in browsers.
    return quote(text, safe=safe, errors="replace")
