"""Serve a stored web through a loopback proxy under its own host names.

Pages that are not stored, robots.txt files and failures that a crawler would retry return 404.
https uses a self-signed certificate.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.evaluation.replay.certificate import server_context
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.urls.redirects import REDIRECT_STATUSES
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.forward import ForwardProxy
from topiccrawl.webserver.server import ProxyServer

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import Web

_NOT_STORED = Answer(404, "text/plain; charset=utf-8", b"not stored\n")


@dataclass(frozen=True, slots=True)
class Served:
    """A page that was served with status 200."""

    url: str
    """Key of the page."""
    requested: str
    """URL as the crawler requested it."""
    size: int
    """Bytes of the body."""


class ReplayProxy(ForwardProxy):
    """The proxy of a stored web; other parameters are those of :class:`ForwardProxy`.

    :param pruned: keep only links to stored pages, see :mod:`topiccrawl.evaluation.webs.prune`.
    :param max_pages: after this many pages with status 200, everything returns 404; 0: no limit.
    """

    def __init__(
        self,
        web: Web,
        *,
        pruned: bool = True,
        max_pages: int = 0,
        latency_seconds: float = 0.0,
    ) -> None:
        super().__init__(latency_seconds=latency_seconds, tls=server_context)
        self.web = web
        self.served: list[Served] = []
        """Served pages in the order of their requests; append-only."""
        self.over = threading.Event()
        """Set when a page is requested after *max_pages* were served."""
        self._max_pages = max_pages
        self._serve = pruner(web) if pruned else attrgetter("body")

    def respond(self, method: str, url: str) -> Answer:
        """Return the stored response, or 404."""
        if urlsplit(url).path == "/robots.txt":
            return _NOT_STORED
        if self._max_pages and len(self.served) >= self._max_pages:
            self.over.set()
            return _NOT_STORED
        page = self.web.get(web_key(url) or "")
        if page is None or page.status in (408, 429) or not 200 <= page.status < 500:
            return _NOT_STORED
        if page.status in REDIRECT_STATUSES:
            return Answer(page.status, page.content_type, page.body, page.location)
        if page.status != 200:
            return Answer(page.status, page.content_type, page.body)
        body = self._serve(page)
        if method == "GET":
            self.served.append(Served(page.url, url, len(body)))
        return Answer(200, page.content_type, body)


class ReplayServer(ProxyServer):
    """A :class:`ReplayProxy` in a thread; same parameters."""

    def __init__(
        self,
        web: Web,
        *,
        pruned: bool = True,
        max_pages: int = 0,
        latency_seconds: float = 0.0,
    ) -> None:
        self.proxy = ReplayProxy(
            web, pruned=pruned, max_pages=max_pages, latency_seconds=latency_seconds
        )
        super().__init__(self.proxy)
