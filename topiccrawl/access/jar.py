"""The cookies of one session, by the rules of :mod:`http.cookiejar`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from email.message import Message
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from typing import cast
from urllib.request import Request as _UrlRequest

from topiccrawl.access.cookiefiles import BrowserCookie
from topiccrawl.access.sites import HostPatterns


class _Headers:
    """The part of a response that :class:`CookieJar` reads."""

    def __init__(self, headers: Message) -> None:
        self._headers = headers

    def info(self) -> Message:
        return self._headers


class SessionJar:
    """Cookies of one session."""

    def __init__(self) -> None:
        self._jar = CookieJar(DefaultCookiePolicy())

    def header(self, url: str) -> str:
        """Return the value of the Cookie header of a request for *url*, ``""`` without cookies."""
        request = _UrlRequest(url)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie") or ""

    def receive(self, url: str, set_cookie: Iterable[str]) -> None:
        """Take over the Set-Cookie headers of a response to a request for *url*."""
        headers = Message()
        for value in set_cookie:
            # A header of a message is one line.
            headers["Set-Cookie"] = value.replace("\r", "").replace("\n", "")
        if len(headers):
            response = cast("object", _Headers(headers))
            self._jar.extract_cookies(response, _UrlRequest(url))  # type: ignore[arg-type]

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
