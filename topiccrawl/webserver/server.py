"""Run a loopback proxy in a thread, for tests and commands that are not asynchronous."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from topiccrawl.webserver.forward import ForwardProxy, RequestRecord
from topiccrawl.webserver.proxy import WebProxy, WebT
from topiccrawl.webserver.threaded import ThreadedServer


class ProxyServer(ThreadedServer):
    """Context manager that runs *proxy* in a daemon thread."""

    def __init__(self, proxy: ForwardProxy) -> None:
        super().__init__("loopback-proxy")
        self._proxy = proxy
        self._url = ""

    @property
    def url(self) -> str:
        """The value for ``http_proxy``."""
        return self._url

    @property
    def requests(self) -> Sequence[RequestRecord]:
        """The requests so far, oldest first (a copy)."""
        return tuple(self._proxy.requests)

    async def _serve(self) -> None:
        async with self._proxy as proxy:
            self._url = proxy.url
            await self._until_stopped()


class WebServer(ProxyServer, Generic[WebT]):
    """A :class:`~topiccrawl.webserver.proxy.WebProxy` in a thread."""

    def __init__(
        self,
        web: WebT,
        *,
        latency_seconds: float = 0.0,
        port: int = 0,
    ) -> None:
        self.web = web
        super().__init__(WebProxy(web, latency_seconds=latency_seconds, port=port))
