"""The cookies of one session, by the rules of :mod:`http.cookiejar`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from email.message import Message
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from typing import Final, cast
from urllib.request import Request as _UrlRequest

from topiccrawl.access.cookiefiles import BrowserCookie
from topiccrawl.access.sites import HostPatterns

#: Characters of a cookie with its attributes, as browsers limit them.
_MOST_CHARS: Final = 8_192
#: Cookies of servers in one session (Chrome keeps 180 of a domain).
_MOST_RECEIVED: Final = 180
#: An age of more digits than a century has seconds, which the library takes for a fault of its own.
_LONG_AGE: Final = re.compile(r"(max-age\s*+=\s*+\d{10})\d++", re.IGNORECASE)


class _Headers:
    """The part of a response that :class:`CookieJar` reads."""

    def __init__(self, headers: Message) -> None:
        self._headers = headers

    def info(self) -> Message:
        return self._headers


class SessionJar:
    """Cookies of one session."""

    def __init__(self) -> None:
        self._policy = DefaultCookiePolicy()
        self._jar = CookieJar(self._policy)
        #: Domain, path and name of the cookies of servers.
        self._received: set[tuple[str, str, str]] = set()

    def header(self, url: str) -> str:
        """Return the value of the Cookie header of a request for *url*, ``""`` without cookies."""
        request = _UrlRequest(url)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie") or ""

    def receive(self, url: str, set_cookie: Iterable[str]) -> None:
        """Take over the Set-Cookie headers of a response to a request for *url*.

        When there are very many, only those that are known are replaced: the session's own came first.
        """
        request = _UrlRequest(url)
        for value in set_cookie:
            if len(value) > _MOST_CHARS:
                continue
            headers = Message()
            # A header of a message is one line.
            one_line = value.replace("\r", "").replace("\n", "")
            headers["Set-Cookie"] = _LONG_AGE.sub(r"\1", one_line)
            response = cast("object", _Headers(headers))
            # One by one: the library forgets all of a response for one that it cannot read.
            for cookie in self._jar.make_cookies(response, request):  # type: ignore[arg-type]
                key = cookie.domain, cookie.path, cookie.name
                has_room = key in self._received or len(self._received) < _MOST_RECEIVED
                if has_room and self._policy.set_ok(cookie, request):
                    self._received.add(key)
                    self._jar.set_cookie(cookie)

    def load(self, cookies: Iterable[BrowserCookie]) -> int:
        """Add cookies of a browser; return how many of them are still valid."""
        now, valid = time.time(), 0
        for it in cookies:
            if it.expires is not None and it.expires <= now:
                continue
            self._jar.set_cookie(_from_browser(it))
            valid += 1
        return valid

    def set(self, url: str, name: str, value: str, *, secure: bool = False) -> None:
        """Add a cookie for the host of *url*, if *secure* for https only."""
        host = _UrlRequest(url).host.rpartition("@")[2]
        host = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        self._jar.set_cookie(_from_browser(BrowserCookie(name, value, host, secure=secure)))

    def named(self, url: str) -> dict[str, str]:
        """Return the cookies that a request for *url* sends, by name."""
        pairs = (part.partition("=") for part in self.header(url).split("; ") if part)
        return {name: value.strip('"') for name, _, value in pairs}

    def values(self, hosts: HostPatterns | None = None) -> Sequence[str]:
        """Return all values, or those that requests to *hosts* may send, to keep them out of logs."""
        return [
            it.value for it in self._jar if it.value and (hosts is None or hosts.may_get(it.domain))
        ]


def _from_browser(it: BrowserCookie) -> Cookie:
    domain = it.domain.lower()
    # The library's name for a host without a dot.
    if "." not in domain.strip("."):
        domain += ".local"
    return Cookie(
        version=0,
        name=it.name,
        value=it.value,
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=domain.startswith("."),
        domain_initial_dot=domain.startswith("."),
        path=it.path,
        path_specified=True,
        secure=it.secure,
        expires=None if it.expires is None else int(it.expires),
        discard=it.expires is None,
        comment=None,
        comment_url=None,
        rest={},
    )
