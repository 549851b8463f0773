"""The canonical form of a URL: two spellings of one page's URL become one string.

The canonical form is a key, not an address: a request uses the URL as the page wrote it.  The rules are
data (:mod:`topiccrawl.urls.rules`); docs/urls.md lists them with their risks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from w3lib.url import canonicalize_url

from topiccrawl.urls.rules import url_rules

#: Canonical forms in the cache: the navigation links of a site recur on each of its pages.
_CACHE_SIZE = 4_096
#: Longest URL whose form is cached, in characters: all of them together take 10 MB at most (a choice; the
#: links of real pages are shorter).
_CACHED_CHARACTERS = 250

# URLs that need no normalization except for the order of their query: nine of ten links.  The path has
# no ";" and no dot segments and escapes non-ASCII bytes only, the query only bytes that need escaping.
_ESCAPE = r"%(?:[0189A-F][0-9A-F]|2[1-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
_PLAIN = re.compile(
    r"(https?)://((?:[a-z0-9-]+\.)*[a-z0-9-]+)\.?(?::([0-5]?[0-9]{1,4}))?"
    r"((?:/(?!\.)(?:[A-Za-z0-9\-._~!$&'()*+,:=@]|%[89A-F][0-9A-F])*)*)"
    rf"(?:\?((?:[A-Za-z0-9\-._~+=&]|{_ESCAPE})*))?"
)
_PARTS = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_SLASHES = re.compile(r"(?<!:)/{2,}")  # after ":" begins a whole URL within the path
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def canonical_url(url: str) -> str:
    """Return the canonical form of *url*; idempotent, never raises.

    The host is in lower case and IDNA, without user, trailing dot or default port; dot segments and
    doubled slashes are resolved; the fragment is dropped; percent-encoding is uniform and the bytes
    are unchanged; the query is sorted, without empty parts, session ids and tracking parameters;
    ``/index.html`` becomes its folder.  Scheme and ``www.`` stay: they may lead to other pages.

    Parameters
    ----------
    url
        An absolute http(s) URL.  Anything else only loses its fragment and surrounding white space.

    Returns
    -------
    str
        The key of the page.  Two URLs with the same key are one link.

    Examples
    --------
    >>> canonical_url("HTTP://www.Example.cn:80/news/index.html?utm_source=wx#top")
    'http://www.example.cn/news/'
    """
    return _cached(url) if len(url) <= _CACHED_CHARACTERS else _canonical(url)


def _canonical(url: str) -> str:
    url = url.partition("#")[0].strip()
    if ";" in url and (start := url.find("/", len("https://"))) > 0:
        # Cheaper here than in `_without_noise`, which also finds escaped session ids.
        path, mark, query = url[start:].partition("?")
        url = f"{url[:start]}{url_rules().path_session.sub('', path)}{mark}{query}".strip()
    plain = _PLAIN.fullmatch(url)
    if plain is not None:
        scheme, host, port, path, query = plain.groups()
        ordered = _in_order(query) if query else ""
        if ordered is not None:
            return _without_noise(scheme, host, port, path or "/", ordered)
    try:
        return _normalized(url)
    except (ValueError, IndexError):
        # Such a URL cannot be fetched, but its key must be stable all the same.
        return url


_cached = lru_cache(maxsize=_CACHE_SIZE)(_canonical)


def _in_order(query: str) -> str | None:
    """Return a plain query as w3lib writes it, ``None`` if that requires decoding."""
    parts = [part if "=" in part else f"{part}=" for part in query.split("&") if part]
    if query.count("=") > len(parts):
        return None
    if len(parts) > 1:
        # By name, then by value; not by the whole part, because "=" sorts after "-" and digits.
        pairs = sorted(part.split("=", 1) for part in parts)
        if "%" in query or "+" in query:
            # Escapes sort differently from the bytes they encode; values matter for equal names only.
            names = [name for name, _ in pairs]
            if len(set(names)) < len(names) or any("%" in name or "+" in name for name in names):
                return None
        parts = ["=".join(pair) for pair in pairs]
    return "&".join(parts)


def _normalized(url: str) -> str:
    """Return the canonical form of any URL; slow."""
    text = canonicalize_url(url)
    if _BROKEN_ESCAPE.search(url):
        # "%4%31" is "%41" after one round and "A" after two; each round makes it shorter.
        while (again := canonicalize_url(text)) != text:
            text = again
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return url
    scheme, netloc, path, query = parts.groups()
    host, colon, port = netloc.rpartition("@")[2].rpartition(":")
    if not colon or "]" in port:
        host, port = f"{host}{colon}{port}", ""
    if host.endswith("."):
        host = host.rstrip(".")
        if not host.isascii():
            # IDNA fails for a name with two dots at the end and works without them; one may be "。".
            host = canonicalize_url(f"http://{host}/")[len("http://") : -1].rstrip(".")
    if not host:
        return url
    return _without_noise(scheme, host, port, path or "/", query or "")


def _without_noise(scheme: str, host: str, port: str | None, path: str, query: str) -> str:
    """Join the parts of a normalized URL, leaving out what the rules call noise."""
    rules = url_rules()
    host_rules = rules.of(host)
    before = path
    if ";" in path or "%3B" in path:
        path = rules.path_session.sub("", path) or "/"
    if "/(" in path:
        path = rules.path_segment.sub("", path)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    site = f"{scheme}://{host}"
    if port:
        port = port.lstrip("0") or "0"
        if port != _DEFAULT_PORTS[scheme]:
            site = f"{site}:{port}"
    if path != before:
        # The cut may leave dot segments or other noise; the path gets shorter each time.
        return _canonical(f"{site}{path}?{query}" if query else f"{site}{path}")
    if query:
        ignores = host_rules.parameters.ignores
        more = [p.ignores for pattern, p in host_rules.by_path if pattern.fullmatch(path)]
        kept = []
        for part in query.split("&"):
            name, _, value = part.partition("=")
            if not ignores(name, value) and not any(also(name, value) for also in more):
                kept.append(part)
        if kept:
            return f"{site}{path}?{'&'.join(kept)}"
    folder, _, name = path.rpartition("/")
    return f"{site}{folder}/" if name in host_rules.index else f"{site}{path}"
