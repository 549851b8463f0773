"""Routes of scripts: pages that differ in the fragment of their URL only (``/#/article/3``, ``/#!/news``).

A server never receives a fragment, so for plain HTTP all routes are one page.  Where pages are loaded in a
browser they are different ones.  A route is then written as a parameter of the query, so that whatever
handles URLs is not affected; the parameter is taken out again before a request is sent.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote, unquote_plus

#: Name of the parameter; no server receives it.
ROUTE: Final = "_route_"
_MARK: Final = f"{ROUTE}="
#: Longest route that is followed (a guess: addresses of pages are shorter).
_LONGEST: Final = 500


def is_route(fragment: str) -> bool:
    """Whether a fragment names a page and not a place in one.

    >>> is_route("/article/3"), is_route("!/news"), is_route("top"), is_route("/")
    (True, True, False, False)
    """
    return fragment[:1] in ("/", "!") and 1 < len(fragment) <= _LONGEST


def with_route(url: str, fragment: str) -> str:
    """Return *url*, which has no fragment, with the parameter for the route *fragment*.

    >>> with_route("http://a.cn/app?x=1", "/article/3")
    'http://a.cn/app?x=1&_route_=%2Farticle%2F3'
    """
    return f"{url}{'&' if '?' in url else '?'}{_MARK}{quote(unquote(fragment), safe='')}"


def split_route(url: str) -> tuple[str, str]:
    """Return *url* without the parameter, and the fragment that it stands for, ``""`` for none.

    >>> split_route("http://a.cn/app?_route_=%2Farticle%2F3&x=1")
    ('http://a.cn/app?x=1', '/article/3')
    """
    if _MARK not in url:
        return url, ""
    address, question, query = url.partition("?")
    parts = query.split("&")
    found = [part for part in parts if part.startswith(_MARK)]
    rest = "&".join(part for part in parts if not part.startswith(_MARK))
    if not (question and found):
        return url, ""
    return f"{address}?{rest}" if rest else address, unquote_plus(found[0][len(_MARK) :])


def shown_url(url: str) -> str:
    """Return the address that a browser shows for *url*.

    >>> shown_url("http://a.cn/app?_route_=%2Farticle%2F3")
    'http://a.cn/app#/article/3'
    """
    plain, fragment = split_route(url)
    return f"{plain}#{quote(fragment, safe='/!?=&:,;@+$')}" if fragment else url
