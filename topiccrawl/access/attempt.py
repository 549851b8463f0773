"""One attempt to log in: requests and answers from the login page to a session."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.access.document import Document
from topiccrawl.access.exchange import Ask, Fetch, Got
from topiccrawl.access.filling import origin_headers
from topiccrawl.access.following import next_address, redirect_of, self_submitting
from topiccrawl.access.jar import SessionJar
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.access.challenges import HttpAuthorization
    from topiccrawl.access.login import Login

#: Requests of one login, at most (a guess: a CAS login over two hosts takes seven).
MOST_REQUESTS: Final = 25
#: Steps that one answer leads on, at most, as browsers limit redirects.
_MOST_STEPS: Final = 12


class OtherHost(Exception):  # noqa: N818 - a decision, not a fault
    """A login would send its secrets to a host that it does not name."""


class TooManyRequests(Exception):  # noqa: N818
    """A login does not come to an end."""


@dataclass(slots=True)
class Access:
    """What a session consists of."""

    jar: SessionJar = field(default_factory=SessionJar)
    authorization: HttpAuthorization | None = None
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    addresses: set[str] = field(default_factory=set)
    """Addresses of login pages, as :func:`address_of` writes them."""


def address_of(url: str) -> str:
    """Return *url* without what changes from request to request: its scheme, query and fragment.

    A page that is chosen by its query keeps it: ``member.php?mod=logging`` is not ``member.php?mod=space``.
    """
    parts = urlsplit(url)
    chosen = [it for it in parts.query.split("&") if it.partition("=")[0] in _CHOOSING]
    query = "?" + "&".join(chosen) if chosen else ""
    return f"{parts.netloc.lower()}{parts.path.rstrip('/') or '/'}{query}"


#: Parameters that choose a page of a program.
_CHOOSING: Final = ("mod", "action", "act", "m", "a", "c", "op", "do", "method", "page", "r", "s")


class Attempt:
    """Sends the requests of one login with its own cookies."""

    def __init__(self, login: Login, fetch: Fetch) -> None:
        self.login = login
        self.access = Access()
        self.stopped_at = ""
        """Host that an answer led to and that the login does not name."""
        self._fetch = fetch
        self._left = MOST_REQUESTS

    async def get(self, url: str, page: str = "") -> Got:
        """Return the page that *url* leads to; *page* is where its link was."""
        headers = _referer(page, url) if page else {}
        return await self.follow(await self.send(Ask(url, headers=headers)))

    async def send(self, ask: Ask) -> Got:
        """Return the answer to a request, with the cookies of the session."""
        if not self.login.may_pass(ask.url):
            raise OtherHost(host_of(ask.url))
        if not self._left:
            raise TooManyRequests
        self._left -= 1
        headers = dict(ask.headers)
        if cookie := self.access.jar.header(ask.url):
            headers["Cookie"] = cookie
        got = await self._fetch(replace(ask, headers=headers))
        self.access.jar.receive(got.url, got.all_headers("Set-Cookie"))
        return got

    async def follow(self, got: Got) -> Got:
        """Return the page that an answer leads to, by redirects, refreshes, scripts and forms."""
        for _step in range(_MOST_STEPS):
            ask = self._next(got)
            if ask is None:
                return got
            if not self.login.may_pass(ask.url):
                self.stopped_at = host_of(ask.url)
                return got
            got = await self.send(ask)
        return got

    def _next(self, got: Got) -> Ask | None:
        if (target := redirect_of(got)) is not None:
            return Ask(target, headers=_referer(got.url, target))
        if not 200 <= got.status < 300 or "html" not in got.header("Content-Type").lower():
            return None
        document = Document.of(got)
        if (target := next_address(document)) is not None:
            return Ask(target, headers=_referer(got.url, target))
        return self_submitting(document, origin_headers(document.url))


def _referer(page: str, target: str) -> dict[str, str]:
    return {"Referer": origin_headers(page, target)["Referer"]}
