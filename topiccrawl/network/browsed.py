"""Requests of the scripts of a page, sent as requests of the crawl."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from topiccrawl.crawl.requests.meta import BROWSED

if TYPE_CHECKING:
    from playwright.async_api import Request as PageRequest
    from scrapy.http import Response

    from topiccrawl.crawl.settings.browser import BrowserSettings

logger = logging.getLogger(__name__)

#: Methods that scripts may use: what reads, and the POST of many interfaces for data.
_METHODS: Final = frozenset({"GET", "HEAD", "POST"})
#: Headers of the browser that are passed on, besides those of the page's own (``X-…``).
_HEADERS: Final = frozenset(
    {"accept", "content-type", "authorization", "origin", "accept-language"}
)
#: Headers of an answer that the browser gets: the others are about the connection, or cookies, which the
#: crawl keeps itself.
_ANSWER_HEADERS: Final = (
    "content-type", "access-control-allow-origin", "access-control-allow-credentials",
    "access-control-allow-headers", "access-control-allow-methods", "access-control-expose-headers",
)  # fmt: skip
#: Bytes of scripts that are kept: the pages of a site share them (a guess).
_KEPT_BYTES: Final = 32 * 1024 * 1024
#: Largest request body that is passed on (a guess).
_BODY_BYTES: Final = 64 * 1024
#: What is passed on to the requests of a page's scripts: its cookies, and who is logged in.
_PASSED: Final = ("cookiejar", "bindaddress")


class SubRequests:
    """The requests of one page; *scripts* is shared by all pages."""

    def __init__(
        self,
        request: Request,
        settings: BrowserSettings,
        download: Callable[[Request], Awaitable[Response]],
        scripts: dict[str, Response],
    ) -> None:
        self._meta: dict[str, Any] = {
            name: request.meta[name] for name in _PASSED if name in request.meta
        }
        self._agent = request.headers.get(b"User-Agent")
        self._settings = settings
        self._download = download
        self._scripts = scripts
        self._left = settings.requests
        #: Whether a request got no answer: another time the page may show more.
        self.failed = False
        self._tasks: set[asyncio.Task[Response]] = set()

    def allows(self, asked: PageRequest) -> bool:
        """Whether a request may be sent."""
        return (
            self._left > 0
            and asked.resource_type not in self._settings.blocked
            and asked.resource_type
            not in ("eventsource", "websocket", "ping", "cspviolationreport")
            and asked.method in _METHODS
            and urlsplit(asked.url).scheme in ("http", "https")
            and "@" not in urlsplit(asked.url).netloc
        )

    async def fetch(self, asked: PageRequest) -> dict[str, Any] | None:
        """Return the answer for the browser, ``None`` for an error."""
        shared = asked.resource_type == "script" and asked.method == "GET"
        response = self._scripts.get(asked.url) if shared else None
        if response is None:
            self._left -= 1
            try:
                request = self._request(asked)
                task = asyncio.ensure_future(self._download(request))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                response = await task
            except IgnoreRequest as error:  # by a rule of the crawl: another time would be the same
                logger.debug("A request of a script is refused: %s: %s", asked.url, error)
                return None
            except (Exception, asyncio.CancelledError) as error:
                self.failed = True
                logger.debug("A request of a script failed: %s: %s", asked.url, error)
                return None
            if shared and response.status == 200:
                self._keep(asked.url, response)
        return {
            "status": response.status,
            "headers": dict(_answer_headers(response)),
            "body": response.body,
        }

    def close(self) -> None:
        """Cancel the requests under way."""
        for task in list(self._tasks):
            task.cancel()

    def _request(self, asked: PageRequest) -> Request:
        headers = {
            name: value
            for name, value in asked.headers.items()
            if name in _HEADERS or (name.startswith("x-") and not name.startswith("x-devtools"))
        }
        if self._agent is not None:
            headers["User-Agent"] = self._agent.decode("latin-1")
        body = asked.post_data_buffer or b""
        if len(body) > _BODY_BYTES:
            raise ValueError("the body of the request is too long")
        return Request(
            asked.url,
            method=asked.method,
            headers=headers,
            body=body,
            meta={**self._meta, BROWSED: True, "handle_httpstatus_all": True},
            callback=NO_CALLBACK,
            dont_filter=True,
        )

    def _keep(self, url: str, response: Response) -> None:
        self._scripts[url] = response
        size = sum(len(kept.body) for kept in self._scripts.values())
        while size > _KEPT_BYTES and len(self._scripts) > 1:
            oldest = next(iter(self._scripts))
            size -= len(self._scripts.pop(oldest).body)


def _answer_headers(response: Response) -> Mapping[str, str]:
    found = {}
    for name in _ANSWER_HEADERS:
        value = response.headers.get(name)
        if value is not None:
            found[name] = value.decode("latin-1")
    return found
