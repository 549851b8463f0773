"""Send the requests of logins past the queue, and those of pages again that were behind a wall."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scrapy import Request
from scrapy.http import Response

from topiccrawl.access.exchange import Ask, Fetch, Unreachable
from topiccrawl.access.following import redirect_of
from topiccrawl.crawl.logins.redaction import Redactor
from topiccrawl.crawl.requests.meta import LEASED_URL, LOGIN
from topiccrawl.errors import described

#: Largest answer of a login (a choice): login pages have up to 500 KB with their scripts.
_MOST_BYTES: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class LoginTicket:
    """Marks a request of a login, in ``meta``; no record of the queue can hold one."""

    name: str


class ScrapyAnswer:
    """A response of Scrapy as :class:`~topiccrawl.access.exchange.Got`."""

    def __init__(self, response: Response) -> None:
        self.url = response.url
        self.status = response.status
        self.body = response.body
        self._headers = response.headers

    def header(self, name: str) -> str:
        """Return the value of a header, ``""`` without it."""
        return (self._headers.get(name) or b"").decode("latin-1")

    def all_headers(self, name: str) -> Sequence[str]:
        """Return the values of all headers of this name."""
        return [value.decode("latin-1") for value in self._headers.getlist(name)]


def fetch_with(
    download: Callable[[Request], Awaitable[Response]], name: str, redactor: Redactor
) -> Fetch:
    """Return what sends the requests of the login *name*.

    They pass all middlewares and keep their host's delay; nothing of them is cached, recorded, retried
    (a password that is sent twice counts twice) or redirected by Scrapy.  robots.txt does not count:
    a person has asked for this login.

    *download* downloads a request past the queue, and may raise anything.
    """

    async def fetch(ask: Ask) -> ScrapyAnswer:
        redactor.add(ask.secrets)
        request = Request(
            ask.url,
            method=ask.method,
            headers=dict(ask.headers),
            body=ask.body,
            meta={
                LOGIN: LoginTicket(name),
                "dont_redirect": True,
                "dont_retry": True,
                "dont_cache": True,
                "dont_merge_cookies": True,
                "dont_obey_robotstxt": True,
                "handle_httpstatus_all": True,
                "download_maxsize": _MOST_BYTES,
            },
            dont_filter=True,
        )
        try:
            return ScrapyAnswer(await download(request))
        except Exception as error:
            # Whatever a middleware raises; without the original, whose text may contain the URL.
            raise Unreachable(redactor.clean(described(error))) from None

    return fetch


def repeated(request: Request) -> Request:
    """Return *request*, or what was redirected to it, to be sent again.

    Pages behind a wall may be redirected over other addresses to the login page.
    """
    sources = request.meta.get("redirect_urls")
    if not sources:
        return request.replace(dont_filter=True)
    again = request.replace(url=sources[0], dont_filter=True)
    # For the queue this is a redirect back, which ends the present link; their number stays limited.
    again.meta["redirect_times"] = request.meta.get("redirect_times", 0) + 1
    again.meta["redirect_urls"] = [again.meta[LEASED_URL]] if LEASED_URL in again.meta else []
    return again


def leads_back(request: Request, response: Response) -> bool:
    """Whether a redirect leads to the page that was redirected here, which the queue has done with."""
    sources = request.meta.get("redirect_urls") or []
    return bool(sources) and redirect_of(ScrapyAnswer(response)) == sources[0]
