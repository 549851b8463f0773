"""Paths of the console: permanent links to topics, pages and stories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlencode

from topiccrawl.text.normalize import normalize

#: Names that a browser or a server changes in a path: a slash ends the part, dots go up.
_DOTS: Final = {".": "%252E", "..": "%252E%252E"}


def topic_path(topic: str, rest: str = "", **query: object) -> str:
    """Return the path of a view of *topic*: ``topic_path("侨情", "search", q="华侨")``.

    A slash in the name is escaped twice, because servers take one that is escaped once for a slash.
    """
    name = _DOTS.get(topic) or quote(topic, safe="").replace("%2F", "%252F")
    wanted = {key: value for key, value in query.items() if value not in (None, "")}
    tail = f"?{urlencode(wanted, doseq=True)}" if wanted else ""
    return f"/t/{name}/{rest}{tail}"


def topic_named(written: str, topics: Iterable[str]) -> str | None:
    """Return the one of *topics* that the part *written* of a path means, ``None`` if none is.

    Traditional and simplified forms are equal, as in commands.
    """
    known = list(topics)
    for name in (written, unquote(written)):
        if name in known:
            return name
    wanted = normalize(unquote(written))
    return next((name for name in known if normalize(name) == wanted), None)


def page_path(topic: str, url: str) -> str:
    """Return the path of the reading view of a page."""
    return topic_path(topic, "page", url=url)


def story_path(topic: str, story: str) -> str:
    """Return the path of a story."""
    return topic_path(topic, f"stories/{quote(story, safe='')}")


def asked_path(scope: Mapping[str, Any]) -> str:
    """Return path and query of a request as they were sent: decoded, a name can lose its escapes."""
    raw = bytes(scope.get("raw_path") or quote(scope["path"]).encode()).partition(b"?")[0]
    query = bytes(scope.get("query_string", b""))
    return (raw + (b"?" + query if query else b"")).decode("latin-1")


def local_path(path: str, default: str = "/") -> str:
    """Return *path* if it leads to this console, else *default*.

    Browsers take ``//host`` and ``/\\host`` for another host, and drop tabs and line breaks.
    """
    if not path.startswith("/") or path[1:2] in ("/", "\\") or not path.isprintable():
        return default
    return path
