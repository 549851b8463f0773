"""The canonical form of a URL: two spellings of one page become one string."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import canonicalize_url

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)
#: Pages are asked for again and again (navigation links); this many canonical forms are kept.
_CACHE_SIZE = 65_536


@lru_cache(maxsize=1)
def ignored_parameters() -> frozenset[str]:
    """Return the query parameters that never distinguish pages, in lower case (data/url_parameters.toml)."""
    text = (
        resources.files("topiccrawl.dedup").joinpath("data/url_parameters.toml").read_text("utf-8")
    )
    return frozenset(name for names in tomllib.loads(text).values() for name in names)


def _clean_query(query: str) -> str:
    ignored = ignored_parameters()
    kept = [part for part in query.split("&") if part.partition("=")[0].lower() not in ignored]
    return "&".join(kept)


@lru_cache(maxsize=_CACHE_SIZE)
def canonical_url(url: str) -> str:
    """Return the canonical form of an absolute http(s) *url*; idempotent.

    Host in lower case without a trailing dot or default port, fragment dropped, percent-encoding
    and order of the query made uniform (w3lib), session ids and tracking parameters removed.
    The scheme stays: http and https of one host may differ.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".")
        port = parts.port
    except ValueError:
        # Not a URL that can be fetched; it still has to be a stable key.
        return url.strip()
    scheme = parts.scheme.lower()
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS.get(scheme):
        netloc = f"{netloc}:{port}"
    path = parts.path
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
    query = _clean_query(parts.query) if parts.query else ""
    return canonicalize_url(urlunsplit((scheme, netloc, path or "/", query, "")))


def host_of(url: str) -> str:
    """Return the host name of *url* in lower case, ``""`` when it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
