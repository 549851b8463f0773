"""Run a loopback proxy in a thread, for tests and commands that are not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Generic, Self

from topiccrawl.webserver.proxy import WebProxy, WebT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from topiccrawl.webserver.forward import ForwardProxy, RequestRecord

__all__ = ["ProxyServer", "WebServer"]


class ProxyServer:
    """Context manager that runs *proxy* in a daemon thread."""

    def __init__(self, proxy: ForwardProxy) -> None:
        self._proxy = proxy
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._url = ""
        self._thread = threading.Thread(target=self._run, name="loopback-proxy", daemon=True)

    @property
    def url(self) -> str:
        """The value for ``http_proxy``."""
        return self._url

    @property
    def requests(self) -> Sequence[RequestRecord]:
        """The requests so far, oldest first (a copy)."""
        return tuple(self._proxy.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        async with self._proxy as proxy:
            self._url = proxy.url
            self._ready.set()
            await self._stop.wait()


class WebServer(ProxyServer, Generic[WebT]):
    """A :class:`~topiccrawl.webserver.proxy.WebProxy` in a thread; same parameters."""

    def __init__(
        self,
        web: WebT,
        *,
        latency_seconds: float = 0.0,
        gzip_share: float = 0.5,
        log_limit: int = 100_000,
        port: int = 0,
    ) -> None:
        self.web = web
        super().__init__(
            WebProxy(
                web,
                latency_seconds=latency_seconds,
                gzip_share=gzip_share,
                log_limit=log_limit,
                port=port,
            )
        )
